// Tests Orders in an editor: the YAML language server opens files that name the schema, like the sample Orders, completes fields, describes
// them, and marks errors in their lines. `npm run test:e2e -- editor`

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSchemas } from '../../../scripts/build/generate/schemas.ts';
import { check, installTools, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { LanguageClient } from '../../support/language-client.ts';

const tools = await installTools('editor', ['yaml-language-server@1.15.0']);
const folder = temporaryFolder('drydock-editor-');

const head = '# yaml-language-server: $schema=dist/schemas/order.schema.json\n';
const good = `${head}spec:
  packages:
    - chart:
        name: web
        sourceRef: {kind: Local, name: charts/web}
        releaseName: shop
        namespace: shop
        `;
const bad = `${head}spec:
  packages:
    - chart:
        name: web
        sourceRef: {kind: Git, name: charts/web}
        releaseName: Shop
`;

const client = new LanguageClient(folder, [tools.bin('yaml-language-server'), '--stdio']);
try {
  await mkdir(join(folder, 'dist'));
  await writeSchemas(join(folder, 'dist/schemas'));
  const [goodFile, badFile] = [join(folder, 'good.yaml'), join(folder, 'bad.yaml')];
  await writeFile(goodFile, good);
  await writeFile(badFile, bad);
  await client.start({ yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false } } });

  await client.open(goodFile);
  check('a valid Order has no errors', (await client.diagnostics(goodFile, () => true)).length === 0);
  const labels = (await client.completion(goodFile, good)).map(({ label }) => label);
  check(
    'fields are completed',
    ['values', 'valuesPatch', 'waitFors', 'version'].every((name) => labels.includes(name)),
  );
  check('existing fields are not completed', !labels.includes('releaseName'));
  const hover = await client.hover(goodFile, '        releaseN');
  check('a field is described', /The name of the release, unique in its namespace/.test(hover));
  await client.open(badFile);
  const shown = await client.diagnostics(badFile, () => true);
  const wanted = ['Git', 'Shop'].map((word) => bad.split('\n').findIndex((line) => line.includes(word)) + 1);
  check(
    `errors are marked in their lines: ${shown.join(', ')}`,
    wanted.length === shown.length && wanted.every((line, at) => shown[at]?.includes(` ${line}:`)),
  );
} finally {
  await client.stop();
}
