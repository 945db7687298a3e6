// `--kube-version 1.29,1.31 --with-api-versions a/v1`: the snapshot is that of the first version without more, and holds how each
// other cell of the matrix differs from it.

import { distinct } from '../../../render/distinct.ts';
import { RenderError } from '../../../render/errors.ts';
import { cellText, wholeText } from '../../../render/snapshot/cells.ts';
import { type ChangedFile, changedFiles, type SnapshotFiles } from '../../../render/snapshot/compare.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { digestOf, digestOfParts } from '../caching/digest.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { Keeping } from './keeping.node.ts';
import type { CaseFinding, CaseOutcome } from './outcome.ts';
import type { Rendering, WholeFiles } from './rendering.ts';

/** Gives the versions of Kubernetes that are asked for, each once. Throws UsageError for one that is none. */
export function kubeVersionsOf(flags: ParsedFlags): readonly string[] {
  const versions = new Map<string, string>();
  for (const word of flags.list('kube-version')) {
    const name = word.trim().replace(/^v/, '');
    const { version } = tryVersion(name);
    if (!versions.has(version)) versions.set(version, name);
  }
  return [...versions.values()];
}

function tryVersion(word: string): { readonly version: string } {
  try {
    if (word !== '') return createCapabilities({ kubeVersion: word }).kubeVersion;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new UsageError(`--kube-version: ${error.message}`, error.mend);
  }
  throw new UsageError('--kube-version names no version: give some such as 1.29,1.31', undefined);
}

/** A cell of the matrix. */
export interface CellName {
  /** As it was asked for, such as `1.31`; undefined where none was. */
  readonly version: string | undefined;
  /** The API versions that it has beside the others; none for the first of a version. */
  readonly apis: readonly string[];
}

/** Gives the cells that are asked for, the first one first. Throws UsageError for what names none. */
export function cellsOf(flags: ParsedFlags): readonly [CellName, ...CellName[]] {
  const [version, ...versions] = kubeVersionsOf(flags);
  const sets = [[], ...apiSetsOf(flags)];
  const cells = [version, ...versions].flatMap((one) => sets.map((apis): CellName => ({ version: one, apis })));
  return cells as [CellName, ...CellName[]];
}

// Each is a cell of its own; those with commas between them are one.
function apiSetsOf(flags: ParsedFlags): string[][] {
  const sets = new Map<string, string[]>();
  for (const word of flags.list('with-api-versions')) {
    const names = distinct(word.split(',').map((name) => name.trim())).sort();
    const wrong = names.find((name) => !apiName.test(name));
    if (wrong !== undefined) {
      throw new UsageError(
        `--with-api-versions: ${JSON.stringify(wrong)} is no API version: write one as in monitoring.coreos.com/v1`,
      );
    }
    sets.set(names.join(), names);
  }
  return [...sets.values()];
}

const apiName = /^[A-Za-z0-9.-]+(?:\/[A-Za-z0-9.-]+){0,2}$/;

/** Gives how a cell is called where versions stand, such as `1.31` or `1.31 with monitoring.coreos.com/v1`. */
function shortName({ version = '', apis }: CellName): string {
  return apis.length === 0 ? version : `${version} with ${apis.join(', ')}`.trim();
}

/** Gives how a cell is called, such as `Kubernetes 1.31`. */
function fullName({ version, apis }: CellName): string {
  const own = version === undefined ? [] : [`Kubernetes ${version}`];
  return (
    [...own, ...(apis.length === 0 ? [] : [`API versions ${apis.join(', ')}`])].join(' and ') || 'no more API versions'
  );
}

// A file is called so; `text.ts` reads it back.
function markOf({ version, apis }: CellName, first: CellName): string {
  const own = version === undefined || (version === first.version && apis.length > 0) ? [] : [`kube-${version}`];
  const all = apis.map((name) => name.replaceAll('/', '_')).join('+');
  const short = all.length <= 100 ? all : `${all.slice(0, 80)}-${digestOf(all).slice(0, 8)}`;
  return [...own, ...(apis.length === 0 ? [] : [`apis-${short}`])].map((part) => `.${part}`).join('');
}

/** A rendering for a further cell, or why there is none. */
export interface Cell {
  readonly name: CellName;
  readonly rendering: Rendering | RenderError;
}

/** Gives the rendering for the first cell with what differs from it for the others. */
export async function withCells(
  first: Rendering,
  name: CellName,
  { cells, keeping }: { readonly cells: readonly Cell[]; readonly keeping: Keeping | undefined },
): Promise<Rendering> {
  const shown = cells.map((cell) => new ShownCell(first, name, cell));
  for (const cell of shown) await cell.read(keeping);
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
      return distinct(sites.flat());
    },
    missing: first.missing.flatMap((name) => [name, ...shown.flatMap((cell) => cell.namesFor(name))]),
    findings: [
      ...first.findings.map((one) => ({ ...one, cell: shortName(name) })),
      ...shown.flatMap((cell) => cell.findings()),
    ],
    whole: wholeFiles(shown),
    traced: async ([file = '', ...more], document) => {
      const cell = ownerOf(file);
      if (cell?.rendering === undefined) return first.traced([file, ...more], document);
      const release = await cell.rendering.traced([cell.plainName(file)], document);
      return release && { ...release, kubeVersion: release.side.known.inputs.kubeVersion };
    },
    keep: () => {
      first.keep();
      for (const { rendering } of shown) rendering?.keep();
    },
  };
}

