import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Host, loadChart, seededHost, template } from '../../../render/index.ts';

// Custom hosts without randomness: the same bytes each time, or an invalid prime.
const same = (byte: number): Host => ({
  ...seededHost(),
  randomBytes: (length) => new Uint8Array(length).fill(byte),
});
const rows: readonly (readonly [string, Host, string | undefined])[] = [
  ['{{ genCA "a" 1 }}', same(0), 'randomBytes'],
  ['{{ randAlpha 3 }}', same(255), 'randomBytes'],
  ['{{ randAlpha 3 }}{{ uuidv4 }}', same(0), undefined],
  ['{{ genCA "a" 1 }}', { ...seededHost(), randomPrime: () => 0n }, 'randomPrime'],
];

for (const [expression, host, source] of rows) {
  test(`a host without random numbers: ${expression} ${source ?? 'is rendered'}`, () => {
    const chart = loadChart({
      'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
      'templates/a.yaml': `a: ${expression}\n`,
    });
    const render = () => template(chart, { host });
    if (source === undefined) return assert.match(render(), /^a: AAA0{8}-/m);
    const message = new RegExp(`^options\\.host\\.${source} returned no suitable value in \\d+ draws$`);
    assert.throws(render, { name: 'RenderError', code: 'ARGUMENT_INVALID', message });
  });
}
