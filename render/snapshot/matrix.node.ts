// `--kube-version 1.29,1.31 --with-api-versions a/v1 --with-values b.yaml`: the snapshot is that of the first version alone, with the
// differences of each other matrix entry.

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { attempt } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { groupBy } from '../core/group-by.ts';
import { memo } from '../core/lazy.ts';
import { uniqueBy } from '../core/unique-by.ts';
import { UsageError } from '../core/usage-error.ts';
import { acceptsVersion, chooseVersions } from '../engine/kube-versions.ts';
import { helmOf } from '../helm/versions.ts';
import { listKubeVersions } from '../inputs/kube-versions.ts';
import { helmVersionOf, type RenderSettings } from '../inputs/settings.ts';
import { contentDigest } from './cache.node.ts';
import type { SnapshotFiles } from './compare.ts';
import { type CaseFinding, type CaseOutcome, crdsEnding } from './outcome.ts';
import type { CaseRendering, WholeFiles } from './rendering.node.ts';

export interface MatrixEntryName {
  /** As requested, such as `1.31`; undefined if none was. */
  readonly version: string | undefined;
  /** Its additional API versions; empty for the first entry of a version. */
  readonly apis: readonly string[];
  /** The values files that override those of each case, as given; later ones override earlier ones. */
  readonly values: readonly string[];
}

/** Returns the requested entries, the first one first. Throws UsageError for an invalid one. */
export function matrixOf(settings: RenderSettings): readonly [MatrixEntryName, ...MatrixEntryName[]] {
  const [version, ...versions] = listKubeVersions(settings);
  const apiSets = [[], ...apiSetsOf(settings)];
  const valueSets = [[], ...valueSetsOf(settings)];
  const cells = [version, ...versions].flatMap((one) =>
    apiSets.flatMap((apis) => valueSets.map((values): MatrixEntryName => ({ version: one, apis, values }))),
  );
  return cells as [MatrixEntryName, ...MatrixEntryName[]];
}

/**
 * Returns the entries of an input whose charts have these `kubeVersion` ranges, an accepted version first. A refused version is still
 * rendered once, so that it is reported and recorded. By default, the version is the nearest one that the charts accept.
 */
export function matrixForRanges(
  cells: readonly [MatrixEntryName, ...MatrixEntryName[]],
  ranges: readonly string[],
  settings: RenderSettings,
): readonly [MatrixEntryName, ...MatrixEntryName[]] {
  const helm = helmOf(helmVersionOf(settings));
  if (cells[0].version === undefined) {
    const [version] = chooseVersions(ranges, [], helm).accepted;
    const [first, ...others] = cells;
    return [{ ...first, version }, ...others.map((cell) => ({ ...cell, version }))];
  }
  const accepts = ({ version }: MatrixEntryName): boolean => acceptsVersion(ranges, version, helm);
  const [first, ...others] = cells.filter(accepts);
  if (first === undefined) return cells;
  const refused = cells.filter((cell) => !accepts(cell) && cell.apis.length + cell.values.length === 0);
  return [first, ...others, ...refused];
}

/** Returns the values files of the entries in addition to those of the cases: a list for each entry. Throws UsageError. */
export function valueSetsOf({ withValues }: Pick<RenderSettings, 'withValues'>): string[][] {
  const sets = new Map<string, string[]>();
  for (const word of withValues) {
    const files = word.split(',').map((file) => file.trim());
    if (files.some((file) => file === '' || file === '-')) {
      throw new UsageError(
        `--with-values: ${JSON.stringify(word)} has no file name: give one, or several as in a.yaml,b.yaml`,
      );
    }
    const name = stemsOf(files).join('+');
    const other = sets.get(name);
    if (other !== undefined && other.join() !== files.join()) {
      throw new UsageError(`--with-values: two values files are called ${name}: rename one`);
    }
    sets.set(name, files);
  }
  return [...sets.values()];
}

/** Throws UsageError for invalid versions and names, and missing values files. */
export function checkMatrix(settings: RenderSettings, cwd: string): void {
  const all = [settings, ...settings.forCharts.map((own) => ({ ...settings, ...own.settings }))];
  for (const own of all) {
    matrixOf(own);
    const missing = valueSetsOf(own)
      .flat()
      .find((file) => !existsSync(resolve(cwd, file)));
    if (missing !== undefined) throw new UsageError(`--with-values: there is no file ${missing}`);
  }
}

