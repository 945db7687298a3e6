// The cases of a chart, rendered for its snapshot.

import { dirname, relative, resolve, sep } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { readChartPath } from '../chart/directory.node.ts';
import { catchGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';
import { lazy } from '../core/lazy.ts';
import { shownPath } from '../core/paths.node.ts';
import { observeHost, withOtherRandomness } from '../engine/randomness.ts';
import { type InstallOptions, type RenderedRelease, runInstall } from '../engine/release.ts';
import { readTextFile } from '../go/os.node.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { type Case, casesOf, readCaseWords, targetOfCase } from '../inputs/cases.node.ts';
import { formatFailure } from '../inputs/failures.ts';
import { readValuesFiles } from '../inputs/files.node.ts';
import { helmVersionOf, type RunIo } from '../inputs/settings.ts';
import { explainChart } from '../inputs/traced.node.ts';
import { capabilitiesOf, installOptions, seededHostOf } from '../inputs/values.node.ts';
import { member, readObjects, textMember } from '../manifest/objects.ts';
import { formatSource } from '../manifest/source.ts';
import { formatTemplate } from '../output/template.ts';
import { sideRelease } from '../provenance/impact/attribution.ts';
import { inputsOf } from '../provenance/impact/inputs.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import { releaseObjects } from '../provenance/trace/objects.ts';
import { type Capabilities, createCapabilities } from '../values/capabilities.ts';
import { mergeUserValues, type UserValues, type ValuesFile } from '../values/user.ts';
import { type LockedSchemas, schemasFor } from '../vendor/lock/registry.node.ts';
import { decidingText, digestOfFiles, digestOfParts, type RunCache } from './cache.node.ts';
import type { SnapshotFiles } from './compare.ts';
import type { ComparisonSettings } from './compare-rendering.node.ts';
import type { SnapshotCoverage } from './coverage.node.ts';
import { findingsIn } from './findings.ts';
import { normalizeFiles } from './normalize.ts';
import { type CaseFinding, type CaseOutcome, crdsEnding } from './outcome.ts';
import {
  type CaseRendering,
  type Rendered,
  type RenderingRun,
  renderCached,
  renderingOf,
  type SingleRendering,
  type TracedRelease,
} from './rendering.node.ts';

export interface ChartRun extends RenderingRun {
  readonly comparison: Pick<ComparisonSettings, 'explainsFailures'>;
  readonly coverage: SnapshotCoverage;
  /** Values files that override those of each case. Default none. */
  readonly moreValues?: readonly string[] | undefined;
  /** The cases to render. Default all. */
  readonly isWanted?: ((name: string) => boolean) | undefined;
}

/** A readable case. */
interface ReadyCase {
  readonly item: Case;
  readonly given: UserValues & { readonly valuesFiles: readonly ValuesFile[] };
  /** Whether the chart must refuse it. */
  readonly fails: boolean;
  readonly capabilities: Capabilities;
  readonly options: () => InstallOptions;
  readonly host: () => Host;
  /** The texts of its cluster files, by the names in the case. */
  readonly cluster: readonly string[];
}

/** Renders the cases of a chart, and reports those that do not render. Throws RenderError if the chart cannot be read. */
export async function renderChartCases(input: string, run: ChartRun): Promise<CaseRendering> {
  const { settings, io } = run;
  const cases = new ChartCases(resolve(io.cwd, input), run);
  for (const found of casesOf(cases.path, settings.values)) {
    const valuesFiles = [...found.valuesFiles, ...(run.moreValues ?? [])].map((file) => shownFile(file, io));
    const item = { ...found, valuesFiles };
    if (run.isWanted !== undefined && !run.isWanted(item.name)) cases.skip(item);
    else await cases.render(item);
  }
  return cases.rendering(input);
}

class ChartCases {
  readonly path: string;
  readonly #run: ChartRun;
  readonly #helm: Helm;
  readonly #capabilities: Capabilities;
  readonly #schemas: LockedSchemas;
  /** The digest of the chart's files, which are read immediately and parsed on demand. */
  readonly #digest: () => string;
  readonly #chart: () => Chart;
  /** Why the chart is invalid, so that none of its cases renders. */
  #invalid: unknown;
  /** The warnings of loading the chart. */
  readonly #loading: string[] = [];
  readonly #warned = new Set<string>();
  /** The errors that were printed: each is printed once. */
  readonly #printed = new Set<string>();
  readonly #units: SingleRendering[] = [];
  readonly #ready = new Map<string, ReadyCase>();
  readonly #missing: string[] = [];
  readonly #findings: CaseFinding[] = [];
  readonly #outcomes: CaseOutcome[] = [];

  constructor(path: string, run: ChartRun) {
    const { settings, io, cache } = run;
    this.path = path;
    this.#run = run;
    this.#helm = helmOf(helmVersionOf(settings));
    const onWarning = (line: string): void => void this.#loading.push(line);
    const read = readChartPath(path, { helm: this.#helm.name, onWarning, without: cache?.folder });
    this.#digest = lazy(() => digestOfFiles(read.files));
    this.#chart = lazy(() => {
      try {
        return read.load();
      } catch (error) {
        this.#invalid = error;
        throw error;
      }
    });
    this.#schemas = schemasFor([path, io.cwd]);
    this.#capabilities = capabilitiesOf(settings, this.#helm);
    // An invalid chart is reported once instead of for each case.
    if (cache === undefined) this.#chart();
  }

  // A warning of several cases is printed once.
  #warn(line: string): void {
    const { io, onWarning = (text: string): void => io.stderr(`${text}\n`) } = this.#run;
    if (this.#warned.has(line)) return;
    this.#warned.add(line);
    onWarning(line);
  }

  skip({ name }: Case): void {
    this.#missing.push(`${name}.yaml`, `${name}${crdsEnding}`, `${name}.failure.txt`);
  }

  async render(item: Case): Promise<void> {
    const start = performance.now();
    const message = await this.#tryCase(item);
    const milliseconds = message === '' ? (this.#units.at(-1)?.milliseconds ?? 0) : since(start);
    this.#outcomes.push({
      name: item.name,
      valuesFiles: item.valuesFiles,
      status: message === '' ? 'same' : 'fault',
      message,
      milliseconds,
    });
  }

  async #tryCase(item: Case): Promise<string> {
    const { io, comparison } = this.#run;
    let ready: ReadyCase | undefined;
    try {
      ready = await this.#read(item);
      const unit = await this.#unitOf(ready);
      this.#units.push(unit);
      this.#findings.push(...unit.findings.map((one) => ({ ...one, case: item.name, cell: '' })));
      if (!ready.fails) this.#ready.set(item.name, ready);
      return '';
    } catch (error) {
      if (!(error instanceof RenderError) || error === this.#invalid) throw error;
      if (comparison.explainsFailures && ready !== undefined) {
        const options = { ...ready.options(), host: ready.host() };
        const folder = shownPath(this.path, io);
        explainChart(error, { chart: this.#chart(), options, folder, given: ready.given });
      }
      this.#tell(item, error);
      this.skip(item);
      return error.message;
    }
  }

  /** Returns a case from the cache, or renders it. Throws the RenderError of a failed one, cached or not. */
  #unitOf(ready: ReadyCase): Promise<SingleRendering> {
    const { cache } = this.#run;
    return renderCached({
      key: cache && this.#keyOf(ready, cache),
      cache,
      render: (onWarning) => this.#renderReady(ready, onWarning),
      onWarning: (line) => this.#warn(line),
      isCached: (failure) => failure !== this.#invalid,
    });
  }

  #tell({ name, valuesFiles }: Case, error: RenderError): void {
    const { io } = this.#run;
    const input = shownPath(this.path, io);
    const text = formatFailure(error, undefined, input);
    const isKnown = this.#printed.has(text);
    this.#printed.add(text);
    if (valuesFiles.length > 0) {
      const reason = isKnown ? ' for the same reason.' : ':';
      io.stderr(`${input}, case ${name} (${valuesFiles.join(', ')}) does not render${reason}\n`);
    }
    if (!isKnown) io.stderr(text);
  }

  async #read(item: Case): Promise<ReadyCase> {
    const { settings, io } = this.#run;
    const helm = this.#helm;
    const given = { valuesFiles: await readValuesFiles(item.valuesFiles, io, helm), set: settings.set };
    const words = given.valuesFiles.map(({ text, name }) => readCaseWords(text, name));
    const files = words.flatMap(({ cluster }, i) => {
      const folder = dirname(resolve(io.cwd, item.valuesFiles[i] ?? '.'));
      return cluster.map((file) => ({ file, folder }));
    });
    const flagged = { kubeVersion: this.#capabilities.kubeVersion.version, apiVersions: settings.apiVersions };
    const { isUpgrade, ...cluster } = targetOfCase(words, flagged);
    const isOwn = words.some(({ kubeVersion, apiVersions }) => kubeVersion !== undefined || apiVersions.length > 0);
    const capabilities = isOwn ? createCapabilities({ ...cluster, helm }) : this.#capabilities;
    const schemas = this.#schemas.source;
    const options = lazy((): InstallOptions => {
      const values = mergeUserValues(given, helm);
      return { ...installOptions(settings, { helm, values, capabilities, schemas }), isUpgrade };
    });
    return {
      item,
      given,
      fails: words.some(({ fails }) => fails),
      capabilities,
      options,
      host: () => withCluster(seededHostOf(settings), files),
      // An unreadable one is reported when the case is rendered.
      cluster: files.flatMap(({ file, folder }) => [
        file,
        catchGoError(
          () => readTextFile(resolve(folder, file), folder),
          () => '',
        ),
      ]),
    };
  }

  // Everything that decides what is rendered, and nothing else: not the location of files, not the report options.
  #keyOf({ item, given, cluster }: ReadyCase, { program }: RunCache): string {
    const values = given.valuesFiles.flatMap(({ name, text }) => [name, text]);
    const counts = [given.valuesFiles.length, cluster.length].join(' ');
    const deciding = decidingText(this.#run.settings, this.#run.io);
    const head = [program, 'chart', this.#digest(), this.#schemas.digest, item.name, deciding, counts];
    return digestOfParts([...head, ...values, ...cluster]);
  }

  async #renderReady(ready: ReadyCase, onWarning: (line: string) => void): Promise<Rendered> {
    const start = performance.now();
    const run = this.#run;
    this.#chart();
    for (const line of this.#loading) onWarning(line);
    const { plain, twin, release } = this.#renderFiles(ready, onWarning);
    const normalized = normalizeFiles(plain, {
      twin,
      secretKey: run.io.env.DRYDOCK_SECRET_KEY || undefined,
      showSecrets: run.settings.showSecrets,
    });
    const made = { kubeVersion: ready.capabilities.kubeVersion.version, helm: this.#helm.name };
    const milliseconds = since(start);
    const documents = release === undefined ? [] : [...release.crds, ...release.manifests, ...release.hooks];
    const findings = await findingsIn(documents, {
      settings: run.settings,
      kubeVersion: made.kubeVersion,
      traces: () => [this.#traced(ready.item.name, ready).side.objects].filter((one) => one !== undefined),
    });
    return {
      normalized,
      inputs: () => (release === undefined ? {} : { [ready.item.name]: inputsOf(release, made) }),
      milliseconds,
      findings,
    };
  }

  #renderFiles(ready: ReadyCase, onWarning: (line: string) => void): RenderedFiles {
    const { name } = ready.item;
    try {
      return this.#renderCase(ready, onWarning);
    } catch (error) {
      if (!(error instanceof RenderError) || !ready.fails || error.message === mustFail) throw error;
      return { plain: new Map([[`${name}.failure.txt`, `${error.message.trimEnd()}\n`]]) };
    }
  }

  #renderCase(ready: ReadyCase, onWarning: (line: string) => void): RenderedFiles {
    const run = this.#run;
    const { name } = ready.item;
    const chart = this.#chart();
    const options = ready.options();
    const count = run.coverage.counterFor(this.path, chart);
    const watched = observeHost(ready.host());
    const release = count(name, (watches) =>
      runInstall(chart, { ...options, host: watched.host, onWarning, ...watches }),
    );
    if (ready.fails) {
      throw new RenderError('VALUES_INVALID', mustFail, {
        hint: 'Take "# drydock: fails" out of its values file, or fix the chart.',
      });
    }
    const filesOf = (one: RenderedRelease): SnapshotFiles => {
      const crds = run.settings.skipCrds ? '' : one.crds.map(formatSource).join('');
      const files = new Map([[`${name}.yaml`, formatTemplate(one)]]);
      return crds === '' ? files : files.set(`${name}${crdsEnding}`, crds);
    };
    const others = { ...options, host: withOtherRandomness(ready.host()) };
    const twin = watched.usedRandom() ? filesOf(runInstall(chart, others)) : undefined;
    return { plain: filesOf(release), twin, release };
  }

  rendering(input: string): CaseRendering {
    const run = this.#run;
    return renderingOf(this.#units, {
      cases: this.#outcomes,
      findings: this.#findings,
      missing: this.#missing,
      namespace: run.settings.namespace,
      folder: input.endsWith('.tgz') ? '' : shownPath(this.path, run.io),
      traced: async ([file = '']) => {
        const key = file.replace(/(?:\.crds)?\.yaml$/, '');
        const known = this.#ready.get(key);
        return known === undefined ? undefined : this.#traced(key, known);
      },
    });
  }

  readonly #traces = new Map<string, TracedRelease>();

  #traced(key: string, ready: ReadyCase): TracedRelease {
    const known = this.#traces.get(key);
    if (known !== undefined) return known;
    const chart = this.#chart();
    const trace = createTrace();
    const release = runInstall(chart, { ...ready.options(), host: ready.host(), trace });
    const folder = shownPath(this.path, this.#run.io);
    const objects = releaseObjects({ ...release, trace }, { chart, folder, given: ready.given });
    const traced = { key, ...sideRelease(release, objects, ready.capabilities.kubeVersion.version) };
    this.#traces.set(key, traced);
    return traced;
  }
}

