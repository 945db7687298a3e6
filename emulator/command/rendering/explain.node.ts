// `drydock explain`: why a line of what is rendered is what it is.

import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { joinPath } from '../../../render/arguments.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { parseYamlExact } from '../../../render/codec/yaml/parse.ts';
import { RenderError } from '../../../render/errors.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { realHost } from '../../../render/host.ts';
import type { Manifest } from '../../../render/manifest/sort.ts';
import { formatSource, type SourcedDocument } from '../../../render/manifest/source.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { type RenderedPackage, tryOrder } from '../../../render/plan.ts';
import { type RenderedRelease, renderRelease } from '../../../render/release.ts';
import { suggest } from '../../../render/suggest.ts';
import { Trace } from '../../../render/template/trace.ts';
import { explainLine } from '../../../render/trace/explain.ts';
import { documentLine, memberLines, readPath } from '../../../render/trace/object.ts';
import {
  type ExplainedLine,
  explanationJson,
  explanationText,
  marginText,
  type SettersOf,
} from '../../../render/trace/report.ts';
import { fileSetter, type Setter, type Steps, settersOf, userSetters } from '../../../render/trace/setters.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues, type UserValues } from '../../../render/values/user.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext, CommandIo } from '../io.ts';
import { type OrderInput, readOrderFile, tellFailure } from './order-input.node.ts';
import { locateChart, majorOf, readTextFile, readValuesFiles } from './read.node.ts';

/** A release that was traced. */
interface TracedRelease {
  readonly release: RenderedRelease;
  readonly trace: Trace;
  readonly settersOf: SettersOf;
}