// A cell is compared as the manifest that it stands for: what it shares with the first is told of the first.
function wholeFiles(cells: readonly ShownCell[]): WholeFiles {
  return (change, { recorded, rendered, mask }) => {
    const cell = cells.find(({ digests }) => digests.has(change.path));
    if (cell === undefined || change.status !== 'different' || !change.path.endsWith('.yaml')) return change;
    const whole = (files: SnapshotFiles): string => {
      return wholeText(files.get(cell.plainName(change.path)) ?? '', files.get(change.path) ?? '');
    };
    const [before, after] = [new Map([[change.path, whole(recorded)]]), new Map([[change.path, whole(rendered)]])];
    const store = { read: () => before, write: () => {}, remove: () => {} };
    const [found] = changedFiles(after, store, { mask });
    const same: ChangedFile = { ...change, before: whole(rendered), after: whole(rendered) };
    return found ?? same;
  };
}

class ShownCell {
  readonly rendering: Rendering | undefined;
  digests: ReadonlyMap<string, string> = new Map();
  readonly #first: Rendering;
  readonly #firstName: CellName;
  readonly #name: CellName;
  readonly #mark: string;
  readonly #failure: RenderError | undefined;
  #texts: () => Promise<SnapshotFiles> = async () => new Map();

  constructor(first: Rendering, firstName: CellName, { name, rendering }: Cell) {
    this.#first = first;
    this.#firstName = firstName;
    this.#name = name;
    this.#mark = markOf(name, firstName);
    this.rendering = rendering instanceof RenderError ? undefined : rendering;
    this.#failure = rendering instanceof RenderError ? rendering : undefined;
  }

  /** Finds out what differs; what an earlier run found for the same two renderings is taken. */
  async read(keeping: Keeping | undefined): Promise<void> {
    const digests = (one: Rendering | undefined): string[] => [...(one?.digests ?? [])].flat();
    const refusals = [this.#failure?.message ?? '', ...this.#refused().flatMap(({ name, message }) => [name, message])];
    const parts = [
      keeping?.program ?? '',
      'cell',
      fullName(this.#firstName),
      fullName(this.#name),
      this.#mark,
      ...refusals,
    ];
    const key = digestOfParts([...parts, ...digests(this.#first), '', ...digests(this.rendering)]);
    const kept = keeping?.cache.find(key);
    if (kept !== undefined) {
      this.digests = kept.digests;
      this.#texts = async () => kept.files() ?? (await this.#differences());
      return;
    }
    const files = await this.#differences();
    this.digests = new Map([...files].map(([name, text]) => [name, digestOf(text)]));
    this.#texts = async () => files;
    keeping?.cache.keep(key, { files, facts: {} });
  }

  files(): Promise<SnapshotFiles> {
    return this.#texts();
  }

  /** The names of what stands for a file of the first version. */
  namesFor(name: string): string[] {
    return ownFile.test(name) ? [this.#nameFor(name, '.yaml'), this.#nameFor(name, '.txt')] : [];
  }

  /** The file of the first version that a file of the cell stands beside. */
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
      severity: 'warning',
      object: '',
      source: '',
      path: '',
      message: `it does not render: ${message}`,
      mend: '',
      kubeVersion: '',
    };
  }

  #refused(): readonly CaseOutcome[] {
    return (this.rendering?.cases ?? []).filter(({ status }) => status === 'fault');
  }

  // Of cases that the first version renders.
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
    const names = { first: fullName(this.#firstName), own: fullName(this.#name) };
    const files = new Map<string, string>();
    for (const [name, text] of theirs) {
      if (!ownFile.test(name)) continue;
      const own = ours.get(name);
      const refusal = refusals.get(caseOf(name)) ?? refusals.get('order');
      if (own === undefined) {
        const why = refusal ?? `${name} is not rendered.`;
        files.set(this.#nameFor(name, '.txt'), `${names.own}: ${why.trimEnd()}\n`);
      } else if (name.endsWith('.yaml')) files.set(this.#nameFor(name, '.yaml'), cellText(text, own, names));
      else if (own !== text) files.set(this.#nameFor(name, '.txt'), `${names.own}: ${own}`);
    }
    return files;
  }

  #nameFor(name: string, ending: string): string {
    return `${caseOf(name)}${this.#mark}${ending}`;
  }
}

// A manifest, or what is told of a case that fails as it should.
const ownFile = /^[^/]+(?:\.yaml|\.failure\.txt)$/;

function caseOf(name: string): string {
  return name.replace(/(?:\.failure\.txt|\.yaml)$/, '');
}

function isOf(first: Rendering): (one: CaseOutcome) => boolean {
  const fine = new Set(first.cases.filter(({ status }) => status !== 'fault').map(({ name }) => name));
  return ({ name }) => fine.has(name);
}
