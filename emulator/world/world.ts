// A world: one isolated copy of everything the emulator keeps, with its named snapshots.

import { deriveBytes, deriveToken, deriveUuid } from '../keys/derive.ts';
import { buildStore, dumpStore, loadStore, StateError, type StoreDump } from '../store/dump.ts';
import type { JsonObject } from '../store/json.ts';
import { createModels } from '../store/models/models.ts';
import type { Models } from '../store/models/types.ts';
import { findToken } from '../store/people.ts';
import type { Store } from '../store/store.ts';
import { Clock, type ClockState, readClockState } from './clock.ts';
import { Faults } from './faults.ts';
import { RequestLog } from './log.ts';
import { difference, type Mutation } from './mutations.ts';
import { createSignIns, type SignIns } from './sign-ins.ts';

/** A snapshot as a JSON document. */
export interface SnapshotDocument {
  readonly format: 'drydock-snapshot';
  readonly version: 1;
  readonly clock: ClockState;
  readonly state: StoreDump;
}

interface Snapshot {
  readonly state: StoreDump;
  readonly clock: ClockState;
}

export interface WorldOptions {
  readonly name: string;
  readonly seed: string;
  readonly origin: StoreDump;
  readonly clock: ClockState;
  /** Number of calls in the log. */
  readonly logLimit: number;
  /** Called with every change of rows, clock and snapshots. */
  readonly onMutation?: (mutation: Mutation) => void;
}

/** The rows, clock, faults and log of one world. */
export class World {
  readonly name: string;
  readonly seed: string;
  readonly clock = new Clock();
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly signIns: SignIns;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #onMutation: (mutation: Mutation) => void;
  #origin: Snapshot;
  #store: Store;
  #db: Models | undefined;

  constructor({ name, seed, origin, clock, logLimit, onMutation = () => {} }: WorldOptions) {
    this.name = name;
    this.seed = seed;
    this.#onMutation = onMutation;
    this.#origin = { state: origin, clock };
    this.#store = buildStore(origin);
    this.#listen();
    this.clock.restore(clock);
    this.clock.onChange = (state) => this.#onMutation({ do: 'clock', clock: state });
    this.faults = new Faults(drawer(seed, `faults/${name}`));
    this.log = new RequestLog(logLimit);
    this.signIns = createSignIns(seed);
  }

  /** Returns the rows as stored; a reset or a restore replaces the store. Tests use `db`. @internal */
  get store(): Store {
    return this.#store;
  }

  /** The rows as models, for arranging tests: `db.cluster.create({ owner: 'ada' })`. */
  get db(): Models {
    this.#db ??= createModels(this);
    return this.#db;
  }

  /** Restores the rows and the clock of the seed, and removes faults, saved scenarios and logged calls. Snapshots stay. */
  reset(): void {
    this.#take(this.#origin);
    this.faults.reset();
    this.log.clear();
    this.signIns.clear();
    this.#onMutation({ do: 'reset' });
  }

  reseed(origin: StoreDump): void {
    this.#origin = { state: origin, clock: this.#origin.clock };
    this.reset();
  }

  /** Returns the mutations that turn a fresh world into this one. */
  *replay(): Generator<Mutation> {
    for (const [name, snapshot] of this.#snapshots) {
      yield* this.#replaySnapshot(snapshot);
      yield { do: 'save', name };
      yield { do: 'reset' };
    }
    yield* this.#replaySnapshot(this.#present());
  }

  /** Whether the rows or the clock differ from the seed; snapshots do not count. @internal */
  get isEdited(): boolean {
    return !this.#replaySnapshot(this.#present()).next().done;
  }

  /** Saves the rows and the clock under a name, replacing an existing snapshot. */
  saveSnapshot(name: string): void {
    this.#snapshots.set(name, this.#present());
    this.#onMutation({ do: 'save', name });
  }

  /** Restores a snapshot and reports whether it exists. Faults and log stay. */
  restoreSnapshot(name: string): boolean {
    const snapshot = this.#snapshots.get(name);
    if (!snapshot) return false;
    this.#take(snapshot);
    this.#onMutation({ do: 'restore', name });
    return true;
  }

  /** Deletes a snapshot and reports whether it existed. */
  deleteSnapshot(name: string): boolean {
    if (!this.#snapshots.delete(name)) return false;
    this.#onMutation({ do: 'forget', name });
    return true;
  }

  snapshotNames(): readonly string[] {
    return [...this.#snapshots.keys()];
  }

  /** Returns a snapshot or the current state as a JSON document; undefined if there is no such snapshot. */
  exportSnapshot(name?: string): SnapshotDocument | undefined {
    const snapshot = name === undefined ? this.#present() : this.#snapshots.get(name);
    return snapshot && { format: 'drydock-snapshot', version: 1, ...snapshot };
  }

  /** Saves a document as a snapshot, or makes it the current state. Throws a `StateError` if it is invalid. */
  importSnapshot(document: unknown, name?: string): void {
    const snapshot = loadSnapshot(document);
    if (name === undefined) this.#take(snapshot);
    else this.#snapshots.set(name, snapshot);
    this.#onMutation({ do: 'import', document: document as object, ...(name !== undefined && { name }) });
  }

  // A row of the fixtures can be a copy of what an earlier run responded, so taken values are skipped.
  nextUuid(): string {
    const { order, cluster } = this.#store;
    for (;;) {
      const uuid = deriveUuid(this.seed, `uuid/${this.#store.nextSerial()}`);
      if (!order.has(uuid) && !cluster.first('uid', uuid)) return uuid;
    }
  }

  nextToken(): string {
    for (;;) {
      const token = deriveToken(this.seed, `token/${this.#store.nextSerial()}`);
      if (!findToken(this.#store, token)) return token;
    }
  }

  /** Returns the next session key. It depends on user and time, so that a cookie from before a restart never belongs to someone else. */
  nextSessionKey(user: number): string {
    return deriveToken(this.seed, `session/${this.#store.nextSerial()}/${user}/${this.clock.now()}`);
  }

  #present(): Snapshot {
    return { clock: this.clock.state, state: dumpStore(this.#store) };
  }

  #take({ state, clock }: Snapshot): void {
    this.#store = buildStore(state);
    this.#listen();
    this.clock.restore(clock);
  }

  *#replaySnapshot({ state, clock }: Snapshot): Generator<Mutation> {
    yield* difference(this.#origin.state, state);
    if (JSON.stringify(clock) !== JSON.stringify(this.#origin.clock)) yield { do: 'clock', clock };
  }

  #listen(): void {
    const store = this.#store;
    store.onWrite = (kind, id, row) => {
      this.#onMutation({
        do: 'write',
        kind,
        id,
        ...(row && { row: row as unknown as JsonObject }),
        serial: store.serial,
      });
    };
  }
}

function loadSnapshot(document: unknown): Snapshot {
  const { format, version, clock, state } = (document ?? {}) as Partial<SnapshotDocument>;
  if (format !== 'drydock-snapshot') throw new StateError('format: expected "drydock-snapshot"');
  if (version !== 1) throw new StateError(`version: this drydock reads version 1, not ${JSON.stringify(version)}`);
  const loaded = dumpStore(loadStore(state));
  const time = readClockState(clock);
  if (!time) throw new StateError('clock: expected frozenAt or offsetMs, within the years 1 to 9999');
  return { state: loaded, clock: time };
}

function drawer(seed: string, label: string): () => number {
  let count = 0;
  return () => {
    const [a = 0, b = 0, c = 0, d = 0] = deriveBytes(seed, `${label}/${count++}`, 4);
    return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32;
  };
}