function stemsOf(files: readonly string[]): string[] {
  return files.map((file) => basename(file).replace(/\.ya?ml$/, ''));
}

// Each is a separate entry; files separated by commas are one.
function apiSetsOf({ withApiVersions }: RenderSettings): string[][] {
  const sets = new Map<string, string[]>();
  for (const word of withApiVersions) {
    const names = uniqueBy(word.split(',').map((name) => name.trim())).sort();
    const wrong = names.find((name) => !apiName.test(name));
    if (wrong !== undefined) {
      throw new UsageError(
        `--with-api-versions: ${JSON.stringify(wrong)} is not an API version: write one as in monitoring.coreos.com/v1`,
      );
    }
    sets.set(names.join(), names);
  }
  return [...sets.values()];
}

const apiName = /^[A-Za-z0-9.-]+(?:\/[A-Za-z0-9.-]+){0,2}$/;

/** Formats an entry like a version, such as `1.31` or `1.31 with monitoring.coreos.com/v1`. */
function shortName({ version = '', apis, values }: MatrixEntryName): string {
  const more = [...apis, ...values];
  return more.length === 0 ? version : `${version} with ${more.join(', ')}`.trim();
}

/** Formats an entry, such as `Kubernetes 1.31`. */
function fullName({ version, apis, values }: MatrixEntryName): string {
  const parts = [
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(apis.length === 0 ? [] : [`API versions ${apis.join(', ')}`]),
    ...(values.length === 0 ? [] : [`values ${values.join(', ')}`]),
  ];
  return parts.join(' and ');
}

// The name in file names; `text.ts` parses it.
function markOf({ version, apis, values }: MatrixEntryName, first: MatrixEntryName): string {
  const hasMore = apis.length > 0 || values.length > 0;
  const own = version === undefined || (version === first.version && hasMore) ? [] : [`kube-${version}`];
  const parts = [
    ...own,
    ...(apis.length === 0 ? [] : [`apis-${shortened(apis.map((name) => name.replaceAll('/', '_')))}`]),
    ...(values.length === 0 ? [] : [`values-${shortened(stemsOf(values))}`]),
  ];
  return parts.map((part) => `.${part}`).join('');
}

function shortened(names: readonly string[]): string {
  const all = names.join('+');
  return all.length <= 100 ? all : `${all.slice(0, 80)}-${contentDigest(all).slice(0, 8)}`;
}

/** A rendering of a further entry, or why there is none. */
export interface MatrixEntry {
  readonly name: MatrixEntryName;
  readonly rendering: CaseRendering | RenderError;
}

/** An entry as it is recorded. */
interface RecordedEntry {
  readonly name: MatrixEntryName;
  /** Its part of file names. */
  readonly mark: string;
  readonly rendering: CaseRendering | undefined;
  /** Why cases do not render that the first entry renders, by name. */
  readonly refusals: ReadonlyMap<string, string>;
  /** The differences from the files of the first entry; a file without any is that of the first entry. */
  readonly files: SnapshotFiles;
}

/** Returns the rendering of the first entry with the differences of the others. */
export async function withMatrix(
  first: CaseRendering,
  name: MatrixEntryName,
  entries: readonly MatrixEntry[],
): Promise<CaseRendering> {
  const others: RecordedEntry[] = [];
  for (const entry of entries) others.push(await recordedEntry(entry, first, name));
  const ownerOf = (file: string): RecordedEntry | undefined => others.find(({ files }) => files.has(file));
  const files = new Map([...(await first.files()), ...others.flatMap((entry) => [...entry.files])]);
  const digestOf = memo((text: string) => contentDigest(text));
  return {
    ...first,
    digests: new Map([...files].map(([file, text]) => [file, digestOf(text)])),
    files: async () => files,
    original: async (file, content) => {
      const entry = ownerOf(file);
      return (await entry?.rendering?.original(plainName(file, entry), content)) ?? first.original(file, content);
    },
    random: async () => {
      const all = [first, ...others.flatMap(({ rendering }) => rendering ?? [])];
      return uniqueBy((await Promise.all(all.map((one) => one.random()))).flat());
    },
    missing: first.missing.flatMap((file) => [file, ...others.flatMap((entry) => namesFor(file, entry))]),
    findings: [
      ...first.findings.map((one) => ({ ...one, cell: shortName(name) })),
      ...others.flatMap((entry) => findingsOf(entry)),
    ],
    whole: wholeFiles(ownerOf),
    inputs: async () => {
      const all = { ...(await first.inputs()) };
      // Those of the first entry apply unless the values differ.
      for (const entry of others.filter((one) => one.name.values.length > 0)) {
        const own = Object.entries((await entry.rendering?.inputs()) ?? {});
        for (const [key, inputs] of own) all[keyFor(key, entry)] = inputs;
      }
      return all;
    },
    traced: async ([file = '', ...more], document) => {
      const entry = ownerOf(file);
      if (entry?.rendering === undefined) return first.traced([file, ...more], document);
      const release = await entry.rendering.traced([plainName(file, entry)], document);
      const { kubeVersion } = release?.side.known.inputs ?? {};
      return release && { ...release, key: keyFor(release.key, entry), kubeVersion };
    },
  };
}

