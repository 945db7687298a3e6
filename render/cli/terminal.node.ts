// Runs a program on the standard streams of this process. Loading Node's own objects takes longer than rendering a small chart, so bytes are written
// directly to the file descriptors if possible.

import { fstatSync, writeSync } from 'node:fs';
import { readStandardInput } from '../core/standard-input.node.ts';
import { isError } from '../go/realm.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import type { CommandIo, Program } from './program.ts';
import { runProgram } from './run.node.ts';

export type Stream = 1 | 2;

type OnFailure = (error: NodeJS.ErrnoException) => void;

// Windows consoles need Node's translation. Elsewhere Node's object is used when a write would block.
const handed = new Set<Stream>(process.platform === 'win32' ? [1, 2] : []);
const listening = new Set<Stream>();

/** Writes all bytes, after those of earlier calls. `onFailure` is called if writing fails: a full disk, a closed pipe. */
function writeStream(stream: Stream, bytes: Uint8Array, onFailure: OnFailure): void {
  let rest = bytes;
  try {
    while (rest.length > 0 && !handed.has(stream)) rest = rest.subarray(writeSync(stream, rest));
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (failure.code !== 'EAGAIN') {
      onFailure(failure);
      return;
    }
    handed.add(stream);
  }
  if (rest.length === 0) return;
  const object = stream === 1 ? process.stdout : process.stderr;
  if (!listening.has(stream)) object.on('error', onFailure);
  listening.add(stream);
  object.write(rest);
}

export function isTerminal(stream: Stream): boolean {
  try {
    // The module that knows for sure is loaded only in this case.
    return fstatSync(stream).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(stream);
  } catch {
    return false; // The stream is closed.
  }
}

/** Runs a program with the arguments of this process, and sets its exit code. */
export function runOnTerminal(program: Program): void {
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
  void runProgram(program, process.argv.slice(2), { ...terminal, cwd: currentFolder() })
    .then((exitCode) => {
      process.exitCode = exitCode;
    })
    .catch(fail);
}

// Texts are written as bytes, because they may not be valid UTF-8.
const terminal: Omit<CommandIo, 'cwd'> = {
  env: process.env,
  stdin: readStandardInput,
  stdout: (text) => write(1, text),
  stderr: (text) => write(2, text),
  isTerminal: {
    get stdout() {
      return isTerminal(1);
    },
    get stderr() {
      return isTerminal(2);
    },
  },
};

function write(stream: Stream, text: string): void {
  writeStream(stream, encodeUtf8(text), (error) => {
    // A reader that stops early, such as `head`, is not an error.
    if (error.code === 'EPIPE') process.exit();
    if (stream === 2) process.exit(1);
    fail(`standard output cannot be written: ${error.message}`);
  });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return fail('the current folder is not there any more');
  }
}

/** Ends the process with a sentence instead of a stack trace; `DRYDOCK_DEBUG` shows the stack of unexpected errors. */
function fail(error: unknown): never {
  const isBug = isError(error);
  if (isBug && process.env.DRYDOCK_DEBUG) terminal.stderr(`${error.stack}\n`);
  const message = isBug ? `drydock failed, which is a bug: ${error.message}` : String(error);
  const hint = isBug ? 'DRYDOCK_DEBUG=1 shows where it happened; please report it with what you ran.\n' : '';
  terminal.stderr(`Error: ${message}\n${hint}`);
  process.exit(isBug ? 70 : 1);
}
