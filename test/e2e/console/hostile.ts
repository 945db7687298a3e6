// Tests that hostile charts and archives are refused with a message and the page goes on, in the static demo, where everything runs in
// the page. `node --import tsx test/e2e/console/hostile.ts`

import { packChart } from '../../../render/vendor/lock/pack.ts';
import { bundleDemo } from '../../../scripts/build/demo.ts';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import { type ConsolePage, chartArchive, dropFile, launchBrowser, serveFiles, untilOutlined } from './page.ts';

/** Charts that never end, print too much, or call themselves, with the expected message. */
const charts: readonly { readonly name: string; readonly template: string; readonly message: RegExp }[] = [
  {
    name: 'endless',
    template: '{{ range until 100000 }}{{ range until 100000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}',
    message: /took longer than 5000 ms and was stopped/,
  },
  {
    name: 'huge',
    template: 'a: {{ repeat 104857600 "x" }}',
    message: /bytes|MiB|limit|took longer/,
  },
  {
    name: 'many',
    template: '{{ range until 100000 }}\n  k{{ . }}: {{ repeat 1100 "y" }}{{ end }}',
    message: /bytes|MiB|limit|took longer/,
  },
  {
    name: 'itself',
    template: '{{ define "me" }}{{ include "me" . }}{{ end }}{{ include "me" . }}',
    message: /nested reference name: me|calls or values are nested too deep/,
  },
  {
    name: 'doubled',
    template: '{{ $x := "abcdefgh" }}{{ range until 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}a: {{ len $x }}',
    message: /bytes|MiB|limit|took longer|memory|longer/i,
  },
];

/** Invalid archives, or archives that decompress without end, with the expected message. */
const archives: readonly { readonly name: string; readonly bytes: () => Uint8Array; readonly message: RegExp }[] = [
  { name: 'bomb.tgz', bytes: () => bomb(), message: /bomb\.tgz: .+/ },
  {
    name: 'noise.tgz',
    bytes: () => Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251),
    message: /noise\.tgz: .+/,
  },
  { name: 'cut.tgz', bytes: () => chartArchive('cut', 'a: b').slice(0, 150), message: /cut\.tgz: .+/ },
];

// Some 200 KB that decompress to 200 MiB.
function bomb(): Uint8Array {
  const files = new Map([
    ['Chart.yaml', new TextEncoder().encode('apiVersion: v2\nname: bomb\nversion: 1.0.0\n')],
    ['files/zeros', new Uint8Array(200 * 1024 * 1024)],
  ]);
  return packChart('bomb', files);
}

async function normalized(page: ConsolePage): Promise<void> {
  await page.waitForSelector('.status[data-state=good][data-busy=false]');
}

/** The error message of a chart; the page must respond while it runs. */
async function faultOf(
  page: ConsolePage,
  name: string,
  template: string,
): Promise<{ message: string; slowest: number }> {
  await dropFile(page, `${name}-1.0.0.tgz`, chartArchive(name, template));
  let slowest = 0;
  let says = '';
  await until(
    `an end of ${name}`,
    async () => {
      const started = performance.now();
      says = await page.evaluate<string>(
        `[...document.querySelectorAll('.preview .fault')].map(({ textContent }) => textContent).find((text) => text.includes('${name}') || /Order|rendering/.test(text)) ?? ''`,
      );
      slowest = Math.max(slowest, performance.now() - started);
      return says !== '';
    },
    60,
  );
  return { message: says, slowest };
}

const readme = `# Harbour <script>window.hit = 1</script>

<img src=x onerror="window.hit = 1"> <a href="javascript:window.hit = 1">press</a>
<!-- hidden <b>
words --> seen

<details open ontoggle="window.hit = 1"><summary>more</summary>inner</details>

[run](javascript:window.hit=1) [data](data:text/html,<script>window.hit=1</script>) [anchor](#values) [docs](https://docs.example.com/)
![picture](https://images.example.com/p.png "p") ![own](./p.png)

| name | default |
|---|---|
| <svg onload="window.hit=1"> | \`1\` |
`;

/** A README is shown as text, tables and links: nothing in it is executed or loaded. */
async function showReadme(page: ConsolePage): Promise<void> {
  const written = {
    'Chart.yaml': 'apiVersion: v2\nname: linked\nversion: 1.0.0\n',
    'README.md': readme,
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  };
  const bytes = Object.entries(written).map(([path, text]) => [path, new TextEncoder().encode(text)] as const);
  await dropFile(page, 'linked-1.0.0.tgz', packChart('linked', new Map(bytes)));
  await page.waitForSelector('.said:has-text("linked 1.0.0")');
  await page.evaluate("location.hash = '#/charts/linked/1.0.0'");
  await page.getByRole('tab', { name: 'README' }).click();
  await page.waitForSelector('.markdown table');
  const shownReadme = await page.evaluate<{ hit: unknown; tags: string[]; links: string[]; text: string }>(`(() => {
    const shown = document.querySelector('.markdown');
    return { hit: window.hit ?? null, tags: [...new Set([...shown.querySelectorAll('*')].map(({ localName }) => localName))],
      links: [...shown.querySelectorAll('a')].map(({ href }) => href), text: shown.textContent };
  })()`);
  const odd = shownReadme.tags.filter((tag) => /^(?:script|img|svg|details|iframe|style|form|input)$/.test(tag));
  check(`a README runs and loads nothing ${odd.join(' ')}`, shownReadme.hit === null && odd.length === 0);
  check(`its links are ${shownReadme.links.join(' ')}`, shownReadme.links.join(' ') === 'https://docs.example.com/');
  check(
    'its words are there, and its comments are not',
    /Harbour/.test(shownReadme.text) &&
      /seen/.test(shownReadme.text) &&
      /picture/.test(shownReadme.text) &&
      !/hidden/.test(shownReadme.text),
  );
}

const files = await bundleDemo();
const { server, url } = await serveFiles(files);
const browser = await launchBrowser();
try {
  const page = (await browser.newPage()) as unknown as ConsolePage;
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => void errors.push(message));
  page.on('crash', () => void errors.push('the page crashed'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await page.waitForSelector('.add-chart button:not([disabled])');
  await dropFile(page, 'good-1.0.0.tgz', chartArchive('good', 'a: b'));
  await untilOutlined(page, 'good');
  for (const { name, template, message: says } of charts) {
    const fault = await faultOf(page, name, template);
    const kept = await page.evaluate<number>("document.querySelectorAll('.outline-row').length");
    check(`${name}: ${fault.message.slice(0, 160)}`, says.test(fault.message) && kept > 0);
    check(`${name}: the page answered within ${Math.round(fault.slowest)} ms`, fault.slowest < 3000);
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await normalized(page);
  }
  for (const { name, bytes, message: says } of archives) {
    await dropFile(page, name, bytes());
    await page.waitForSelector(`.said[data-error=true]:has-text("${name}")`);
    const words = (await page.locator('.said').textContent()) ?? '';
    check(`${name}: ${words.slice(0, 160)}`, says.test(words));
  }
  await dropFile(page, 'after-1.0.0.tgz', chartArchive('after', 'a: b'));
  await untilOutlined(page, 'after');
  check('what comes after them is rendered as ever', true);
  await showReadme(page);
  check(`no error is thrown ${errors.join(' | ').slice(0, 500)}`, errors.length === 0);
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
