// The outputs of an Order agree: for generated Orders of the fixture charts, the manifest, both resource lists, the objects applied by
// the kubectl script, and Helm's rendering of the values in the Helm script are the same. `npm run test:e2e -- scripts` compares with the
// real Helm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderedOrder } from '../../../render/api/order.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { seededHost } from '../../../render/core/host.ts';
import { runInstall } from '../../../render/engine/release.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { fc } from '../../support/fast-check.ts';
import { generatedOrder } from '../../support/generated-orders.ts';
import { objectTexts } from '../../support/objects.ts';
import { renderSample } from '../../support/orders.ts';
import { runScript, shells } from '../../support/shells.ts';

const embedded = fc.constant({ kind: 'Embed', name: 'sample' });

const unique = (objects: readonly string[]): string[] => [...new Set(objects)].sort();

/** Returns the objects that the kubectl script applies, in order, except for its own records. */
function appliedBy(rendered: RenderedOrder, shell: readonly string[]): string[] {
  const run = runScript(rendered.yamlScript(), shell);
  assert.equal(run.code, 0, run.stderr);
  const documents = run.calls.filter(({ words }) => ['apply', 'create'].includes(words[0] ?? ''));
  const records = rendered.packages.map(({ release }) => `\n  name: drydock-${release.name}\n`);
  const others = documents.filter(({ document }) => !records.some((record) => document.includes(record)));
  return others.flatMap(({ document }) => objectTexts(document));
}

/** Returns Helm's rendering of the values that the Helm script passes, in the order of the manifest. */
function renderedByHelm(rendered: RenderedOrder, shell: readonly string[]): string {
  const run = runScript(rendered.helmScript(), shell);
  assert.equal(run.code, 0, run.stderr);
  const upgrades = run.calls.filter(({ words }) => words[0] === 'upgrade');
  assert.equal(upgrades.length, rendered.packages.length);
  const packages = rendered.packages.map((item, index) => {
    const { words = [], document = '' } = upgrades[index] ?? {};
    const release = runInstall(item.chart, {
      name: words[2] as string,
      namespace: words[words.indexOf('--namespace') + 1] as string,
      values: parseYamlMap(document),
      capabilities: createCapabilities({ kubeVersion: rendered.kubeVersion }),
      host: seededHost(),
    });
    return [...release.crds, ...release.hooks.filter(isInstalled), ...release.manifests];
  });
  return packages
    .flat()
    .map(({ content }) => `---\n${content}\n`)
    .join('');
}

const isInstalled = ({ events }: { readonly events: readonly string[] }): boolean =>
  events.some((event) => event === 'pre-install' || event === 'post-install');

test('all outputs of generated Orders agree', async () => {
  let runs = 0;
  const property = fc.asyncProperty(generatedOrder(embedded), async (input) => {
    const rendered = await renderSample(input);
    const shell = shells[runs++ % shells.length]?.command ?? ['sh'];
    const manifest = objectTexts(rendered.manifest());
    for (const format of ['yaml', 'json'] as const) {
      const lists = rendered.resources({ format }).flatMap((list) => [...list.crds, ...list.resources]);
      assert.deepEqual(unique(lists.flatMap(({ data }) => objectTexts(data))), unique(manifest));
    }
    const skipped = rendered.resources({ skipCRDs: true }).flatMap((list) => [...list.crds, ...list.resources]);
    assert.deepEqual(
      unique(skipped.flatMap(({ data }) => objectTexts(data))),
      unique(objectTexts(rendered.manifest({ skipCRDs: true }))),
    );
    assert.deepEqual(appliedBy(rendered, shell), manifest);
    assert.deepEqual(unique(objectTexts(renderedByHelm(rendered, shell))), unique(manifest));
  });
  await fc.assert(property, { numRuns: 10 });
});
