// `--kube-version 1.29,1.31 --with-api-versions a/v1 --with-values b.yaml`: the snapshot is that of the first version alone, with the
// differences of each other matrix entry.

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { RenderError } from '../core/errors.ts';
import { groupBy } from '../core/group-by.ts';
import { uniqueBy } from '../core/unique-by.ts';
import { UsageError } from '../core/usage-error.ts';
import { acceptsVersion, chooseVersions } from '../engine/kube-versions.ts';
import { helmOf } from '../helm/versions.ts';
import { listKubeVersions } from '../inputs/kube-versions.ts';
import { helmVersionOf, type RenderSettings } from '../inputs/settings.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';
import { contentDigest, digestOfParts, type RunCache } from './cache.node.ts';
import { changedFiles, type SnapshotFiles } from './compare.ts';
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

/** Returns the rendering of the first entry with the differences of the others. */
export async function withMatrix(
  first: CaseRendering,
  name: MatrixEntryName,
  { cells, cache }: { readonly cells: readonly MatrixEntry[]; readonly cache: RunCache | undefined },
): Promise<CaseRendering> {
  const shown = cells.map((cell) => new ShownCell(first, name, cell));
  for (const cell of shown) await cell.read(cache);
  const ownerOf = (file: string): ShownCell | undefined => shown.find(({ digests }) => digests.has(file));
  return {
    ...first,
    digests: new Map([first.digests, ...shown.map(({ digests }) => digests)].flatMap((one) => [...one])),
    files: async () => {
      const all = new Map(await first.files());
      for (const cell of shown) for (const [name, text] of await cell.files()) all.set(name, text);
      return all;
    },
    original: async (file, content) => {
      const cell = ownerOf(file);
      return (await cell?.rendering?.original(cell.plainName(file), content)) ?? first.original(file, content);
    },
    random: async () => {
      const sites = await Promise.all(
        [first, ...shown.map(({ rendering }) => rendering)].map((one) => one?.random() ?? []),
      );
      return uniqueBy(sites.flat());
    },
    missing: first.missing.flatMap((name) => [name, ...shown.flatMap((cell) => cell.namesFor(name))]),
    findings: [
      ...first.findings.map((one) => ({ ...one, cell: shortName(name) })),
      ...shown.flatMap((cell) => cell.findings()),
    ],
    whole: wholeFiles(shown),
    inputs: async () => {
      const all = { ...(await first.inputs()) };
      for (const cell of shown) Object.assign(all, await cell.inputs());
      return all;
    },
    traced: async ([file = '', ...more], document) => {
      const cell = ownerOf(file);
      if (cell?.rendering === undefined) return first.traced([file, ...more], document);
      const release = await cell.rendering.traced([cell.plainName(file)], document);
      const { kubeVersion } = release?.side.known.inputs ?? {};
      return release && { ...release, key: cell.keyFor(release.key), kubeVersion };
    },
    keep: () => {
      first.keep();
      for (const { rendering } of shown) rendering?.keep();
    },
  };
}

// An entry is compared as the complete manifest: what it shares with the first is reported for the first.
function wholeFiles(cells: readonly ShownCell[]): WholeFiles {
  return (change, { recorded, rendered, mask }) => {
    const cell = cells.find(({ digests }) => digests.has(change.path));
    if (cell === undefined || change.status !== 'different' || !change.path.endsWith('.yaml')) return change;
    const isFirst = (files: SnapshotFiles): boolean =>
      files.get(cell.plainName(change.path)) === files.get(change.path);
    if (isFirst(recorded) && isFirst(rendered)) return undefined;
    const whole = (files: SnapshotFiles): string => {
      return wholeText(files.get(cell.plainName(change.path)) ?? '', files.get(change.path) ?? '');
    };
    const [before, after] = [whole(recorded), whole(rendered)];
    const [found] = changedFiles(new Map([[change.path, before]]), new Map([[change.path, after]]), { mask });
    return found ?? { ...change, before: after, after };
  };
}

class ShownCell {
  readonly rendering: CaseRendering | undefined;
  digests: ReadonlyMap<string, string> = new Map();
  readonly #first: CaseRendering;
  readonly #name: MatrixEntryName;
  readonly #mark: string;
  readonly #failure: RenderError | undefined;
  #texts: () => Promise<SnapshotFiles> = async () => new Map();

  constructor(first: CaseRendering, firstName: MatrixEntryName, { name, rendering }: MatrixEntry) {
    this.#first = first;
    this.#name = name;
    this.#mark = markOf(name, firstName);
    this.rendering = rendering instanceof RenderError ? undefined : rendering;
    this.#failure = rendering instanceof RenderError ? rendering : undefined;
  }

