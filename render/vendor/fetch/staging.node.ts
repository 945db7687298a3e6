// Where files lie until all of them are there: a folder of its own, in which a download goes on where it was cut.

import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../core/errors.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { writeWhole } from '../lock/write-whole.node.ts';

/** The name of the folder, below the folder of charts. */
const stagingName = '.incoming';

/** How long a part of a killed run may lie, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/** A file that is on its way. No two runs ever write one. */
export class Part {
  /** How many bytes are there. */
  size: number;
  /** What the server called the bytes; empty where it did not. */
  tag: string;
  readonly #path: string;
  readonly #shared: string;

  constructor(path: string, shared: string) {
    this.#path = path;
    this.#shared = shared;
    this.size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    this.tag = this.size > 0 && existsSync(`${shared}.tag`) ? readFileSync(`${shared}.tag`, 'utf8') : '';
  }

  /** Begins again. */
  reset(tag: string): void {
    writeFileSync(this.#path, '');
    this.size = 0;
    this.tag = tag;
    writeFileSync(`${this.#shared}.tag`, tag);
  }

  /** Adds bytes. */
  add(data: Uint8Array): void {
    appendFileSync(this.#path, data);
    this.size += data.length;
  }

  /** Returns all bytes. */
  read(): Uint8Array {
    return readFileSync(this.#path);
  }

  /** Leaves what is there to the next run. */
  leave(): void {
    if (existsSync(this.#path)) renameSync(this.#path, this.#shared);
  }

  /** Takes it away. */
  remove(): void {
    rmSync(this.#path, { force: true });
    rmSync(`${this.#shared}.tag`, { force: true });
  }
}

/** The folder of files that are on their way. */
export class Staging {
  readonly #folder: string;

  constructor(charts: string) {
    this.#folder = join(charts, stagingName);
  }

  /** Returns the part of an address: the one that an earlier run has left, or an empty one. */
  claim(url: string): Part {
    makeFolder(this.#folder);
    this.#sweep();
    const shared = join(this.#folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.part`);
    const own = `${shared}.${randomUUID()}`;
    try {
      // Of two runs one gets it.
      renameSync(shared, own);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      writeFileSync(own, '');
    }
    return new Part(own, shared);
  }

  /** Keeps an archive that is whole, under its digest. */
  keep(digest: string, data: Uint8Array): void {
    writeWhole(this.#pathOf(digest), data);
  }

  /** Returns an archive that this run, or one before it, has kept; undefined without one. */
  kept(digest: string): Uint8Array | undefined {
    const path = this.#pathOf(digest);
    return existsSync(path) ? readFileSync(path) : undefined;
  }

  /** Puts a kept archive in its place. */
  place(digest: string, path: string): void {
    makeFolder(dirname(path));
    renameSync(this.#pathOf(digest), path);
  }

  #pathOf(digest: string): string {
    return join(this.#folder, `${digest.slice('sha256:'.length)}.tgz`);
  }

  // What killed runs have left.
  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > maxAge) rmSync(path, { force: true });
    }
  }

  /** Takes the folder away where nothing is left in it but what no run will ask for again. */
  clear(): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith('.tag') && !existsSync(join(this.#folder, name.slice(0, -4))))
        rmSync(join(this.#folder, name), { force: true });
    }
    try {
      rmdirSync(this.#folder);
    } catch {
      // Another run works in it.
    }
  }
}
