// One case of a chart, or one Order: rendered now, or taken from what an earlier run kept.

import type { Inputs } from '../../../render/impact/inputs.ts';
import { writtenAt } from '../../../render/impact/places.ts';
import type { SnapshotFiles } from '../../../render/snapshot/compare.ts';
import type { SettledFiles } from '../../../render/snapshot/settle.ts';
import type { Failure } from '../../rendering/messages.ts';
import { digestOf } from '../caching/digest.node.ts';
import type { KeptEntry, RenderingStore } from '../caching/entries.node.ts';
import type { Finding, RandomSite } from './outcome.ts';
import type { Rendering, Traced } from './rendering.ts';

/** What a rendering gives. */
export interface Rendered {
  readonly plain: SnapshotFiles;
  readonly settled: SettledFiles;
  /** Gives what each release was made of, by its name. */
  readonly inputs: () => Readonly<Record<string, Inputs>>;
  readonly milliseconds: number;
  /** What is wrong with its objects. */
  readonly findings: readonly Finding[];
  /** What was told of it. */
  readonly warnings: readonly string[];
  /** What was told when its chart was read; it is told once for all cases. */
  readonly readWarnings: readonly string[];
}

/** Where a rendering is kept. */
export interface UnitPlace {
  readonly cache: RenderingStore;
  /** The digest of all that decides it. */
  readonly key: string;
}

/** Why a case does not render. */
export interface CachedFailure {
  readonly error: Failure;
  /** Whether its chart cannot be parsed, so that no case of it renders. */
  readonly isOfChart: boolean;
}

type Facts = Partial<{
  failure: CachedFailure;
  milliseconds: number;
  findings: readonly Finding[];
  warnings: readonly string[];
  readWarnings: readonly string[];
  /** Undefined where nobody asked for them yet; so are the inputs. */
  random: readonly RandomSite[];
  inputs: Readonly<Record<string, Inputs>>;
}>;

/** One rendering, of which only what is asked for is made. */
export class Unit {
  readonly #render: () => Promise<Rendered>;
  readonly #place: UnitPlace | undefined;
  #kept: KeptEntry | undefined;
  #facts: Facts = {};
  #rendered: Rendered | undefined;
  #digests: ReadonlyMap<string, string> | undefined;
  #isNew = false;

  private constructor(render: () => Promise<Rendered>, place: UnitPlace | undefined) {
    this.#render = render;
    this.#place = place;
  }

  /** Gives the rendering that is kept there; undefined where none is. `render` is asked where that does not do. */
  static kept(place: UnitPlace, render: () => Promise<Rendered>): Unit | undefined {
    const entry = place.cache.find(place.key);
    if (entry === undefined) return undefined;
    const unit = new Unit(render, place);
    unit.#kept = entry;
    unit.#facts = entry.facts;
    return unit;
  }

  /** Gives a rendering that was just made. */
  static fresh(rendered: Rendered, place?: UnitPlace): Unit {
    const unit = new Unit(async () => rendered, place);
    unit.#take(rendered);
    return unit;
  }

  /** What was told when it was rendered. */
  get warnings(): readonly string[] {
    return this.#facts.warnings ?? [];
  }

  get readWarnings(): readonly string[] {
    return this.#facts.readWarnings ?? [];
  }

  /** Why it does not render; undefined if it does. */
  get failure(): CachedFailure | undefined {
    return this.#facts.failure;
  }

  get findings(): readonly Finding[] {
    return this.#facts.findings ?? [];
  }

  get milliseconds(): number {
    return this.#facts.milliseconds ?? 0;
  }

