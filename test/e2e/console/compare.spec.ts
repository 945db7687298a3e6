// Tests that Compare shows what changes, entry by entry: a chart that prints what it is rendered for is compared with another Kubernetes
// version, another Helm, another version of itself, a saved Order and a file.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { packChart } from '../../../render/vendor/lock/bundle.ts';
import { chartOf, eventually, fill } from './console-page.ts';
import { consoleTest, type Fixture } from './fixture.ts';

const test = consoleTest();

/** A chart whose objects show what they are rendered for. The second version has another name for one. */
function turns(version: string): Uint8Array {
  const said = `apiVersion: v1
kind: ConfigMap
metadata: {name: said}
data:
  helm: {{ (splitList "." .Capabilities.HelmVersion.Version) | first | quote }}
  kube: {{ .Capabilities.KubeVersion.Minor | quote }}
  word: {{ .Values.word | quote }}
  settings.json: {{ dict "level" (dict "of" .Chart.Version) | toJson | quote }}
`;
  const pods = `apiVersion: apps/v1
kind: Deployment
metadata: {name: pods}
spec:
  selector: {matchLabels: {app: pods}}
  template: {metadata: {labels: {app: pods, version: "{{ .Chart.Version }}"}}, spec: {containers: [{name: pod, image: a}]}}
`;
  const own = version === '1.0.0' ? 'old' : 'new';
  const renamed = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${own}}\ndata: {a: b, c: d, e: f}\n`;
  const files = {
    'values.yaml': 'word: first\n',
    'templates/said.yaml': said,
    'templates/pods.yaml': pods,
    [`templates/${own}.yaml`]: renamed,
  };
  return chartOf('turns', files, version);
}

/** Composes an Order of the chart, and opens Compare. */
async function openCompare({ app, page }: Fixture): Promise<void> {
  for (const version of ['2.0.0', '1.0.0']) await app.dropChart(`turns ${version}`, turns(version));
  await page.locator('#package-version').fill('1.0.0');
  await fill(page.locator('.targets input'), 'v1.30.0');
  await app.untilOutlined('old');
  await app.openTab('Compare');
  await page.locator('.preview-body .empty', { hasText: 'Nothing to compare with yet' }).waitFor();
}

/** Returns a line for each object and each of its entries. */
function shownDifference(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const textOf = (one: Element | null): string => (one?.textContent ?? '').replace(/\s+/g, ' ').trim();
    const all = (where: ParentNode, selector: string): HTMLElement[] => [
      ...where.querySelectorAll<HTMLElement>(selector),
    ];
    const entryOf = (one: HTMLElement): string =>
      [one.dataset.op, ...all(one, 'code, del, ins').map(textOf)].join(' | ');
    return [
      ...all(document, '.restarts, .preview-body .empty-title').map(textOf),
      ...all(document, '.change').flatMap((change) => [
        textOf(change.querySelector('summary')),
        ...all(change, '.entry').map(entryOf),
      ]),
    ];
  });
}

function expectDifference(page: Page, lines: readonly string[]): Promise<void> {
  return eventually(async () => assert.deepEqual(await shownDifference(page), lines));
}

const heading = 'changed ConfigMap default/said';

test('another Kubernetes version and another Helm', async (fixture) => {
  const { app, page } = fixture;
  await openCompare(fixture);
  await app.compareWith('Kubernetes v1.28.0');
  await expectDifference(page, [heading, 'change | data.kube | 30 | 28']);
  await app.compareWith('Helm 4');
  await expectDifference(page, [heading, 'change | data.helm | v3 | v4']);
});

test('another version of the chart', async (fixture) => {
  const { app, page } = fixture;
  await openCompare(fixture);
  await app.compareWith('turns: turns 2.0.0');
  await expectDifference(page, [
    '1 workload restarts: Deployment default/pods',
    'renamed ConfigMap default/new, was default/old',
    heading,
    'change | data["settings.json"] | level.of | 1.0.0 | 2.0.0',
    'changed Deployment default/pods',
    'change | spec.template.metadata.labels.version | 1.0.0 | 2.0.0',
  ]);
});

test('a saved Order, a file, another file of the same name, and a file that is not an Order', async (fixture) => {
  const { app, page } = fixture;
  await openCompare(fixture);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await app.compareWith('my-order of');
  await expectDifference(page, ['No differences']);
  const before = await app.orderText();
  await fill(app.valueField('word'), 'second');
  await expectDifference(page, [heading, 'change | data.word | first | second']);
  const third = before.replace('releaseName: turns', 'releaseName: turns\n        values: {word: third}');
  await app.compareWithFile('mine.yaml', third);
  await expectDifference(page, [heading, 'change | data.word | third | second']);
  await app.compareWithFile('mine.yaml', before);
  await expectDifference(page, [heading, 'change | data.word | first | second']);
  await app.compareWithFile('broken.yaml', 'a: b: c');
  await page.locator('.preview-body .fault').waitFor();
});

test('an upgrade moves a value to its new name', async ({ app, page }) => {
  const renamed = [...readChartFiles('fixtures/charts/web')].map(([path, bytes]) => {
    if (!['Chart.yaml', 'values.yaml', 'templates/deployment.yaml'].includes(path)) return [path, bytes] as const;
    const text = Buffer.from(bytes).toString().replace('version: 1.4.2', 'version: 2.0.0');
    return [path, new TextEncoder().encode(text.replaceAll('replicaCount', 'copies'))] as const;
  });
  await app.dropChart('web 2.0.0', packChart('web', new Map(renamed)));
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await app.addRendered('web 1.4.2');
  await fill(app.valueField('replicaCount'), '3');
  await app.openTab('Compare');
  await app.compareWith('web: web 2.0.0');
  await page.locator('.upgrade', { hasText: 'replicaCount' }).filter({ hasText: 'copies' }).waitFor();
  await page.getByRole('button', { name: 'Upgrade to 2.0.0' }).click();
  await app.openTab('Order YAML');
  await page.locator('.writing .cm-line', { hasText: 'copies: 3' }).waitFor();
  await page.locator('.writing .cm-line', { hasText: 'version: 2.0.0' }).waitFor();
});
