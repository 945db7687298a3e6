// Documents that end in every kind of scalar: each form of an Order has the strings of Helm's manifest, byte for byte, as parsed by another
// library.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { memoryRegistry } from '../../../render/chart/registry.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { fc } from '../../support/fast-check.ts';
import { runScript } from '../../support/shells.ts';

async function render(template: string): Promise<RenderedOrder | undefined> {
  const files = { 'Chart.yaml': 'apiVersion: v2\nname: ends\nversion: 1.0.0\n', 'templates/all.yaml': template };
  const chart = loadChart(new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)])));
  const selection = {
    name: 'ends',
    releaseName: 'ends',
    namespace: 'shop',
    sourceRef: { kind: 'Embed', name: 'ends' },
  };
  try {
    return await renderOrder({ spec: { packages: [{ chart: selection }] } }, { registry: memoryRegistry([chart]) });
  } catch (error) {
    // Some texts are not valid YAML, for Helm either.
    if (error instanceof RenderError && error.code === 'MANIFEST_INVALID') return undefined;
    throw error;
  }
}

/** The strings of each ConfigMap in a text, by its name. */
function textsIn(text: string): Record<string, unknown> {
  const documents = parseAllDocuments(text, { version: '1.1' });
  const objects = documents.map(
    (document) => document.toJS() as { kind: string; metadata: { name: string }; data: unknown } | null,
  );
  return Object.fromEntries(
    objects.filter((object) => object?.kind === 'ConfigMap').map((object) => [object?.metadata.name, object?.data]),
  );
}

const lines = fc.array(
  fc.constantFrom('a', 'b c', '', '  deeper', '# no comment', 'x: y', '--- x', '\ttab', 'ü', 'trailing  ', '{{ "t" }}'),
  { minLength: 1, maxLength: 4 },
);
const breaks = fc.constantFrom('', '\n', '\n\n', '\n   \n', '\n    \n\n');
const block = fc
  .tuple(fc.constantFrom('|', '|-', '|+', '>', '>-', '>+', '|2', '|2+', '>2-'), lines, breaks)
  .map(([style, all, tail]) => `${style}\n${all.map((line) => `    ${line}`).join('\n')}${tail}`);
const flow = fc
  .tuple(fc.constantFrom('"', "'", ''), fc.array(fc.constantFrom('a', 'b c', 'ü', 'x'), { minLength: 1, maxLength: 3 }))
  .map(([quote, words]) => `${quote}${words.join('\n\n    ')}${quote}`);
const other = fc.constantFrom('""', "''", '"a\\n"', '"\\n\\n"', '!!str 1', '&a b', '{inner: "x\\n"}', '[]', '');
const ending = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: block }, flow, other),
    fc.constantFrom('', '\n', '\n\n\n', '\n# end', '\n  # end\n'),
  )
  .map(([value, end]) => `${value}${end}`);
const separator = fc.constantFrom('\n---\n', '\n--- # next\n', '\n---   \n', '\n\n---\n# head\n');

test('every form of an Order has the strings of the manifest, for each scalar that may end a document', async () => {
  let held = 0;
  const property = fc.asyncProperty(
    fc.array(fc.tuple(ending, separator), { minLength: 1, maxLength: 3 }),
    async (all) => {
      const documents = all.map(
        ([value], index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${index}}\ndata:\n  text: ${value}`,
      );
      const template = documents.map((text, index) => `${text}${all[index]?.[1]}`).join('');
      const rendered = await render(template.slice(0, template.lastIndexOf(all.at(-1)?.[1] ?? '')));
      if (rendered === undefined) return;
      const wanted = textsIn(rendered.manifest());
      const lists = (format: 'yaml' | 'json'): string =>
        rendered
          .resources({ format })
          .flatMap(({ resources }) => resources.map(({ data }) => `---\n${data}${format === 'json' ? '\n' : ''}`))
          .join('');
      assert.deepEqual(textsIn(lists('yaml')), wanted);
      assert.deepEqual(textsIn(lists('json')), wanted);
      const { calls, code, stderr } = runScript(rendered.yamlScript());
      assert.equal(code, 0, stderr);
      const applied = calls.filter(({ words }) => words[0] === 'apply').map(({ document }) => textsIn(document));
      assert.deepEqual(
        Object.fromEntries(applied.flatMap((texts) => Object.entries(texts)).filter(([name]) => name in wanted)),
        wanted,
      );
      held++;
    },
  );
  await fc.assert(property, { numRuns: 40 });
  // The property is meaningless if few texts render.
  assert.ok(held > 15, `${held} Orders rendered`);
});
