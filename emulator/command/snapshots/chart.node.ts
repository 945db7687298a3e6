// The cases of a chart, rendered for its snapshot.

import { dirname, relative, resolve, sep } from 'node:path';
import { otherChance, watchHost } from '../../../render/chance.ts';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/errors.ts';
import { GoError } from '../../../render/go/value.ts';
import type { Helm } from '../../../render/helm/helm.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import type { Host } from '../../../render/host.ts';
import { type Inputs, inputsOf, knownInputs } from '../../../render/impact/inputs.ts';
import { createTrace } from '../../../render/origins/create.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { type ReleaseOptions, type RenderedRelease, renderRelease } from '../../../render/release.ts';
import { settleFiles } from '../../../render/snapshot/settle.ts';
import { releaseObjects } from '../../../render/trace/objects.ts';
import type { Capabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues, type UserValues } from '../../../render/values/user.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { type Case, casesOf } from '../rendering/cases.node.ts';
import { capabilitiesOf, seededHostOf } from '../rendering/chart-flags.node.ts';
import { tellFailure } from '../rendering/order-input.node.ts';
import { majorOf, readValuesFiles, shownPath } from '../rendering/read.node.ts';
import { explainChart } from '../rendering/why.node.ts';
import { type CaseWords, readCaseWords } from './case-words.ts';
import { withCluster } from './cluster.node.ts';
import type { SnapshotCoverage } from './coverage.node.ts';
import type { CaseOutcome } from './outcome.ts';
import type { Rendering } from './rendering.ts';

/** What cases are rendered with beside their chart. */
export interface ChartRun {
  readonly flags: ParsedFlags;
  readonly io: CommandContext;
  readonly coverage: SnapshotCoverage;
  /** Which cases are rendered. Default all. */
  readonly isWanted?: ((name: string) => boolean) | undefined;
  /** Whether the first case that fails is the last. Default false. */
  readonly bail?: boolean | undefined;
}

/** A case that is ready to be rendered. */
interface ReadyCase {
  readonly item: Case;
  readonly given: UserValues;
  readonly words: CaseWords;
  readonly options: ReleaseOptions;
  readonly host: () => Host;
}

/** Renders the cases of a chart, and tells those that do not render. Throws RenderError where the chart cannot be read. */
export async function renderChart(input: string, run: ChartRun): Promise<Rendering> {
  const { flags, io } = run;
  const path = resolve(io.cwd, input);
  const helm = helmOf(majorOf(flags));
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const capabilities = capabilitiesOf(flags, helm);
  const chart = await loadChartPath(path, { helm: helm.major, onWarning });
  const cases = new ChartCases({ chart, path, helm, capabilities, run, onWarning });
  for (const found of casesOf(path, flags.list('values'))) {
    const item = { ...found, valuesFiles: found.valuesFiles.map((file) => shownFile(file, io)) };
    if (run.isWanted !== undefined && !run.isWanted(item.name)) cases.skip(item);
    else if (!(await cases.render(item)) && run.bail === true) break;
  }
  return cases.rendering(input);
}

interface ChartCasesOptions {
  readonly chart: Chart;
  readonly path: string;
  readonly helm: Helm;
  readonly capabilities: Capabilities;
  readonly run: ChartRun;
  readonly onWarning: (line: string) => void;
}

class ChartCases {
  private readonly options: ChartCasesOptions;
  private readonly files = new Map<string, string>();
  private readonly twins = new Map<string, string>();
  private readonly missing: string[] = [];
  private readonly outcomes: CaseOutcome[] = [];
  private readonly releases = new Map<string, { readonly ready: ReadyCase; readonly release: RenderedRelease }>();

  constructor(options: ChartCasesOptions) {
    this.options = options;
  }

  skip({ name }: Case): void {
    this.missing.push(`${name}.yaml`, `${name}.failure.txt`);
  }

  /** Gives whether the case is as it should be: rendered, or refused where it must be. */
  async render(item: Case): Promise<boolean> {
    const start = performance.now();
    const message = await this.tryCase(item);
    const milliseconds = Math.round((performance.now() - start) * 10) / 10;
    this.outcomes.push({
      name: item.name,
      valuesFiles: item.valuesFiles,
      status: message === '' ? 'same' : 'fault',
      message,
      milliseconds,
    });
    return message === '';
  }

  private async tryCase(item: Case): Promise<string> {
    const { flags, io } = this.options.run;
    let ready: ReadyCase | undefined;
    try {
      ready = await this.read(item);
      this.renderReady(ready);
      return '';
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      if (ready?.words.fails === true && error.message !== mustFail) {
        this.files.set(`${item.name}.failure.txt`, `${error.message.trimEnd()}\n`);
        return '';
      }
      const { chart, path } = this.options;
      if (flags.on('explain') && ready !== undefined) {
        const options = { ...ready.options, host: ready.host() };
        explainChart(error, { chart, options, folder: shownPath(path, io), given: ready.given });
      }
      this.tell(item, error);
      this.skip(item);
      return error.message;
    }
  }

