// drydock.lock: the archive for each chart in Orders. Reading reports all problems; the format is readable for people.

import { type ChartRef, mirrorPath, pickCandidate } from '../../chart/registry.ts';
import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { andMore } from '../../core/counted.ts';
import { RenderError } from '../../core/errors.ts';
import { limitIn } from '../../core/limits.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { compareStrings, GoError, type GoValue } from '../../go/value.ts';
import { isOciUrl, isUrl } from '../../order/names.ts';

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

interface LockField {
  /** The pattern of valid values. */
  readonly pattern: RegExp;
  readonly isOptional?: boolean;
}

/** The members of an entry, in the order in which they are written. */
type LockFields<Entry> = Readonly<Record<keyof Entry & string, LockField>>;

const text: LockField = { pattern: /^[^\p{Cc}]*$/u };
const publicAddress: LockField = { pattern: /^(?:https?|oci):\/\/[^\s?#]+$/, isOptional: true };
const digest: LockField = { pattern: /^sha256:[0-9a-f]{64}$/ };
const pathBelow: LockField = {
  pattern: /^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\\\p{Cc}]+\.(?:tgz|json)$/u,
};
const lockFields: LockFields<LockedChart> = {
  source: text,
  name: { pattern: /^[A-Za-z0-9][\w.-]*$/ },
  asked: text,
  version: { pattern: /^v?[0-9][0-9A-Za-z.+-]*$/ },
  repository: publicAddress,
  url: publicAddress,
  archive: pathBelow,
  digest,
  manifest: { ...digest, isOptional: true },
};
const schemaFields: LockFields<LockedSchema> = {
  url: { pattern: /^https?:\/\/[^\s#]+$/ },
  file: pathBelow,
  digest,
};

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

function entryLines<Entry extends object>(entry: Entry, fields: LockFields<Entry>): string[] {
  return Object.keys(fields)
    .map((name) => [name, entry[name as keyof Entry]] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value], index) => `  ${index === 0 ? '-' : ' '} ${name}: ${scalar(String(value), name)}`);
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
  const charts = readEntries('charts', root.get('charts'), { fields: lockFields, faults });
  const schemas = readEntries('schemas', root.get('schemas') ?? [], { fields: schemaFields, faults });
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
    const fault = isConflict ? 'contains merge conflict markers' : error.message;
    throw lockInvalid(file, [fault], error.place);
  }
}

function readEntries<Entry>(
  key: string,
  list: GoValue | undefined,
  { fields, faults }: { readonly fields: LockFields<Entry>; readonly faults: string[] },
): Entry[] {
  if (!Array.isArray(list)) faults.push(`${key} must be a list`);
  return (Array.isArray(list) ? list : []).map((item, index) => {
    const entry: Record<string, string> = {};
    for (const [name, { pattern, isOptional = false }] of Object.entries<LockField>(fields)) {
      const value = item instanceof Map ? item.get(name) : undefined;
      const path = `${key}[${index}].${name}`;
      if (typeof value !== 'string') {
        if (value !== undefined) faults.push(`${path} must be a string in quotes`);
        else if (!isOptional) faults.push(`${path} is missing`);
      } else if (pattern.test(value)) entry[name] = value;
      else faults.push(`${path} is not valid: ${JSON.stringify(value.slice(0, 200))}`);
    }
    return entry as Entry;
  });
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
    hint: 'Restore the last valid version, or remove the file and run `drydock vendor` again.',
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