/** Explains a line, a member or a whole object. Gives 1 where the input is at fault. Throws UsageError, RenderError. */
export async function explainCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, object, path, ...more] = flags.args;
  if (input === undefined || more.length > 0) {
    throw new UsageError(
      '"drydock explain" takes an Order or a chart, an object such as Deployment/web, and a path in it',
    );
  }
  const line = flags.text('line');
  if ((line === undefined) === (object === undefined)) throw new UsageError('name an object, or a line with --line');
  const isChart = input.endsWith('.tgz') || isFolder(resolve(io.cwd, input));
  if (line !== undefined && !isChart)
    throw new UsageError('--line takes a line of what "drydock template" prints: name a chart');
  let order: OrderInput | undefined;
  try {
    if (!isChart) order = await readOrderFile(input, flags, io);
    const releases = order === undefined ? [await traceChart(input, flags, io)] : await traceOrder(order);
    const found = line === undefined ? findObject(releases, object ?? '') : findLine(releases, Number(line));
    tell(found, { path: line === undefined ? path : undefined, flags, io });
    return 0;
  } catch (error) {
    return tellFailure(error, order?.text, io, input);
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

async function traceChart(input: string, flags: ParsedFlags, io: CommandIo): Promise<TracedRelease> {
  const helm = helmOf(majorOf(flags));
  const path = locateChart(input, io.cwd);
  const chart = await loadChartPath(path, { helm: helm.major, onWarning: () => {} });
  const given: UserValues = {
    valuesFiles: await readValuesFiles(flags.list('values'), io, helm),
    setJson: flags.list('set-json'),
    set: flags.list('set'),
    setString: flags.list('set-string'),
    setFile: flags.list('set-file'),
    setLiteral: flags.list('set-literal'),
    readFile: (name) => readTextFile(name, io.cwd),
  };
  const trace = new Trace();
  const release = renderRelease(chart, {
    helm,
    name: flags.text('release') || 'release-name',
    namespace: flags.text('namespace') || 'default',
    values: mergeUserValues(given, helm),
    capabilities: createCapabilities({
      helm,
      kubeVersion: flags.text('kube-version') ?? '',
      apiVersions: flags.list('api-versions'),
    }),
    isUpgrade: flags.on('is-upgrade'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    host: realHost(io.env.TZ),
    trace,
  });
  const folder = relative(io.cwd, path).split(sep).join('/') || '.';
  const user = (steps: Steps): Setter[] => userSetters(given, steps);
  return { release, trace, settersOf: (steps) => settersOf(chart, steps, { folder, user }) };
}

async function traceOrder({ text, options }: OrderInput): Promise<TracedRelease[]> {
  const { order } = validateOrder(text.value);
  const { plan, failures } = await tryOrder(order, options, { isTraced: true });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return plan.packages.map((item) => ({
    release: item.release,
    trace: item.trace as Trace,
    settersOf: (steps) =>
      settersOf(item.chart, steps, { folder: item.chart.metadata.name, user: orderSetters(item, text) }),
  }));
}

// The operations of the patch, the last first, then the values, then the values file of the chart.
function orderSetters(
  { selection, chart }: RenderedPackage,
  { placeOf }: OrderInput['text'],
): (steps: Steps) => Setter[] {
  const { chart: chosen, path } = selection;
  const placed = (member: string): Setter => {
    const { file, line, column } = placeOf(member);
    return { where: file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  };
  return (steps) => {
    const patch = chosen.valuesPatch
      .map((operation, at) => ({ operation, member: joinPath(joinPath(joinPath(path, 'chart'), 'valuesPatch'), at) }))
      .filter(({ operation: { op, path: target } }) => op !== 'test' && op !== 'remove' && leadsTo(target, steps));
    const values = userSetters({ values: chosen.values }, steps).map(() =>
      placed(steps.reduce<string>((at, step) => joinPath(at, step), joinPath(joinPath(path, 'chart'), 'values'))),
    );
    const file = chart.files.find(({ name }) => name === chosen.valuesFile);
    const inFile =
      file === undefined
        ? []
        : fileSetter({ name: `${chart.metadata.name}/${file.name}`, text: decodeUtf8(file.data) }, steps);
    return [...patch.reverse().map(({ member }) => placed(member)), ...values, ...inFile];
  };
}

function leadsTo(pointer: string, steps: Steps): boolean {
  const tokens = pointer.split('/').slice(1);
  return tokens.every((token, at) => token.replaceAll('~1', '/').replaceAll('~0', '~') === String(steps[at]));
}

interface Found extends TracedRelease {
  readonly document: SourcedDocument;
  /** Lines of the document, from 1. */
  readonly lines?: readonly [first: number, last: number];
}

function findObject(releases: readonly TracedRelease[], word: string): Found {
  const all = releases.flatMap((traced) =>
    [...traced.release.manifests, ...traced.release.hooks].map((document) => ({
      ...traced,
      document,
      name: nameOf(document, traced.release),
    })),
  );
  const wanted = word.toLowerCase();
  const found = all.filter(({ document, name }) => {
    return [name, `${document.kind}/${document.name}`].some((title) => title.toLowerCase() === wanted);
  });
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const names = (found.length === 0 ? all : found).map(({ name }) => name);
  const meant = suggest(
    word,
    found.length === 0 ? all.flatMap(({ name, document }) => [name, `${document.kind}/${document.name}`]) : [],
  );
  const message =
    found.length === 0 ? `nothing rendered is called ${word}` : `${found.length} objects are called ${word}`;
  throw new RenderError('MANIFEST_INVALID', message, {
    mend: meant === undefined ? `The objects are ${names.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

function nameOf({ kind, name, content }: Manifest, { namespace }: RenderedRelease): string {
  const object = parseYamlExact(`${content}\n`, () => true);
  const metadata = object instanceof Map ? object.get('metadata') : undefined;
  const own = metadata instanceof Map ? (metadata as GoMap).get('namespace') : undefined;
  return `${kind}/${typeof own === 'string' ? own : namespace}/${name}`;
}

// As `drydock template` prints them: each document under a separator and a line that names its source.
function findLine([traced]: readonly TracedRelease[], line: number): Found {
  if (traced === undefined || !Number.isInteger(line) || line < 1)
    throw new UsageError('--line takes a whole number from 1');
  const { manifests, hooks } = traced.release;
  let before = 0;
  for (const document of [...manifests, ...hooks]) {
    const count = formatSource(document).split('\n').length - 1;
    const at = line - before - 2;
    if (line <= before + count) {
      if (at < 1)
        throw new RenderError('MANIFEST_INVALID', `line ${line} names the source of a document: ${document.path}`);
      return { ...traced, document, lines: [at, at] };
    }
    before += count;
  }
  throw new RenderError('MANIFEST_INVALID', `there are ${before} lines, and no line ${line}`);
}

function tell(
  found: Found,
  { path, flags, io }: { readonly path: string | undefined; readonly flags: ParsedFlags; readonly io: CommandContext },
): void {
  const { document, release, trace } = found;
  const text = trace.files.get(document.path);
  if (text === undefined) throw new Error(`${document.path} was not traced`);
  const content = document.content.split('\n');
  const [first, last] = found.lines ?? linesAt(document, path) ?? [1, content.length];
  const start = documentLine(text, document.content);
  const lines: ExplainedLine[] = content.slice(first - 1, last).map((shown, at) => ({
    line: first + at,
    text: shown,
    parts: explainLine(text, start + first + at - 1, release.values),
  }));
  const [only] = lines;
  if (flags.on('json')) io.stdout(explanationJson(lines, found.settersOf));
  else if (lines.length === 1 && only !== undefined) io.stdout(explanationText(only, found.settersOf));
  else io.stdout(marginText(lines));
}

function linesAt({ content }: SourcedDocument, path: string | undefined): readonly [number, number] | undefined {
  if (path === undefined) return undefined;
  const lines = memberLines(content, readPath(path));
  if (lines !== undefined) return lines;
  throw new RenderError('MANIFEST_INVALID', `the object has no ${path}`, {
    mend: 'Write a path as in spec.containers[0].image or metadata.annotations["example.com/a"].',
  });
}
