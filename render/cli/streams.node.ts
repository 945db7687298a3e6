// The standard streams of this process. Loading Node's own objects takes longer than rendering a small chart, so bytes are written directly
// to the file descriptors if possible.

import { fstatSync, writeSync } from 'node:fs';

/** A file descriptor: standard output, or standard error. */
export type Stream = 1 | 2;

/** Called with an error of a stream. */
type OnFailure = (error: NodeJS.ErrnoException) => void;

// Windows consoles need Node's translation. Elsewhere Node's object is used when a write would block.
const handed = new Set<Stream>(process.platform === 'win32' ? [1, 2] : []);
const listening = new Set<Stream>();

/** Writes all bytes, after those of earlier calls. `onFailure` is called if writing fails: a full disk, a closed pipe. */
export function writeStream(stream: Stream, bytes: Uint8Array, onFailure: OnFailure): void {
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

/** Reports whether a stream is a terminal. */
export function isTerminal(stream: Stream): boolean {
  try {
    // The module that knows for sure is loaded only in this case.
    return fstatSync(stream).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(stream);
  } catch {
    return false; // The stream is closed.
  }
}
