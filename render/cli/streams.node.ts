// The standard streams of this process. Node's own objects for them take longer to load than a small chart to render, so
// bytes go straight to the file descriptors where those take them.

import { fstatSync, writeSync } from 'node:fs';

/** A file descriptor: standard output, or standard error. */
export type Stream = 1 | 2;

/** Called with the error of a stream. */
type OnFailure = (error: NodeJS.ErrnoException) => void;

// The consoles of Windows need Node to translate. Elsewhere a stream turns to Node's object once it would have to wait.
const handed = new Set<Stream>(process.platform === 'win32' ? [1, 2] : []);
const listening = new Set<Stream>();

/** Writes all of the bytes, after those of earlier calls. `onFailure` is called with why a stream takes none: a full disk, a closed pipe. */
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

/** Reports whether a person looks at a stream. */
export function isTerminal(stream: Stream): boolean {
  try {
    // Only then is the module asked that knows for sure.
    return fstatSync(stream).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(stream);
  } catch {
    return false; // The stream is closed.
  }
}