  private tell({ name, valuesFiles }: Case, error: RenderError): void {
    const { run, path } = this.options;
    const { io } = run;
    const input = shownPath(path, io);
    if (valuesFiles.length > 0) {
      io.stderr(`${input}, case ${name} (${valuesFiles.join(', ')}) does not render:\n`);
    }
    tellFailure(error, undefined, io, input);
  }

  private async read(item: Case): Promise<ReadyCase> {
    const { helm, capabilities, run, onWarning } = this.options;
    const { flags, io } = run;
    const given = { valuesFiles: await readValuesFiles(item.valuesFiles, io, helm) };
    const words = given.valuesFiles.map(({ text, name }) => readCaseWords(text, name));
    const clusters = words.map(({ cluster }, i) => [cluster, folderOf(item.valuesFiles[i], io.cwd)] as const);
    const options: ReleaseOptions = {
      helm,
      name: flags.text('release') || 'release-name',
      namespace: flags.text('namespace') || 'default',
      values: mergeUserValues(given, helm),
      capabilities,
      skipSchemaValidation: flags.on('skip-schema-validation'),
      onWarning,
    };
    const host = (): Host =>
      clusters.reduce((one, [files, folder]) => withFiles(one, files, folder), seededHostOf(flags));
    return { item, given, words: { cluster: [], fails: words.some(({ fails }) => fails) }, options, host };
  }

  private renderReady(ready: ReadyCase): void {
    const { chart, path, run } = this.options;
    const { name } = ready.item;
    const view = { includeCrds: run.flags.on('include-crds') };
    const count = run.coverage.counterFor(path, chart);
    const watched = watchHost(ready.host());
    const release = count(name, (watches) =>
      renderRelease(chart, { ...ready.options, host: watched.host, ...watches }),
    );
    if (ready.words.fails) {
      throw new RenderError('VALUES_INVALID', mustFail, {
        mend: 'Take "# drydock: fails" out of its values file, or mend the chart.',
      });
    }
    this.files.set(`${name}.yaml`, formatTemplate(release, view));
    this.releases.set(name, { ready, release });
    if (!watched.hasDrawn()) return;
    const options = { ...ready.options, host: otherChance(ready.host()), onWarning: () => {} };
    this.twins.set(`${name}.yaml`, formatTemplate(renderRelease(chart, options), view));
  }

  rendering(input: string): Rendering {
    const { path, run, helm, capabilities } = this.options;
    const { flags, io } = run;
    const { version } = capabilities.kubeVersion;
    const settled = settleFiles(this.files, {
      twin: this.twins.size === 0 ? undefined : this.twins,
      secretKey: io.env.DRYDOCK_SECRET_KEY || undefined,
      showSecrets: flags.on('show-secrets'),
    });
    return {
      plain: this.files,
      settled,
      cases: this.outcomes,
      missing: this.missing,
      namespace: flags.text('namespace') || 'default',
      folder: input.endsWith('.tgz') ? '' : shownPath(path, io),
      inputs: () => {
        const all = [...this.releases].map(([name, { release }]): readonly [string, Inputs] => {
          return [name, inputsOf(release, { kubeVersion: version, helm: helm.major })];
        });
        return Object.fromEntries(all);
      },
      traced: async ([file = '']) => {
        const key = file.replace(/\.yaml$/, '');
        const known = this.releases.get(key);
        return known === undefined ? undefined : this.traced(key, known.ready);
      },
    };
  }

  private readonly traces = new Map<string, Awaited<ReturnType<Rendering['traced']>>>();

  private traced(key: string, ready: ReadyCase): Awaited<ReturnType<Rendering['traced']>> {
    const known = this.traces.get(key);
    if (known !== undefined) return known;
    const { chart, path, helm, capabilities, run } = this.options;
    const trace = createTrace();
    const release = renderRelease(chart, { ...ready.options, host: ready.host(), onWarning: () => {}, trace });
    const objects = releaseObjects(
      { ...release, trace },
      { chart, folder: shownPath(path, run.io), given: ready.given },
    );
    const inputs = inputsOf(release, { kubeVersion: capabilities.kubeVersion.version, helm: helm.major });
    const { name, namespace, crds, manifests, hooks } = release;
    const documents = [...crds, ...manifests, ...hooks].map((one) => ({ path: one.path, content: one.content }));
    const traced = { key, name, namespace, documents, side: { known: knownInputs(inputs), objects } };
    this.traces.set(key, traced);
    return traced;
  }
}

const mustFail = 'the chart renders, and its values file says that it must not';

// From the current folder, so that all machines tell the same; `-` is standard input.
function shownFile(file: string, io: CommandContext): string {
  return file.trim() === '-' ? file : relative(io.cwd, resolve(io.cwd, file)).split(sep).join('/');
}

function folderOf(file: string | undefined, cwd: string): string {
  return dirname(resolve(cwd, file ?? '.'));
}

function withFiles(host: Host, files: readonly string[], folder: string): Host {
  try {
    return withCluster(host, files, folder);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new RenderError('VALUES_INVALID', error.message, {
      cause: error,
      mend: 'Name a file of objects, from the folder of the values file: "# drydock: cluster FILE".',
    });
  }
}