// An entry is compared as the complete manifest: what it shares with the first is reported for the first.
function wholeFiles(ownerOf: (file: string) => RecordedEntry | undefined): WholeFiles {
  return (change, { recorded, rendered }) => {
    const entry = ownerOf(change.path);
    if (entry === undefined || change.status !== 'different' || !change.path.endsWith('.yaml')) return change;
    const plain = plainName(change.path, entry);
    const isFirst = (files: SnapshotFiles): boolean => files.get(plain) === files.get(change.path);
    if (isFirst(recorded) && isFirst(rendered)) return undefined;
    const whole = (files: SnapshotFiles): string => wholeText(files.get(plain) ?? '', files.get(change.path) ?? '');
    return { ...change, before: whole(recorded), after: whole(rendered) };
  };
}

async function recordedEntry(
  { name, rendering }: MatrixEntry,
  first: CaseRendering,
  firstName: MatrixEntryName,
): Promise<RecordedEntry> {
  const isFine = ({ status }: CaseOutcome): boolean => status !== 'fault';
  const fine = first.cases.filter(isFine).map((one) => one.name);
  const isFailed = rendering instanceof RenderError;
  const refused = isFailed
    ? fine.map((own) => [own, rendering.message] as const)
    : rendering.cases
        .filter((one) => !isFine(one) && fine.includes(one.name))
        .map((one) => [one.name, one.message] as const);
  const entry = { name, mark: markOf(name, firstName), refusals: new Map(refused) };
  const own = isFailed ? undefined : rendering;
  const files = differencesOf(entry, await first.files(), (await own?.files()) ?? new Map());
  return { ...entry, rendering: own, files };
}

function differencesOf(
  { name: entryName, mark, refusals }: Pick<RecordedEntry, 'name' | 'mark' | 'refusals'>,
  theirs: SnapshotFiles,
  ours: SnapshotFiles,
): SnapshotFiles {
  const files = new Map<string, string>();
  for (const [name, text] of theirs) {
    if (!ownFile.test(name)) continue;
    const own = ours.get(name);
    const refusal = refusals.get(caseOf(name).replace(/\.crds$/, '')) ?? refusals.get('order');
    const add = (ending: string, content: string): void => void files.set(`${caseOf(name)}${mark}${ending}`, content);
    if (own === undefined) {
      if (name.endsWith(crdsEnding) && refusal !== undefined) continue;
      add('.txt', `${fullName(entryName)}: ${(refusal ?? `${name} is not rendered.`).trimEnd()}\n`);
    } else if (name.endsWith('.yaml')) add('.yaml', entryText(text, own, name) || text);
    else if (own !== text) add('.txt', `${fullName(entryName)}: ${own}`);
  }
  return files;
}

// The names of the files with differences from a file of the first entry.
function namesFor(name: string, { mark }: RecordedEntry): string[] {
  return ownFile.test(name) ? ['.yaml', '.txt'].map((ending) => `${caseOf(name)}${mark}${ending}`) : [];
}

// The name of its inputs.
function keyFor(key: string, { name, mark }: RecordedEntry): string {
  return name.values.length === 0 ? key : `${key}${mark}`;
}

// The file of the first entry that belongs to a file of the entry.
function plainName(file: string, { mark }: RecordedEntry): string {
  return file.replace(`${mark}.`, '.');
}

