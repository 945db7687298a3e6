// A folder for incomplete files, in which an interrupted download is resumed.

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

/** How long a part of a killed run is kept, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/** An incomplete file. Two runs never write the same one. */
export class Part {
  /** Number of bytes so far. */
  size: number;
  /** The server's ETag; empty if there is none. */
  tag: string;
  readonly #path: string;
  readonly #shared: string;

  constructor(path: string, shared: string) {
    this.#path = path;
    this.#shared = shared;
    this.size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    this.tag = this.size > 0 && existsSync(`${shared}.tag`) ? readFileSync(`${shared}.tag`, 'utf8') : '';
  }

  /** Starts again. */
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

  /** Keeps the data for the next run. */
  leave(): void {
    if (existsSync(this.#path)) renameSync(this.#path, this.#shared);
  }

  /** Deletes it. */
  remove(): void {
    rmSync(this.#path, { force: true });
    rmSync(`${this.#shared}.tag`, { force: true });
  }
}

/** The folder of incomplete files. */
export class Staging {
  readonly #folder: string;

  constructor(charts: string) {
    this.#folder = join(charts, stagingName);
  }

  /** Returns the part for a URL: the one that an earlier run has left, or an empty one. */
  claim(url: string): Part {
    makeFolder(this.#folder);
    this.#sweep();
    const shared = join(this.#folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.part`);
    const own = `${shared}.${randomUUID()}`;
    try {
      // One of two runs gets it.
      renameSync(shared, own);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      writeFileSync(own, '');
    }
    return new Part(own, shared);
  }

  /** Keeps a complete archive under its digest. */
  keep(digest: string, data: Uint8Array): void {
    writeWhole(this.#pathOf(digest), data);
  }

  /** Returns an archive that this or an earlier run has kept, or undefined. */
  kept(digest: string): Uint8Array | undefined {
    const path = this.#pathOf(digest);
    return existsSync(path) ? readFileSync(path) : undefined;
  }

  /** Moves a kept archive to its final place. */
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

  /** Removes the folder if it contains nothing that a later run could use. */
  clear(): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith('.tag') && !existsSync(join(this.#folder, name.slice(0, -4))))
        rmSync(join(this.#folder, name), { force: true });
    }
    try {
      rmdirSync(this.#folder);
    } catch {
      // Another run is using it.
    }
  }
}
