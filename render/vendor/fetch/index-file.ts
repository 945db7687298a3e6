// The index.yaml of a repository: the versions of its charts, and their URLs.
// Mirrors: helm.sh/helm/v3, pkg/repo, index.go.

import { parseYamlMap } from '../../codec/yaml/parse.ts';
import { asLimit } from '../../core/limits.ts';
import { isVersion } from '../../go/semver.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { VendorError } from './errors.ts';
import { parseUrl } from './url.ts';

/** A version of a chart in an index. */
export interface IndexEntry {
  readonly version: string;
  /** The URLs of the archive; relative ones start from the repository. */
  readonly urls: readonly string[];
  /** `sha256:…`; undefined if the index has no well-formed digest. */
  readonly digest: string | undefined;
}

/** The index of a repository. */
export interface RepositoryIndex {
  /** Returns the valid versions of a chart, in index order; undefined for an unknown chart. */
  readonly versionsOf: (name: string) => readonly IndexEntry[] | undefined;
  /** Returns the names of its charts. */
  readonly names: () => readonly string[];
}

/** Parses an index; `url` is its repository in messages. Throws ANSWER_INVALID. */
export function readIndex(text: string, url: string): RepositoryIndex {
  let whole: ReadonlyMap<string, GoValue> | undefined;
  const entries = (): ReadonlyMap<string, GoValue> => {
    whole ??= entriesOf(text, url);
    return whole;
  };
  // An index can have megabytes for the one chart that is needed: only its part is parsed if its bounds are certain.
  const lines = text.startsWith('{') ? undefined : partsOf(text);
  if (lines === undefined) entries();
  return {
    versionsOf: (name) => {
      const part = lines?.get(name);
      if (lines !== undefined && part === undefined) return undefined;
      const list = (part === undefined ? undefined : readPart(part, name)) ?? entries().get(name);
      if (list === undefined) return undefined;
      return Array.isArray(list) ? list.flatMap(readEntry) : [];
    },
    names: () => [...(lines ?? entries()).keys()],
  };
}

function entriesOf(text: string, url: string): ReadonlyMap<string, GoValue> {
  let fault = 'has no entries';
  try {
    const index = text.startsWith('{') ? fromJson(JSON.parse(text), 6) : parseYamlMap(text);
    const entries = index instanceof Map ? index.get('entries') : undefined;
    if (entries instanceof Map) return entries;
    // A repository without charts.
    if (index instanceof Map && index.has('apiVersion') && (entries === null || entries === undefined))
      return new Map();
  } catch (error) {
    const limit = asLimit(error);
    if (!(error instanceof GoError || error instanceof SyntaxError) && limit === undefined) throw error;
    fault = limit?.problem ?? (error as Error).message;
  }
  throw new VendorError('ANSWER_INVALID', `${url}: what it serves as index.yaml is none: ${fault}`, {
    hint: 'Correct the address: it is the folder that holds the index.yaml.',
  });
}

// Nothing relevant is deeper than the URLs of a version.
function fromJson(value: unknown, depth: number): GoValue {
  if (typeof value !== 'object' || value === null) return value as GoValue;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => fromJson(item, depth - 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item, depth - 1)]));
}

// The format that Helm writes: `entries:`, names indented by two, lists below. Other formats are parsed entirely.
function partsOf(text: string): ReadonlyMap<string, string> | undefined {
  const start = /^entries:[ \t]*\r?\n/m.exec(text);
  if (start === null || /^(?:%|---[ \t]*\S)|[&*!]\w+[ \t]*$/m.test(text)) return undefined;
  const parts = new Map<string, string>();
  const name = /^ {2}([A-Za-z0-9][\w.-]*):[ \t]*\r?$/gm;
  name.lastIndex = start.index + start[0].length;
  const after = /^[^\s#]/gm;
  after.lastIndex = name.lastIndex;
  const end = after.exec(text)?.index ?? text.length;
  let open: { readonly name: string; readonly at: number } | undefined;
  for (let match = name.exec(text); match !== null && match.index < end; match = name.exec(text)) {
    if (open !== undefined) parts.set(open.name, text.slice(open.at, match.index));
    if (parts.has(match[1]!)) return undefined;
    open = { name: match[1]!, at: match.index };
  }
  if (open !== undefined) parts.set(open.name, text.slice(open.at, end));
  // Something else is indented by two: quoted names, or inline values.
  const inner = text.slice(start.index + start[0].length, end);
  const known = (inner.match(/^ {2}[^\s#-]/gm) ?? []).length;
  return known === parts.size && (parts.size > 0 || inner.trim() === '') ? parts : undefined;
}

function readPart(part: string, name: string): GoValue | undefined {
  try {
    return parseYamlMap(part).get(name);
  } catch (error) {
    if (error instanceof GoError || asLimit(error) !== undefined) return undefined;
    throw error;
  }
}

// Entries that Helm cannot read as a version of a chart are skipped.
function readEntry(item: GoValue): IndexEntry[] {
  if (!(item instanceof Map)) return [];
  const version = item.get('version');
  const urls = item.get('urls');
  const digest = item.get('digest');
  if (typeof version !== 'string' || !isVersion(version)) return [];
  const hex = typeof digest === 'string' ? /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest.trim())?.[1] : undefined;
  return [
    {
      version,
      urls: (Array.isArray(urls) ? urls : []).filter((url): url is string => typeof url === 'string' && url !== ''),
      digest: hex === undefined ? undefined : `sha256:${hex.toLowerCase()}`,
    },
  ];
}

/**
 * Returns the URL of a chart from its repository's and its index entry.
 * Mirrors: `ResolveReferenceURL`.
 */
export function resolveChartUrl(repository: string, reference: string): string {
  if (/^[a-z][-+.a-z0-9]*:/i.test(reference)) return reference;
  const base = parseUrl(repository);
  const { search } = base;
  base.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/`;
  base.search = '';
  const resolved = parseUrl(reference, base);
  if (search !== '') resolved.search = search;
  return resolved.href;
}

/** Returns the URL of a repository's index. */
export function indexUrl(repository: string): string {
  return resolveChartUrl(repository, 'index.yaml');
}
