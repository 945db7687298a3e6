// Tests the Charts screen: icons, READMEs, coverage and schemas of charts.

import assert from 'node:assert/strict';
import { chartOf, eventually } from './console-page.ts';
import { consoleTest } from './fixture.ts';

const test = consoleTest();

test('charts show their own icons, and letters instead of icons that are unsafe or elsewhere', async ({
  app,
  page,
}) => {
  const svg = (attributes: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"${attributes}><script>top.hacked = 1</script><image href="https://elsewhere.example/x.png"/><rect width="9" height="9" fill="red"/></svg>`;
  const encoded = Buffer.from(svg(' onload="top.hacked = 1"')).toString('base64');
  /** The icon of each chart, and what is shown: letters, or the width of an image. */
  const icons: Readonly<Record<string, readonly [icon: string, shown: string | number]>> = {
    'icon-code': ['javascript:top.hacked=1', 'IC'],
    'icon-data': [`data:image/svg+xml;base64,${encoded}`, 9],
    'icon-far': ['https://elsewhere.example/icon.png', 'IF'],
    'icon-file': ['./art/mark.svg', 9],
  };
  for (const [name, [icon]] of Object.entries(icons)) {
    const about = `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ntype: library\nicon: ${JSON.stringify(icon)}\n`;
    await app.dropChart(`${name} 1.0.0`, chartOf(name, { 'Chart.yaml': about, 'art/mark.svg': svg('') }));
  }
  await app.go('#/charts');
  const shown = (name: string): Promise<string | number> =>
    page.locator('.chart', { hasText: name }).evaluate((row) => {
      const image = row.querySelector<HTMLImageElement>('.tile img');
      return image?.naturalWidth ?? row.querySelector('.tile')?.textContent ?? '';
    });
  for (const [name, [, wanted]] of Object.entries(icons))
    await eventually(async () => assert.equal(await shown(name), wanted, name));
  assert.equal(await page.evaluate("'hacked' in window"), false);
  await page.getByRole('button', { name: 'Remove dropped charts' }).click();
  await page.locator('.chart', { hasText: 'icon-' }).first().waitFor({ state: 'detached' });
});

test('a README is shown as text, tables and links, and nothing in it is executed or loaded', async ({ app, page }) => {
  const readme = `# Harbour <script>window.hit = 1</script>

<img src=x onerror="window.hit = 1"> <a href="javascript:window.hit = 1">press</a>
<!-- hidden <b>
words --> seen

[run](javascript:window.hit=1) [anchor](#values) [docs](https://docs.example.com/)
![picture](https://images.example.com/p.png "p")

| name | default |
|---|---|
| <svg onload="window.hit=1"> | \`1\` |
`;
  const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  await app.dropChart('linked 1.0.0', chartOf('linked', { 'README.md': readme, 'templates/a.yaml': template }));
  await app.go('#/charts/linked/1.0.0');
  await app.openTab('README');
  const markdown = page.locator('.markdown');
  await markdown.locator('table').waitFor();
  assert.equal(await markdown.locator('script, img, svg').count(), 0);
  const links = await markdown.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  assert.deepEqual(links, ['https://docs.example.com/']);
  const text = await markdown.innerText();
  for (const word of ['Harbour', 'seen', 'picture']) assert.ok(text.includes(word), text);
  assert.doesNotMatch(text, /hidden/);
  assert.equal(await page.evaluate("'hit' in window"), false);
});

test('the coverage leads to the template line that no values reach, and a schema is derived', async ({ app, page }) => {
  await app.go('#/charts/web/1.4.2');
  await app.openTab('Coverage');
  await page.locator('.coverage-summary', { hasText: 'branch outcomes' }).waitFor();
  await page.getByLabel('Not reached').locator('.link').first().click();
  await page.locator('.chart-part .cm-lintRange').first().waitFor();
  await app.openTab('Schema');
  await page.locator('.chart-part .cm-line', { hasText: 'json-schema.org' }).waitFor();
});