  /** Computes the differences, with a cache for pairs of renderings. */
  async read(cache: RunCache | undefined): Promise<void> {
    const digests = (one: CaseRendering | undefined): string[] => [...(one?.digests ?? [])].flat();
    const refusals = [this.#failure?.message ?? '', ...this.#refused().flatMap(({ name, message }) => [name, message])];
    const parts = [cache?.program ?? '', 'cell', fullName(this.#name), this.#mark, ...refusals];
    const key = digestOfParts([...parts, ...digests(this.#first), '', ...digests(this.rendering)]);
    const kept = cache?.store.find(key);
    if (kept !== undefined) {
      this.digests = this.#ofFirst(kept.digests, this.#first.digests, contentDigest(''));
      this.#texts = async () => kept.files() ?? (await this.#differences());
      return;
    }
    const files = await this.#differences();
    const own = new Map([...files].map(([name, text]) => [name, contentDigest(text)]));
    this.digests = this.#ofFirst(own, this.#first.digests, contentDigest(''));
    this.#texts = async () => files;
    cache?.store.put(key, { files, facts: {} });
  }

  async files(): Promise<SnapshotFiles> {
    return this.#ofFirst(await this.#texts(), await this.#first.files(), '');
  }

  // Entries without differences are empty until then.
  #ofFirst(own: ReadonlyMap<string, string>, first: ReadonlyMap<string, string>, empty: string): SnapshotFiles {
    return new Map(
      [...own].map(([name, text]) => [name, text === empty ? (first.get(this.plainName(name)) ?? text) : text]),
    );
  }

  /** The names of the files with differences from a file of the first entry. */
  namesFor(name: string): string[] {
    return ownFile.test(name) ? [this.#nameFor(name, '.yaml'), this.#nameFor(name, '.txt')] : [];
  }

  /** The name of its inputs, which are those of the first entry unless the values differ. */
  keyFor(key: string): string {
    return this.#name.values.length === 0 ? key : `${key}${this.#mark}`;
  }

  /** Its inputs, if they differ from those of the first entry. */
  async inputs(): Promise<Readonly<Record<string, Inputs>>> {
    if (this.#name.values.length === 0 || this.rendering === undefined) return {};
    const own = Object.entries(await this.rendering.inputs());
    return Object.fromEntries(own.map(([key, inputs]) => [this.keyFor(key), inputs]));
  }

  /** The file of the first entry that belongs to a file of the entry. */
  plainName(file: string): string {
    return file.replace(`${this.#mark}.`, '.');
  }

  findings(): CaseFinding[] {
    const found = (this.rendering?.findings ?? []).map((one) => ({ ...one, cell: shortName(this.#name) }));
    return [...found, ...this.#refusals().map(([name, message]) => this.#refusal(name, message))];
  }

  #refusal(name: string, message: string): CaseFinding {
    return {
      case: name,
      cell: shortName(this.#name),
      rule: 'refused',
      // A chart need not support every version; values selected for it must render.
      severity: this.#name.values.length === 0 ? 'warning' : 'error',
      object: '',
      source: '',
      path: '',
      message: `it does not render: ${message}`,
      hint: '',
      kubeVersion: '',
    };
  }

  #refused(): readonly CaseOutcome[] {
    return (this.rendering?.cases ?? []).filter(({ status }) => status === 'fault');
  }

  // For cases that the first entry renders.
  #refusals(): (readonly [name: string, message: string])[] {
    const failure = this.#failure;
    if (failure === undefined)
      return this.#refused()
        .filter(isOf(this.#first))
        .map(({ name, message }) => [name, message]);
    return this.#first.cases.filter(({ status }) => status !== 'fault').map(({ name }) => [name, failure.message]);
  }

  async #differences(): Promise<SnapshotFiles> {
    const theirs = await this.#first.files();
    const ours = (await this.rendering?.files()) ?? new Map<string, string>();
    const refusals = new Map(this.#refusals());
    const ownName = fullName(this.#name);
    const files = new Map<string, string>();
    for (const [name, text] of theirs) {
      if (!ownFile.test(name)) continue;
      const own = ours.get(name);
      const refusal = refusals.get(caseOf(name).replace(/\.crds$/, '')) ?? refusals.get('order');
      if (own === undefined && name.endsWith(crdsEnding) && refusal !== undefined) continue;
      if (own === undefined) {
        const why = refusal ?? `${name} is not rendered.`;
        files.set(this.#nameFor(name, '.txt'), `${ownName}: ${why.trimEnd()}\n`);
      } else if (name.endsWith('.yaml')) files.set(this.#nameFor(name, '.yaml'), entryText(text, own, name));
      else if (own !== text) files.set(this.#nameFor(name, '.txt'), `${ownName}: ${own}`);
    }
    return files;
  }

  #nameFor(name: string, ending: string): string {
    return `${caseOf(name)}${this.#mark}${ending}`;
  }
}

// A manifest, or the error of a case that fails as expected.
const ownFile = /^[^/]+(?:\.yaml|\.failure\.txt)$/;

function caseOf(name: string): string {
  return name.replace(/(?:\.failure\.txt|\.yaml)$/, '');
}

function isOf(first: CaseRendering): (one: CaseOutcome) => boolean {
  const fine = new Set(first.cases.filter(({ status }) => status !== 'fault').map(({ name }) => name));
  return ({ name }) => fine.has(name);
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
  try {
    const key: unknown = JSON.parse(text.slice(goneMark.length + 2));
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

// Groups documents by what identifies an object in both: the template, the kind without its version, and the name.
function documentsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const documents = text.split(/^---(?=\s|$)/m).map((part) => part.trim());
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
