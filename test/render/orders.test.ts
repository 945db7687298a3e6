// Complete Orders: their outputs agree, and errors are reported.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RenderedOrder } from '../../render/api/order.ts';
import { inspectOrder } from '../../render/api/order.ts';
import { folderRegistry } from '../../render/chart/registry.node.ts';
import { emitYaml } from '../../render/codec/yaml/emit.ts';
import { parseYamlMap } from '../../render/codec/yaml/parse.ts';
import { type Issue, RenderError } from '../../render/core/errors.ts';
import type { GoMap } from '../../render/go/value.ts';
import { identity, objectsIn, withoutAddedFields } from '../support/objects.ts';
import { chartsDirectory, listOrders, loadOrder, ordersDirectory, renderSample, scriptsOf } from '../support/orders.ts';

const orders = new Map<string, RenderedOrder>();
for (const name of listOrders()) orders.set(name, await renderSample(loadOrder(name)));

const textOf = (object: GoMap): string => emitYaml(withoutAddedFields(object));

for (const [name, rendered] of orders) {
  test(`${name}: the resource lists contain the objects of the manifest`, () => {
    const manifest = objectsIn(rendered.manifest()).map(textOf);
    for (const format of ['yaml', 'json'] as const) {
      const lists = rendered.resources({ format }).map((list) => [...list.crds, ...list.resources]);
      assert.deepEqual(
        lists.flat().map(({ data }) => textOf(parseYamlMap(data))),
        manifest,
      );
      for (const list of lists) {
        assert.equal(new Set(list.map(({ key }) => key)).size, list.length);
        assert.equal(new Set(list.map(({ filename }) => filename)).size, list.length);
        assert.ok(list.every(({ filename }) => filename.endsWith(`.${format}`)));
      }
    }
  });

  test(`${name}: skipping CRDs removes exactly these`, () => {
    const all = rendered.resources();
    const some = rendered.resources({ skipCRDs: true });
    assert.deepEqual(
      some,
      all.map((list) => ({ ...list, crds: [] })),
    );
    const left = objectsIn(rendered.manifest({ skipCRDs: true })).map(identity);
    const crds = all.flatMap((list) => list.crds.map(({ data }) => identity(parseYamlMap(data))));
    assert.deepEqual(
      left,
      objectsIn(rendered.manifest())
        .map(identity)
        .filter((id) => !crds.includes(id)),
    );
  });

  test(`${name}: the same seed gives the same bytes`, async () => {
    const again = await renderSample(loadOrder(name));
    assert.equal(again.manifest(), rendered.manifest());
    assert.deepEqual(scriptsOf(again), scriptsOf(rendered));
  });

  test(`${name}: no issues`, () => {
    assert.deepEqual(rendered.warnings, []);
  });
}

for (const file of readdirSync(join(ordersDirectory, 'invalid')).filter((name) => !name.endsWith('.issues.json'))) {
  test(`invalid/${file} has the issues in the file beside it`, async () => {
    const want = JSON.parse(
      readFileSync(join(ordersDirectory, 'invalid', file.replace('.json', '.issues.json')), 'utf8'),
    ) as unknown;
    const registry = folderRegistry([chartsDirectory]);
    const issues = await inspectOrder(loadOrder(`invalid/${file}`), { registry }).catch(
      (error: unknown): readonly Issue[] => {
        assert.ok(error instanceof RenderError);
        return error.issues;
      },
    );
    assert.deepEqual(
      issues.map(({ path, severity }) => ({ path, severity })),
      want,
    );
  });
}
