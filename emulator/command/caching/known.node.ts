// What an earlier run found of inputs of which no file has changed since: the disk says so without a file being read. One file for
// all inputs. A stamp is never believed where it could be the same for another content; then, and wherever the index cannot be
// read or trusted, contents decide, and the index is made anew.

import { closeSync, fstatSync, lstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from './digest.node.ts';
import { writeAside } from './entries.node.ts';
import { isOursAlone } from './owner.node.ts';

const form = 1;

// Clocks of disks are as coarse as two seconds: a file may change once more within the time that its stamp says.
const clockMs = 2000;

// What is looked at of a file. The time of the last change of the file's entry cannot be set by anybody, as that of its content can.
const membersOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): number[] => [size, mtimeMs, ctimeMs, ino];
const missing: readonly number[] = [-1, -1, -1, -1];

interface KnownInput {
  /** The paths that were read or listed: what they hold decides what was found. */
  readonly paths: readonly string[];
  readonly stamp: string;
  readonly found: unknown;
}

/** What an earlier run found, by names of inputs. */
export class KnownInputs {
  readonly #folder: string;
  readonly #file: string;
  readonly #key: string;
  /** When this run began: what changed since, or shortly before, is not known. */
  readonly #start: number;
  readonly #known: Map<string, KnownInput>;
  #isNew = false;

  /** Reads what is known in a folder for a key, a digest in hex of all else that decides what is found. */
  constructor(folder: string, key: string, start = Date.now()) {
    this.#folder = folder;
    this.#file = join(folder, `known-${key.slice(0, 32)}`);
    this.#key = key;
    this.#start = start;
    this.#known = new Map(readIndex(this.#file, key));
  }

  /** Gives what was found of an input, if every file is as it was then; undefined for others. */
  find(name: string): unknown {
    const known = this.#known.get(name);
    if (known === undefined || stampOf(known.paths).text !== known.stamp) return undefined;
    return known.found;
  }

  /** Adds what was found of an input from what is at these paths, unless one of them changed lately. */
  add(name: string, paths: Iterable<string>, found: unknown): void {
    const own = [...new Set(paths)];
    const { text, newest } = stampOf(own);
    // Whoever reads a file while it is written sees neither the one nor the other.
    if (newest > this.#start - clockMs) this.#isNew = this.#known.delete(name) || this.#isNew;
    else {
      this.#known.set(name, { paths: own, stamp: text, found });
      this.#isNew = true;
    }
  }

  /** Writes what is known, if there is something new. Where nothing can be written nothing is. */
  write(): void {
    if (!this.#isNew) return;
    // Of what is gone nobody asks any more; what another run asks for stays.
    const known = [...this.#known].filter(([, { paths }]) => statsOf(lstatSync, paths[0] ?? '') !== undefined);
    const body = JSON.stringify(known);
    try {
      const head = `${mark} ${form} ${this.#key} ${digestOf(body)}\n`;
      writeAside(this.#folder, this.#file, Buffer.from(head + body), 0o600);
    } catch {
      // It is as slow as before.
    }
  }
}

const mark = 'drydock-known';

function stampOf(paths: readonly string[]): { readonly text: string; readonly newest: number } {
  const members: number[] = [];
  let newest = 0;
  const look = (stats: Stats | undefined): void => {
    members.push(...(stats === undefined ? missing : membersOf(stats)));
    if (stats !== undefined) newest = Math.max(newest, stats.mtimeMs, stats.ctimeMs);
  };
  for (const path of paths) {
    const own = statsOf(lstatSync, path);
    look(own);
    if (own?.isSymbolicLink() === true) look(statsOf(statSync, path));
  }
  return { text: digestOf(new Uint8Array(Float64Array.from(members).buffer)), newest };
}

function statsOf(ask: typeof lstatSync | typeof statSync, path: string): Stats | undefined {
  try {
    return ask(path, { throwIfNoEntry: false }) as Stats | undefined;
  } catch {
    // A loop of links, or a folder that nobody may enter.
    return undefined;
  }
}

function readIndex(path: string, key: string): [string, KnownInput][] {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    // What it says is believed without a look at any content.
    if (!isOursAlone(fstatSync(file))) return [];
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== `${mark} ${form} ${key} ${digestOf(body)}`) return [];
    return JSON.parse(body) as [string, KnownInput][];
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
