// A temporary folder with the files of a test, and the commands that run in it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import type { CommandIo } from '../../render/cli/program.ts';
import { captureCommand } from './cli.ts';
import type { Answer } from './golden.ts';

/** Files by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A temporary folder. Paths are relative to it. */
export interface Project {
  readonly folder: string;
  readonly write: (files: Files) => void;
  readonly read: (path: string) => string;
  /** Replaces a text in a file; it must occur. */
  readonly edit: (path: string, text: string | RegExp, replacement: string) => void;
  readonly remove: (path: string) => void;
  readonly run: (argv: readonly string[], io?: Partial<CommandIo>) => Promise<Answer>;
  readonly git: (...args: readonly string[]) => string;
}

/** Creates a folder with files. It is removed after the tests of the file or, within a test, after that test. */
export function createProject(files: Files = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'drydock-test-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const write = (texts: Files): void => {
    for (const [path, data] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), data);
    }
  };
  write(files);
  return {
    folder,
    write,
    read,
    edit: (path, text, replacement) => {
      const edited = read(path).replace(text, replacement);
      if (edited === read(path)) throw new Error(`${path} has no ${text}`);
      write({ [path]: edited });
    },
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    run: (argv, io) => captureCommand(argv, { cwd: folder, ...io }),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
  };
}

/** Returns a Chart.yaml, with more lines. */
export function chartYaml(name: string, more = '', version = '1.0.0'): string {
  return `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`;
}

/** Returns the files of a chart in a folder, which has its name. `files` may replace its Chart.yaml. */
export function chartIn(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  const all = { 'Chart.yaml': chartYaml(folder.split('/').at(-1) ?? ''), ...files };
  return Object.fromEntries(Object.entries(all).map(([path, text]) => [`${folder}/${path}`, text]));
}
