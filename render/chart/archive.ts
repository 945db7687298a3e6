// Reads a packed chart (.tgz).
// Mirrors: helm.sh/helm/v3/pkg/chart/loader, archive.go, v3.17.3.

import { type ByteSource, gunzip, limitReached } from '../go/compress/gzip.ts';
import { quote } from '../go/number.ts';
import { clean, isAbs } from '../go/path.ts';
import { GoError } from '../go/value.ts';
import { helmOf } from '../helm/versions.ts';
import type { ChartFile } from './chart.ts';
import { readTar, type TarEntry } from './tar.ts';

/** Maximum size of a file of a chart, in bytes. */
export const maxFileSize = 5 * 1024 * 1024;
/** Maximum size of all files of a chart together, in bytes. */
export const maxChartSize = 100 * 1024 * 1024;

/**
 * Returns the files of a packed chart by their path below the chart's folder, in archive order, without byte order marks. A path may occur
 * more than once. Throws GoError with Helm's message.
 * Mirrors: `LoadArchiveFiles`.
 */
export function unpackArchive(data: Uint8Array, { limitsFiles } = helmOf().charts): ChartFile[] {
  const files: ChartFile[] = [];
  let remaining = maxChartSize;
  for (const entry of readTar(readStream(data))) {
    if (entry.isFolder || entry.type === 'g') continue;
    const name = pathInChart(entry.name);
    checkSize(entry, remaining, limitsFiles);
    const content = entry.data();
    remaining -= content.length;
    // A link may have a size in its header, but no content.
    if (content.length < entry.size || remaining <= 0) throw tooLarge();
    files.push({ name, data: cutByteOrderMark(content) });
  }
  if (files.length === 0) throw new GoError('no files in chart archive');
  return files;
}

/** Returns the bytes without a leading UTF-8 byte order mark. */
export function cutByteOrderMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

// The limit of a chart applies to all entries of the archive.
function readStream(data: Uint8Array): ByteSource {
  const { bytes, end } = gunzip(data, 2 * maxChartSize);
  return { bytes, end: end === limitReached ? tooLarge().message : end };
}

// The first folder is removed. A name with backslashes was packed on Windows.
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

function checkSize({ name, size }: TarEntry, remaining: number, limitsFiles: boolean): void {
  if (size > remaining) throw tooLarge();
  if (limitsFiles && size > maxFileSize) {
    throw new GoError(`decompressed chart file ${quote(name)} is larger than the maximum file size ${maxFileSize}`);
  }
}

function tooLarge(): GoError {
  return new GoError(`decompressed chart is larger than the maximum file size ${maxChartSize}`);
}
