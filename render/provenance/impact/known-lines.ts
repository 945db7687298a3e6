// The lines of templates and readable files as digests, for finding edits.

import { sha256 } from '@noble/hashes/sha2.js';
import { type Chart, childPath } from '../../chart/chart.ts';
import { decodeBase64, encodeBase64 } from '../../go/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../../go/utf8.ts';

/** A file by the digests of its lines. */
export interface KnownFile {
  /** A digest for each non-blank line, or one for a whole file. */
  readonly marks: readonly number[];
  /** The line number (from 1) for each digest; empty if unknown. */
  readonly numbers: readonly number[];
}

// Documentation and generated files are recorded as a whole.
const maxLines = 2000;
const wholeFiles = /\.(?:md|tgz|gz|zip|png|jpg|jpeg|ico|svg)$/i;

/** Returns the digest of a text, of three bytes. */
export function markOf(text: string): number {
  const [a = 0, b = 0, c = 0] = sha256(encodeUtf8(text));
  return (a << 16) | (b << 8) | c;
}

/** Returns the digest of a line, ignoring surrounding white space. */
export function markOfLine(line: string): number {
  return markOf(line.trim());
}

/** Returns a chart and its sub-charts by path, such as `web/charts/cache`. */
export function chartsOf(chart: Chart, path = chart.metadata.name): ReadonlyMap<string, Chart> {
  const inner = chart.children.flatMap((child) => [...chartsOf(child, childPath(path, child))]);
  return new Map([[path, chart], ...inner]);
}

/** Returns the templates of a chart tree by path, and the files that they can read. */
export function* filesOf(chart: Chart): Generator<readonly [path: string, data: Uint8Array]> {
  const charts = [...chartsOf(chart)];
  for (const [path, { templates }] of charts) for (const { name, data } of templates) yield [`${path}/${name}`, data];
  if (!charts.some(([, { templates }]) => templates.some(({ data }) => decodeUtf8(data).includes('.Files')))) return;
  for (const [path, { files }] of charts) {
    for (const { name, data } of files) if (!name.startsWith('ci/')) yield [`${path}/${name}`, data];
  }
}

/** Returns the digests of an available file. */
export function knownFile(path: string, data: Uint8Array): KnownFile {
  const text = decodeUtf8(data);
  if (text.split('\n').length > maxLines || wholeFiles.test(path) || text.includes('\0')) {
    return { marks: [markOf(`whole\n${text}`)], numbers: [] };
  }
  return linesOfText(text);
}

/** Returns the digests of all lines of a text. */
export function linesOfText(text: string): KnownFile {
  const lines = text.split('\n');
  const filled = [...lines.keys()].filter((at) => lines[at]?.trim() !== '');
  return { marks: filled.map((at) => markOfLine(lines[at] ?? '')), numbers: filled.map((at) => at + 1) };
}

/** Encodes digests as text. */
export function packMarks(marks: readonly number[]): string {
  return encodeBase64(Uint8Array.from(marks.flatMap((mark) => [mark >> 16, (mark >> 8) & 255, mark & 255])));
}

/** Decodes digests. */
export function unpackMarks(text: string): number[] {
  const bytes = decodeBase64(text);
  const marks: number[] = [];
  for (let at = 0; at + 2 < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    marks.push((a << 16) | (b << 8) | c);
  }
  return marks;
}
