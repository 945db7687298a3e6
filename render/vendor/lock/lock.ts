// drydock.lock: the archive for each chart in Orders. Reading reports all problems; the format is readable for people.

import { type ChartRef, mirrorPath, pickCandidate } from '../../chart/registry.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { andMore } from '../../core/counted.ts';
import { RenderError } from '../../core/errors.ts';
import { limitIn } from '../../core/limits.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { compareStrings, GoError, type GoValue } from '../../go/value.ts';
import { isOciUrl, isUrl } from '../../order/names.ts';

/** The place that a chart comes from, by the way in which it is fetched. */
type SourceOrigin =
  /** A repository with an index.yaml. */
  | { readonly kind: 'index'; readonly url: string }
  /** A chart in an OCI registry; `url` names the chart itself, such as `oci://registry.example.com/charts/web`. */
  | { readonly kind: 'oci'; readonly url: string }
  /** A repository by its name in Helm's repositories.yaml. */
  | { readonly kind: 'named'; readonly repository: string }
  /** A path on this machine. */
  | { readonly kind: 'path'; readonly path: string }
  /** A chart that ships with drydock, or lies in a folder of charts. */
  | { readonly kind: 'embed' };

/** Returns the place that a reference names. */
export function sourceOrigin({ name, sourceRef }: ChartRef): SourceOrigin {
  const source = sourceRef.name;
  if (sourceRef.kind === 'Embed') return { kind: 'embed' };
  if (isOciUrl(source)) return { kind: 'oci', url: ociAddress(source, name, sourceRef.kind === 'OCIRepository') };
  if (isUrl(source)) return { kind: 'index', url: source };
  if (sourceRef.kind === 'Local' || sourceRef.kind === 'Legacy') return { kind: 'path', path: source };
  return { kind: 'named', repository: source };
}

/**
 * Returns the address of a chart in a registry. A HelmRepository names the place where charts lie, an OCIRepository may name
 * the chart itself.
 */
export function ociAddress(source: string, name: string, mayBeChart: boolean): string {
  const address = source.replace(/(?<!\/)\/+$/, '');
  return mayBeChart && address.endsWith(`/${name}`) ? address : `${address}/${name}`;
}

/**
 * Returns the text by which a lock knows a source: no user, no query, no slash at the end, the host in small letters. Names
 * and paths stay as they are, without `./`.
 */
