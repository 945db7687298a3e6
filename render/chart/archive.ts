// A packed chart (.tgz) to named files. Mirrors: helm.sh/helm/v3/pkg/chart/loader, archive.go, v3.17.3.

import { Gunzip, gunzipSync } from 'fflate';
import { crc32 } from '../go/crc32.ts';
import { quote } from '../go/number.ts';
import { clean, isAbs } from '../go/path.ts';
import { GoError } from '../go/value.ts';
import { readTar, type TarEntry, type TarSource } from './tar.ts';

/** The size in bytes that no file of a chart may exceed. */
export const maxFileSize = 5 * 1024 * 1024;
const maxChartSize = 100 * 1024 * 1024;

/**
 * Gives the files of a packed chart by their path below the chart's folder, in the order of the archive, byte order marks
 * cut off. Throws GoError with Helm's text. Mirrors: `LoadArchiveFiles`.
 */
export function unpackArchive(data: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  let remaining = maxChartSize;
  for (const entry of readTar(gunzip(data))) {
    if (entry.isFolder || entry.type === 'g') continue;
    const name = pathInChart(entry.name);
    checkSize(entry, remaining);
    files.set(name, cutByteOrderMark(entry.data()));
    remaining -= entry.size;
    if (remaining <= 0) throw tooLarge();
  }
  if (files.size === 0) throw new GoError('no files in chart archive');
  return files;
}

/** Gives the bytes without a leading UTF-8 byte order mark. */
export function cutByteOrderMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

/** Tells whether data begins as gzip does. */
export function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b && data[2] === 0x08;
}

// The first folder is dropped, whatever its name. A name with a backslash was packed on Windows.
function pathInChart(name: string): string {
  const delimiter = name.includes('\\') ? '\\' : '/';
  const [first, ...rest] = name.split(delimiter);
  const path = rest.join('/');
  if (isAbs(path)) throw new GoError('chart illegally contains absolute paths');
  const cleaned = clean(path);
  if (cleaned === '.') {
    throw new GoError(`chart illegally contains content outside the base directory: ${quote(name)}`);
  }
  if (cleaned.startsWith('..')) throw new GoError('chart illegally references parent directory');
  if (/^[a-zA-Z]:\//.test(cleaned)) throw new GoError('chart contains illegally named files');
  if (first === 'Chart.yaml') throw new GoError('chart yaml not in base directory');
  return cleaned;
}

function checkSize({ name, size }: TarEntry, remaining: number): void {
  if (size > remaining) throw tooLarge();
  if (size > maxFileSize) {
    throw new GoError(`decompressed chart file ${quote(name)} is larger than the maximum file size ${maxFileSize}`);
  }
}

function tooLarge(): GoError {
  return new GoError(`decompressed chart is larger than the maximum file size ${maxChartSize}`);
}

// Go reads the stream as the archive needs it, so a fault counts only once somebody wants the bytes behind it.
function gunzip(data: Uint8Array): TarSource {
  if (data.length < 10) throw new GoError(data.length === 0 ? 'EOF' : 'unexpected EOF');
  if (!isGzip(data)) throw new GoError('gzip: invalid header');
  const bytes = gunzipWhole(data);
  if (bytes === undefined) return gunzipParts(data);
  return {
    bytes,
    get end() {
      return crc32(bytes) === trailer(data).getUint32(0, true) ? 'EOF' : 'gzip: invalid checksum';
    },
  };
}

// The checksum and the size of the last member, behind its bytes.
function trailer(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset + data.length - 8, 8);
}

function toldSize(data: Uint8Array): number {
  return trailer(data).getUint32(4, true);
}

// The common case: one member, whose size stands at its end. Undefined for all else.
function gunzipWhole(data: Uint8Array): Uint8Array | undefined {
  const size = toldSize(data);
  if (size > maxChartSize || hasSecondMember(data)) return undefined;
  try {
    const bytes = gunzipSync(data, { out: new Uint8Array(size + 1) });
    return bytes.length === size ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function hasSecondMember(data: Uint8Array): boolean {
  for (let at = data.indexOf(0x1f, 1); at > 0; at = data.indexOf(0x1f, at + 1)) {
    if (data[at + 1] === 0x8b && data[at + 2] === 0x08) return true;
  }
  return false;
}

// As many bytes as can be had of several members, or of a stream that is cut off or broken.
function gunzipParts(data: Uint8Array): TarSource {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let memberSize = 0;
  const stream = new Gunzip((chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    memberSize += chunk.length;
  });
  stream.onmember = () => {
    memberSize = 0;
  };
  try {
    const step = 1 << 16;
    for (let at = 0; at < data.length && size <= maxChartSize; at += step) stream.push(data.subarray(at, at + step));
  } catch {
    memberSize = -1;
  }
  const bytes = new Uint8Array(size);
  chunks.reduce((at, chunk) => {
    bytes.set(chunk, at);
    return at + chunk.length;
  }, 0);
  if (size > maxChartSize) return { bytes, end: tooLarge().message };
  return { bytes, end: memberSize > 0 && memberSize === toldSize(data) ? 'EOF' : 'unexpected EOF' };
}
