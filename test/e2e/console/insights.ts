// Tests the console's analyses of charts: computed values, upgrades with the user's values, coverage, schemas; and the tour.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { type ConsolePage, withWeb } from './page.ts';

// A second version of the chart web, in which a value is renamed.
const folder = await mkdtemp(join(tmpdir(), 'drydock-insights-'));
const next = join(folder, 'web');
await cp('fixtures/charts/web', next, { recursive: true });
for (const file of ['Chart.yaml', 'values.yaml', 'templates/deployment.yaml']) {
  const text = await readFile(join(next, file), 'utf8');
  await writeFile(
    join(next, file),
    text.replace('version: 1.4.2', 'version: 2.0.0').replaceAll('replicaCount', 'copies'),
  );
}
async function findOut(page: ConsolePage): Promise<void> {
  await page.locator('#value-replicaCount').fill('3');

  await page.getByRole('tab', { name: 'Computed values' }).click();
  await page.locator('[aria-label="Values to show"]').selectOption({ label: 'Different from the default' });
  await page.waitForSelector('.row-item:has-text("replicaCount"):has-text("overrides web/values.yaml")');
  check('a computed value is listed with what sets it and what that overrides', true);

  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('.compare-choice select').selectOption({ label: 'web: web 2.0.0' });
  await page.waitForSelector('.upgrade:has-text("replicaCount"):has-text("copies")');
  await page.getByRole('button', { name: 'Upgrade to 2.0.0' }).click();
  await page.getByRole('tab', { name: 'Order YAML' }).click();
  await page.waitForSelector('.writing .cm-line:has-text("copies: 3")');
  await page.waitForSelector('.writing .cm-line:has-text("version: 2.0.0")');
  check('an upgrade moves a value to its new name', true);

  await page.evaluate("location.hash = '#/charts/web/1.4.2'");
  await page.getByRole('tab', { name: 'Coverage' }).click();
  await page.waitForSelector('.coverage-summary:has-text("branch outcomes")');
  await page.locator('[aria-label="Not reached"] .link >> nth=0').click();
  await page.waitForSelector('.chart-part .cm-lintRange');
  check('what no values reach leads to its line in the template', true);
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page.waitForSelector('.chart-part .cm-line:has-text("json-schema.org")');
  check('a schema is derived for a chart without one', true);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Take the tour');
  await page.keyboard.press('Enter');
  for (let step = 1; step < 6; step++) {
    await page.waitForSelector(`.tour:has-text("${step} of 6")`);
    await page.waitForSelector('[data-tour]');
    await page.getByRole('button', { name: 'Next' }).click();
  }
  await page.getByRole('button', { name: 'Done' }).click();
  check('the tour shows six parts of the console', (await page.locator('.tour, [data-tour]').count()) === 0);
}

try {
  await withWeb(findOut, ['--charts', folder]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
