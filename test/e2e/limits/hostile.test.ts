// Strings that try to break out of quotes: each is rejected with its path, or reaches the tool unchanged without any other effect.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RenderedOrder } from '../../../render/api/order.ts';
import type { Chart } from '../../../render/chart/chart.ts';
import { folderRegistry } from '../../../render/chart/registry.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { JsonObject } from '../../../render/order/order.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { hostileWords } from '../../support/hostile-words.ts';
import { chartsDirectory, renderSample } from '../../support/orders.ts';
import { needsTools, runScript, shells, testShellCheck } from '../../support/shells.ts';

const folder = temporaryFolder('canary-');
const canary = join(folder, 'executed');

const words = hostileWords(canary);

type Fill = (word: string) => JsonObject;
const base: JsonObject = {
  name: 'web',
  sourceRef: { kind: 'Embed', name: 'web' },
  releaseName: 'web',
  namespace: 'shop',
};
const wait = (more: JsonObject): JsonObject => ({
  waitFors: [{ resource: { group: 'pods', resource: 'x' }, for: 'condition=Ready', timeout: '1s', ...more }],
});

// The fields for hostile strings. Trailing spaces make the names of several tests for one field unique.
const places: Readonly<Record<string, Fill>> = {
  name: (word) => ({ name: word }),
  version: (word) => ({ version: word }),
  releaseName: (word) => ({ releaseName: word }),
  namespace: (word) => ({ namespace: word }),
  valuesFile: (word) => ({ valuesFile: word }),
  sourceRef: (word) => ({ sourceRef: { kind: 'Local', name: word } }),
  'sourceRef ': (word) => ({ sourceRef: { kind: 'HelmRepository', name: `https://charts.example.com/${word}` } }),
  'sourceRef  ': (word) => ({ sourceRef: { kind: 'HelmRepository', name: word } }),
  url: (word) => ({ sourceRef: null, url: `oci://registry.example.com/${word}` }),
  waitFors: (word) => wait({ for: word }),
  'waitFors ': (word) => wait({ for: `jsonpath={${word}}=x` }),
  'waitFors  ': (word) => wait({ resource: { group: word, resource: 'x' } }),
  'waitFors   ': (word) => wait({ resource: { group: 'pods', resource: word } }),
  'waitFors    ': (word) => wait({ resource: { group: 'pods' }, labels: { matchLabels: { app: word } } }),
  'waitFors     ': (word) => wait({ timeout: word }),
  resources: (word) => ({ resources: { owned: [{ group: 'example.com', version: 'v1', resource: word }] } }),
  'resources ': (word) => ({ resources: { required: [{ group: word, version: 'v1', resource: 'x' }] } }),
  values: (word) => ({ values: { [word]: [word, { [word]: word }] } }),
};

let tried = 0;
const accepted: { readonly place: string; readonly word: string; readonly chart: JsonObject }[] = [];
for (const [place, fill] of Object.entries(places)) {
  test(`a hostile ${place.trim()} is rejected with its path, or accepted unchanged`, () => {
    for (const word of words) {
      tried++;
      const chart = { ...base, ...fill(word) };
      try {
        validateOrder({ spec: { packages: [{ chart }] } });
        accepted.push({ place, word, chart });
      } catch (error) {
        assert.ok(error instanceof RenderError);
        assert.equal(error.code, 'ORDER_INVALID');
        const errors = error.issues.filter((issue) => issue.severity === 'error');
        assert.ok(errors.length > 0);
        for (const { path } of errors) assert.ok(path.startsWith(`spec.packages[0].chart.${place.trim()}`), path);
      }
    }
  });
}

// One package for each accepted string; all values are in one package.
async function renderAccepted(): Promise<RenderedOrder> {
  const values = Object.fromEntries(words.map((word, index) => [word, [word, { [word]: index }]]));
  const charts = accepted
    .filter(({ place }) => !['name', 'valuesFile', 'values'].includes(place))
    .map(({ chart }, index) => (chart.releaseName === 'web' ? { ...chart, releaseName: `web-${index}` } : chart));
  const packages = [...charts, { ...base, values }].map((chart) => ({ chart }));
  const registry = folderRegistry([chartsDirectory]);
  const resolve = (): Promise<Chart> =>
    registry.resolve({ name: 'values-as-json', version: '', sourceRef: { kind: 'Embed', name: 'values-as-json' } });
  return renderSample({ spec: { packages } }, { chartPath: undefined, registry: { resolve } });
}

// The output of `helm repo list`: every accepted repository name.
const repositories = `if [ "$1 $2" = 'repo list' ]; then cat <<'LIST'
NAME  \tURL
${words.map((word) => `${word}  \thttps://charts.example.com`).join('\n')}
LIST
fi`;

test('accepted strings execute nothing in any shell and arrive unchanged', async () => {
  assert.ok(tried > 1000);
  assert.ok(accepted.length > 100);
  const rendered = await renderAccepted();
  // Takes some seconds per shell, so only full runs use all of them.
  const [first, ...others] = shells;
  for (const script of [rendered.helmScript(), rendered.yamlScript()]) {
    const isFull = needsTools && script === rendered.helmScript();
    for (const { command } of [first ?? { command: ['sh'] }, ...(isFull ? others : [])]) {
      const { code, calls, stderr } = runScript(script, command, { behavior: repositories });
      assert.equal(code, 0, stderr);
      const text = calls.map((call) => call.words.join('\n')).join('\n');
      for (const { place, word } of accepted) {
        if (place.trim() === 'waitFors') assert.ok(text.includes(word), `${place}: ${word}`);
      }
    }
  }
  assert.equal(existsSync(canary), false);
});

// The strings intentionally look like expansions.
testShellCheck('a script of hostile words', async () => (await renderAccepted()).helmScript(), [
  'SC1003',
  'SC1112',
  'SC2016',
]);
