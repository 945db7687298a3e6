// Tests that hostile charts and archives are rejected with a message while the page stays responsive, in the static demo, where everything
// runs in the page.

import assert from 'node:assert/strict';
import { packChart } from '../../../render/vendor/lock/bundle.ts';
import { chartArchive, eventually } from './console-page.ts';
import { demoTest } from './fixture.ts';

const test = demoTest();

const charts: readonly (readonly [name: string, template: string, message: RegExp])[] = [
  [
    'endless',
    '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}',
    /took longer than 5000 ms and was stopped/,
  ],
  ['huge', 'a: {{ repeat 104857600 "x" }}', /bytes|MiB|limit|took longer/],
  [
    'itself',
    '{{ define "me" }}{{ include "me" . }}{{ end }}{{ include "me" . }}',
    /nested reference name: me|calls or values are nested too deep/,
  ],
];

for (const [name, template, message] of charts)
  test(`the chart ${name} is stopped, and the last preview stays`, async ({ app, page }) => {
    await page.locator('.add-chart button:enabled').waitFor();
    await app.dropFile('good-1.0.0.tgz', chartArchive('good', 'a: b'));
    await app.untilOutlined('good');
    await app.dropFile(`${name}-1.0.0.tgz`, chartArchive(name, template));
    let slowest = 0;
    await eventually(async () => {
      const started = performance.now();
      const faults = await page.locator('.preview .fault').allTextContents();
      slowest = Math.max(slowest, performance.now() - started);
      assert.match(faults.join('\n'), message);
    }, 60);
    assert.ok(slowest < 3000, `the page answered after ${slowest} ms`);
    await app.untilOutlined('good');
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await app.untilValid();
  });

/** Some 200 KB that decompress to 200 MiB. */
function bomb(): Uint8Array {
  const files = new Map([
    ['Chart.yaml', new TextEncoder().encode('apiVersion: v2\nname: bomb\nversion: 1.0.0\n')],
    ['files/zeros', new Uint8Array(200 * 1024 * 1024)],
  ]);
  return packChart('bomb', files);
}

for (const [name, bytes] of [
  ['bomb.tgz', bomb],
  ['cut.tgz', () => chartArchive('cut', 'a: b').slice(0, 150)],
] as const)
  test(`the archive ${name} is rejected`, async ({ app, page }) => {
    await page.locator('.add-chart button:enabled').waitFor();
    await app.dropFile(name, bytes());
    const message = page.locator('.said[data-error=true]', { hasText: name });
    assert.match(await message.innerText(), new RegExp(`${name}: .+`));
    await app.dropFile('after-1.0.0.tgz', chartArchive('after', 'a: b'));
    await app.untilOutlined('after');
  });