interface RenderedFiles {
  readonly plain: SnapshotFiles;
  /** With other random values, if any were used. */
  readonly twin?: SnapshotFiles | undefined;
  /** Undefined for a case that fails as expected. */
  readonly release?: RenderedRelease;
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

const mustFail = 'the chart renders, but its values file expects it to fail';

// Relative to the current folder, so that all machines print the same; `-` is standard input.
function shownFile(file: string, io: RunIo): string {
  return file.trim() === '-' ? file : relative(io.cwd, resolve(io.cwd, file)).split(sep).join('/');
}

// A fake cluster for `lookup`, with the objects of all files. Each is relative to its folder.
function withCluster(host: Host, files: readonly { readonly file: string; readonly folder: string }[]): Host {
  if (files.length === 0) return host;
  try {
    const objects = files.flatMap(({ file, folder }) =>
      readObjects({ path: file, content: readTextFile(resolve(folder, file), folder) }),
    );
    return { ...host, lookup: (...words) => find(objects, words) };
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new RenderError('VALUES_INVALID', error.message, {
      cause: error,
      hint: 'Name a file of objects, from the folder of the values file: "# drydock: cluster FILE".',
    });
  }
}

function find(
  objects: readonly GoMap[],
  [apiVersion, kind, namespace, name]: Parameters<Host['lookup']>,
): GoMap | undefined {
  const items = objects.filter((object) => {
    const metadata = member(object, 'metadata');
    const isKind = textMember(object, 'apiVersion') === apiVersion && textMember(object, 'kind') === kind;
    const isThere = namespace === '' || textMember(metadata, 'namespace') === namespace;
    return isKind && isThere && (name === '' || textMember(metadata, 'name') === name);
  });
  if (name !== '') return items[0];
  if (items.length === 0) return undefined;
  return new Map<string, GoValue>([
    ['apiVersion', apiVersion],
    ['kind', `${kind}List`],
    ['items', items],
  ]);
}