  /** The digest of each file as a snapshot keeps it. */
  get digests(): ReadonlyMap<string, string> {
    if (this.#kept !== undefined) return this.#kept.digests;
    const { settled } = this.#rendered!;
    this.#digests ??= new Map([...settled.files].map(([name, text]) => [name, digestOf(text)]));
    return this.#digests;
  }

  async files(): Promise<SnapshotFiles> {
    const files = this.#rendered === undefined ? this.#kept?.files() : undefined;
    if (files !== undefined) return files;
    // What was torn is kept anew.
    if (this.#rendered === undefined) this.#kept = undefined;
    return (await this.fresh()).settled.files;
  }

  /** Gives it rendered in this run. */
  async fresh(): Promise<Rendered> {
    return this.#rendered ?? this.#take(await this.#render());
  }

  async inputs(): Promise<Readonly<Record<string, Inputs>>> {
    return this.#facts.inputs ?? this.#learn('inputs', (await this.fresh()).inputs());
  }

  async random(traced: Traced): Promise<readonly RandomSite[]> {
    return this.#facts.random ?? this.#learn('random', await randomSites((await this.fresh()).settled, traced));
  }

  /** Keeps what was made, if there is more than was kept. */
  keep(): void {
    if (!this.#isNew || this.#rendered === undefined) return;
    this.#place?.cache.keep(this.#place.key, { files: this.#rendered.settled.files, facts: this.#facts });
    this.#isNew = false;
  }

  // The first measure stands: of a case that comes out of the cache it is what rendering it takes.
  #take(rendered: Rendered): Rendered {
    const { milliseconds, findings, warnings, readWarnings, settled } = rendered;
    this.#rendered = rendered;
    this.#digests = undefined;
    this.#isNew ||= this.#kept === undefined;
    const random = settled.random.length === 0 ? { random: [] } : {};
    this.#facts = { milliseconds, findings, warnings, readWarnings, ...random, ...this.#facts };
    return rendered;
  }

  #learn<Name extends keyof Facts>(name: Name, fact: NonNullable<Facts[Name]>): NonNullable<Facts[Name]> {
    this.#facts = { ...this.#facts, [name]: fact };
    this.#isNew = true;
    return fact;
  }
}

/** Caches why a case does not render, and the warnings that its rendering printed before. */
export function keepFailure(
  { cache, key }: UnitPlace,
  facts: Required<Pick<Facts, 'failure' | 'warnings' | 'readWarnings'>>,
): void {
  cache.keep(key, { files: new Map(), facts });
}

/** Gives what units are together, as the comparison asks for it. */
export function renderingOf(
  units: readonly Unit[],
  rest: Pick<Rendering, 'cases' | 'findings' | 'missing' | 'namespace' | 'folder' | 'traced'>,
): Rendering {
  const joined = async <T>(ask: (unit: Unit) => Promise<ReadonlyMap<string, T>>): Promise<ReadonlyMap<string, T>> => {
    const all = new Map<string, T>();
    for (const unit of units) for (const [name, item] of await ask(unit)) all.set(name, item);
    return all;
  };
  return {
    ...rest,
    digests: new Map(units.flatMap((unit) => [...unit.digests])),
    files: () => joined((unit) => unit.files()),
    plain: () => joined(async (unit) => (await unit.fresh()).plain),
    original: async (file, bare) => {
      const unit = units.find(({ digests }) => digests.has(file));
      return (await unit?.fresh())?.settled.originals.get(bare) ?? bare;
    },
    inputs: async () => {
      const all: Record<string, Inputs> = {};
      for (const unit of units) Object.assign(all, await unit.inputs());
      return all;
    },
    random: async () => {
      const sites = new Map<string, RandomSite>();
      for (const unit of units) {
        for (const site of await unit.random(rest.traced)) sites.set(JSON.stringify(site), site);
      }
      return [...sites.values()];
    },
    keep: () => {
      for (const unit of units) unit.keep();
    },
  };
}

/** Gives a rendering with further files that are no manifests of its own. */
export function withMore(rendering: Rendering, more: SnapshotFiles): Rendering {
  const digests = [...more].map(([name, text]) => [name, digestOf(text)] as const);
  return {
    ...rendering,
    digests: new Map([...rendering.digests, ...digests]),
    files: async () => new Map([...(await rendering.files()), ...more]),
  };
}

async function randomSites({ random }: SettledFiles, traced: Traced): Promise<readonly RandomSite[]> {
  const sites = new Map<string, RandomSite>();
  for (const { file, source, document, object, path, steps } of random) {
    const release = await traced([file], { path: source, content: document });
    const place =
      release && writtenAt(release.side, { document: { path: source, content: document }, steps, side: 'after' });
    const site = { object, path, file: place?.file ?? source, line: place?.line ?? 0 };
    sites.set(JSON.stringify(site), site);
  }
  return [...sites.values()];
}
