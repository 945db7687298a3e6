// Digests of bytes, and of a chart's content, which a folder and its archive share.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { emitJson } from '../codec/json.ts';
import { getOrCreate } from '../core/lazy.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import type { Chart } from './chart.ts';

/** Returns the SHA-256 of bytes in the format of lock files: `sha256:` and 64 digits. */
export function digestBytes(data: Uint8Array): string {
  return `sha256:${bytesToHex(sha256(data))}`;
}

const known = new WeakMap<Chart, string>();

/** Returns the SHA-256 of a chart and its subcharts, such as `sha256:9f86…`: equal charts have equal digests. */
export function digestChart(chart: Chart): string {
  return getOrCreate(known, chart, () => `sha256:${bytesToHex(contentHash(chart))}`);
}

// Every part is prefixed with its length, so that different charts cannot produce the same bytes.
function contentHash(chart: Chart): Uint8Array {
  const hash = sha256.create();
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? encodeUtf8(part) : part;
    hash.update(encodeUtf8(`${bytes.length}\n`)).update(bytes);
  };
  const { annotations, dependencies, ...metadata } = chart.metadata;
  add(JSON.stringify([metadata, [...annotations].sort()]));
  for (const { importValues, ...dependency } of dependencies) {
    add(JSON.stringify(dependency));
    add(emitJson([...importValues]));
  }
  add(emitJson(chart.values));
  add(chart.schema ?? '');
  for (const files of [chart.templates, chart.files]) {
    add(String(files.length));
    for (const { name, data } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      add(name);
      add(data);
    }
  }
  const children = chart.children.map((child) => bytesToHex(contentHash(child)));
  add(children.sort().join('\n'));
  return hash.digest();
}
