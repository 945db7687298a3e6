// Tests that hostile charts and archives are rejected with a message while the page stays responsive, in the static demo, where everything
// runs in the page.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { packChart } from '../../../render/vendor/lock/bundle.ts';
import { chartArchive, eventually } from './console-page.ts';
import { demoTest } from './fixture.ts';

const test = demoTest();

const tooLarge = /bytes|MiB|limit|took longer/;
const charts: readonly { readonly name: string; readonly template: string; readonly message: RegExp }[] = [
  {
    name: 'endless',
    template: '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}',
    message: /took longer than 5000 ms and was stopped/,
  },
  { name: 'huge', template: 'a: {{ repeat 104857600 "x" }}', message: tooLarge },
  {
    name: 'many',
    template: '{{ range until 100000 }}\n  k{{ . }}: {{ repeat 1100 "y" }}{{ end }}',
    message: tooLarge,
  },
  {
    name: 'itself',
    template: '{{ define "me" }}{{ include "me" . }}{{ end }}{{ include "me" . }}',
    message: /nested reference name: me|calls or values are nested too deep/,
  },
  {
    name: 'doubled',
    template: '{{ $x := "abcdefgh" }}{{ range until 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}a: {{ len $x }}',
    message: /bytes|MiB|limit|took longer|memory/i,
  },
];

describe('Charts', () => {
  for (const { name, template, message } of charts)
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
      await app.dropFile('after-1.0.0.tgz', chartArchive('after', 'a: b'));
      await app.untilOutlined('after');
    });
});

/** Some 200 KB that decompress to 200 MiB. */
function bomb(): Uint8Array {
  const files = new Map([
    ['Chart.yaml', new TextEncoder().encode('apiVersion: v2\nname: bomb\nversion: 1.0.0\n')],
    ['files/zeros', new Uint8Array(200 * 1024 * 1024)],
  ]);
  return packChart('bomb', files);
}

const archives = {
  'bomb.tgz': bomb,
  'noise.tgz': () => Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251),
  'cut.tgz': () => chartArchive('cut', 'a: b').slice(0, 150),
};

describe('Archives', () => {
  for (const [name, bytes] of Object.entries(archives))
    test(`the archive ${name} is rejected`, async ({ app, page }) => {
      await page.locator('.add-chart button:enabled').waitFor();
      await app.dropFile(name, bytes());
      const message = page.locator('.said[data-error=true]', { hasText: name });
      assert.match(await message.innerText(), new RegExp(`${name}: .+`));
      await app.dropFile('after-1.0.0.tgz', chartArchive('after', 'a: b'));
      await app.untilOutlined('after');
    });
});