function findingsOf({ name, rendering, refusals }: RecordedEntry): CaseFinding[] {
  const cell = shortName(name);
  const refused = [...refusals].map(([own, message]): CaseFinding => {
    return {
      case: own,
      cell,
      rule: 'refused',
      // A chart need not support every version; values selected for it must render.
      severity: name.values.length === 0 ? 'warning' : 'error',
      object: '',
      source: '',
      path: '',
      message: `it does not render: ${message}`,
      hint: '',
      kubeVersion: '',
    };
  });
  return [...(rendering?.findings ?? []).map((one) => ({ ...one, cell })), ...refused];
}

// A manifest, or the error of a case that fails as expected.
const ownFile = /^[^/]+(?:\.yaml|\.failure\.txt)$/;

function caseOf(name: string): string {
  return name.replace(/(?:\.failure\.txt|\.yaml)$/, '');
}

/** Returns the differences of a manifest from that of a file: a comment that names the file, and the documents. Empty if there are none. */
export function entryText(first: string, own: string, file: string): string {
  const [theirs, ours] = [documentsOf(first), documentsOf(own)];
  const isSame = (key: string, texts: readonly string[]): boolean =>
    texts.join('\n---\n') === theirs.get(key)?.join('\n---\n');
  const other = [...ours].flatMap(([key, texts]) => (isSame(key, texts) ? [] : texts));
  const gone = [...theirs.keys()].filter((key) => !ours.has(key));
  if (other.length === 0 && gone.length === 0) return '';
  const parts = [
    `# What is not the same as in ${file}.\n`,
    ...other.map((text) => `---\n${text}\n`),
    ...gone.map((key) => `---\n${goneMark}: ${JSON.stringify(key)}\n`),
  ];
  return parts.join('');
}

/** Restores the manifest from the result of `entryText`. */
export function wholeText(first: string, cell: string): string {
  const own = documentsOf(cell.replace(/^# [^\n]*\n/, ''));
  const gone = new Set([...own.values()].flatMap((texts) => texts.flatMap((text) => goneKey(text) ?? [])));
  const whole = new Map([...documentsOf(first)].filter(([key]) => !gone.has(key)));
  for (const [key, texts] of own) {
    const plain = texts.filter((text) => goneKey(text) === undefined);
    if (plain.length > 0) whole.set(key, plain);
  }
  return [...whole.values()].map((texts) => texts.map((text) => `---\n${text}\n`).join('')).join('');
}

const goneMark = 'drydock.gone';

function goneKey(text: string): string | undefined {
  if (!text.startsWith(`${goneMark}: `)) return undefined;
  const key = attempt((): unknown => JSON.parse(text.slice(goneMark.length + 2)), SyntaxError, undefined);
  return typeof key === 'string' ? key : undefined;
}

// Groups documents by what identifies an object in both: the template, the kind without its version, and the name.
function documentsOf(text: string): ReadonlyMap<string, readonly string[]> {
  // A checkout on Windows may have converted the line breaks.
  const lines = text.replaceAll('\r\n', '\n');
  const documents = lines.split(/^---(?=\s|$)/m).map((part) => part.trim());
  return groupBy(
    documents.filter((document) => document !== ''),
    keyOf,
  );
}

function keyOf(document: string): string {
  const word = (pattern: RegExp, text = document): string => pattern.exec(text)?.[1]?.replace(/^["']|["']$/g, '') ?? '';
  const metadata = /^metadata:[ \t]*\n((?:[ \t].*\n|\n)*)/m.exec(`${document}\n`)?.[1] ?? '';
  const indent = /^[ \t]+/.exec(metadata)?.[0] ?? '';
  const member = (name: string): string => {
    const line = metadata.split('\n').find((one) => one.startsWith(`${indent}${name}: `));
    return line?.slice(indent.length + name.length + 2).trim() ?? '';
  };
  const braces = /^metadata:[ \t]*\{([^}]*)/m.exec(document)?.[1] ?? '';
  const name = member('name') || word(/(?:^|,)[ \t]*name:[ \t]*([^\s,}]+)/, braces);
  const parts = [word(/^# Source: (.*\S)/m), word(/^kind:\s*(\S+)/m), member('namespace'), name];
  return parts.filter((part) => part !== '').join(' ') || 'a document';
}