export function sourceKey(source: string): string {
  const url = /^([a-z][-+.a-z0-9]*):\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/i.exec(source);
  if (url === null) return source.replace(/^(?:\.\/+)+(?=.)/, '').replace(/(?<=^\/|[^/])\/+$/, '');
  const [, scheme = '', host = '', path = ''] = url;
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${path.replace(/(?<!\/)\/+$/, '')}`;
}

/** Returns a URL as it may be shown and written down: without user, password, query and fragment. */
export function publicUrl(url: string): string {
  return url.replace(/^([a-z][-+.a-z0-9]*:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}

/** Returns where an archive lies below the folder of charts: `host/path/name-version.tgz`. */
export function archivePath(
  url: string,
  { name, version }: { readonly name: string; readonly version: string },
): string {
  const steps = (mirrorPath(publicUrl(url)) ?? url)
    .split('/')
    .filter((step) => step !== '' && step !== '.' && step !== '..')
    .map((step) => step.replace(/[^\w.+-]/g, '_'));
  const safeVersion = version.replace(/[^\w.+-]/g, '_');
  return [...steps, `${name}-${safeVersion}.tgz`].join('/');
}

/** A lock entry of a chart. */
export interface LockedChart {
  /** The source in the Order: a URL without user and query, a repository's name, or a path. */
  readonly source: string;
  readonly name: string;
  /** The version or constraint in the Order; empty for the newest. */
  readonly asked: string;
  readonly version: string;
  /** The URL of a source that is a name. */
  readonly repository?: string;
  /** The URL of the archive. */
  readonly url?: string;
  /** The archive's path below the folder of charts. */
  readonly archive: string;
  /** The SHA-256 of the archive, with the prefix `sha256:`. */
  readonly digest: string;
  /** The digest of the manifest, for a chart of an OCI registry. */
  readonly manifest?: string;
}

/** A lock entry of a schema that a values.schema.json refers to by URL. */
export interface LockedSchema {
  readonly url: string;
  /** Its path below the folder of charts. */
  readonly file: string;
  /** The SHA-256 of the file, with the prefix `sha256:`. */
  readonly digest: string;
}

/** A member of a lock entry. */
interface LockField<Entry = LockedChart> {
  readonly name: keyof Entry & string;
  /** The pattern of valid values. */
  readonly pattern: string;
  /** The same in words, after `must be`. */
  readonly must: string;
  readonly isRequired: boolean;
}

type Rule = Pick<LockField, 'pattern' | 'must'>;

const text = '^[^\\p{Cc}]*$';
const publicAddress: Rule = { pattern: '^(?:https?|oci)://[^\\s?#]+$', must: 'a URL without a query' };
const schemaAddress: Rule = { pattern: '^https?://[^\\s#]+$', must: 'a URL without a fragment' };
const digest: Rule = { pattern: '^sha256:[0-9a-f]{64}$', must: 'a digest such as sha256:9f86…' };
const pathBelow = (extension: 'tgz' | 'json', what: string): Rule => ({
  pattern: `^(?!/)(?!(?:.*/)?\\.\\.?(?:/|$))[^\\\\\\p{Cc}]+\\.${extension}$`,
  must: `the path of a .${extension} ${what} below the folder`,
});

/** The members, in the order in which they are written. */
const lockFields: readonly LockField[] = [
  { name: 'source', isRequired: true, pattern: text, must: 'a text' },
  { name: 'name', isRequired: true, pattern: '^[A-Za-z0-9][\\w.-]*$', must: "a chart's name" },
  { name: 'asked', isRequired: true, pattern: text, must: 'a version or a constraint' },
  { name: 'version', isRequired: true, pattern: '^v?[0-9][0-9A-Za-z.+-]*$', must: 'a version' },
  { name: 'repository', isRequired: false, ...publicAddress },
  { name: 'url', isRequired: false, ...publicAddress },
  { name: 'archive', isRequired: true, ...pathBelow('tgz', 'archive') },
  { name: 'digest', isRequired: true, ...digest },
  { name: 'manifest', isRequired: false, ...digest },
];

/** The members of a schema, in the order in which they are written. */
const schemaFields: readonly LockField<LockedSchema>[] = [
  { name: 'url', isRequired: true, ...schemaAddress },
  { name: 'file', isRequired: true, ...pathBelow('json', 'file') },
  { name: 'digest', isRequired: true, ...digest },
];

export const lockName = 'drydock.lock';

/** A lock file: the folder of charts beside it, and its sorted entries. */
export interface Lock {
  readonly folder: string;
  readonly charts: readonly LockedChart[];
  /** Schemas that values.schema.json files refer to by URL. Default none. */
  readonly schemas?: readonly LockedSchema[];
}

/** Returns charts once for each request: the last of several. */
export function distinctCharts<T extends Pick<LockedChart, 'source' | 'name' | 'asked'>>(charts: readonly T[]): T[] {
  return uniqueBy(charts, ({ source, name, asked }) => JSON.stringify([source, name, asked]));
}

/** Returns the sort order of charts: by source, name and request. */
export function compareLocked(a: LockedChart, b: LockedChart): number {
  return compareStrings(a.source, b.source) || compareStrings(a.name, b.name) || compareStrings(a.asked, b.asked);
}

/** Formats a lock file: one line for each fact, deterministic. */
export function formatLock({ folder, charts, schemas = [] }: Lock): string {
  const lines = [
    '# Which archive stands for each chart. `drydock vendor` writes it: keep it with the Orders.',
    'lockVersion: 1',
    `folder: ${scalar(folder)}`,
    charts.length === 0 ? 'charts: []' : 'charts:',
    ...[...charts].sort(compareLocked).flatMap((chart) => entryLines(chart, lockFields)),
  ];
  if (schemas.length > 0) {
    const sorted = [...schemas].sort((a, b) => compareStrings(a.url, b.url));
    lines.push('schemas:', ...sorted.flatMap((schema) => entryLines(schema, schemaFields)));
  }
  return `${lines.join('\n')}\n`;
}

function entryLines<Entry extends object>(entry: Entry, fields: readonly LockField<Entry>[]): string[] {
  const known = fields.filter(({ name }) => entry[name] !== undefined);
  return known.map(({ name }, index) => `  ${index === 0 ? '-' : ' '} ${name}: ${scalar(String(entry[name]), name)}`);
}

// Unquoted if every YAML parser reads it as a text.
function scalar(text: string, name?: string): string {
  const isPlain = /^[A-Za-z][\w./:@%~+-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$|:$/i.test(text);
  return isPlain && name !== 'version' && name !== 'asked' ? text : JSON.stringify(text);
}

/** Parses a lock file; `file` is its name in messages. Throws CHART_INVALID with all problems. */
export function parseLock(text: string, file = lockName): Lock {
  const faults: string[] = [];
  const root = readMap(text, file);
  const version = root.get('lockVersion');
  if (String(version ?? '') !== '1') {
    throw lockInvalid(file, [`lockVersion is ${shown(version)}, and this drydock knows 1`]);
  }
  const folder = root.get('folder');
  if (typeof folder !== 'string' || !/^[^/\\\p{Cc}]+$/u.test(folder) || /^\.\.?$/.test(folder)) {
    faults.push('folder must be the name of a folder beside the lock');
  }
  const entries = <Entry>(key: string, fields: readonly LockField<Entry>[], otherwise?: []): Entry[] => {
    const list = root.get(key) ?? otherwise;
    if (!Array.isArray(list)) faults.push(`${key} must be a list`);
    return (Array.isArray(list) ? list : []).map((item, index) =>
      readEntry(item, `${key}[${index}]`, { fields, faults }),
    );
  };
  const charts = entries('charts', lockFields);
  const schemas = entries('schemas', schemaFields, []);
  if (faults.length > 0) throw lockInvalid(file, faults);
  const sorted = { folder: folder as string, charts: charts.sort(compareLocked) };
  return schemas.length === 0 ? sorted : { ...sorted, schemas };
}

function readMap(text: string, file: string): ReadonlyMap<string, GoValue> {
  try {
    return parseYamlMap(text);
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(file, error);
    const isConflict = /^(?:<{7}|={7}|>{7})/m.test(text);
    const fault = isConflict ? 'holds the marks of a merge that is not finished' : error.message;
    throw lockInvalid(file, [fault], error.place);
  }
}

function readEntry<Entry>(
  item: GoValue,
  path: string,
  { fields, faults }: { readonly fields: readonly LockField<Entry>[]; readonly faults: string[] },
): Entry {
  const members: ReadonlyMap<string, GoValue> = item instanceof Map ? item : new Map();
  if (!(item instanceof Map)) faults.push(`${path} must be a mapping`);
  const entry: Record<string, string> = {};
  for (const field of item instanceof Map ? fields : []) {
    const value = members.get(field.name);
    const fault = faultOf(field, value);
    if (fault !== undefined) faults.push(`${path}.${field.name} ${fault}`);
    else if (typeof value === 'string') entry[field.name] = value;
  }
  return entry as Entry;
}

function faultOf(
  { pattern, must, isRequired }: Pick<LockField, 'pattern' | 'must' | 'isRequired'>,
  value: GoValue | undefined,
): string | undefined {
  if (value === undefined) return isRequired ? 'is missing' : undefined;
  if (typeof value !== 'string') return `must be ${must} in quotes`;
  return new RegExp(pattern, 'u').test(value)
    ? undefined
    : `must be ${must}, not ${JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)}`;
}

function shown(value: GoValue | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(String(value));
}

function lockInvalid(
  file: string,
  faults: readonly string[],
  at: { readonly line?: number; readonly column?: number } = {},
): RenderError {
  const more = andMore(faults.length - 1);
  return new RenderError('CHART_INVALID', `${file}: ${faults[0]}${more}`, {
    place: { file, ...at },
    issues: faults.map((message) => ({ path: file, message, severity: 'error' as const })),
    hint: 'Take the last good one, or remove it and run `drydock vendor` again.',
  });
}

/**
 * Returns the lock entry for a reference: with this source and name, and exactly this request, else the best version that matches.
 * Undefined if there is none.
 */
export function findLocked(lock: Lock, ref: ChartRef): LockedChart | undefined {
  const fitting = ofSource(lock, ref);
  return fitting.find(({ asked }) => asked === ref.version) ?? pickCandidate(fitting, ref.version);
}

/** Returns all lock entries with the source and the name of a reference. */
export function ofSource(lock: Lock, ref: ChartRef): readonly LockedChart[] {
  const source = sourceKey(ref.sourceRef.name);
  return lock.charts.filter((chart) => chart.source === source && chart.name === ref.name);
}
