// ApplicationSets generate the same Applications as in Argo CD.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { generateApplications } from '../../render/gitops/import/appset.ts';
import { treeOfFiles } from '../../render/gitops/import/tree.ts';
import type { JsonObject } from '../../render/order/order.ts';

interface Case {
  readonly case: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly goTemplate?: boolean;
  readonly goTemplateOptions?: string[];
  readonly generators: JsonObject[];
  readonly name: string;
  readonly want?: readonly string[];
  readonly errors?: readonly string[];
}

const root = join(import.meta.dirname, '../..');
const cases = parse(readFileSync(join(root, 'fixtures/gitops/applicationsets.yaml'), 'utf8')) as Case[];

for (const { case: title, files = {}, goTemplate = false, goTemplateOptions = [], ...one } of cases) {
  test(`ApplicationSets: ${title}`, () => {
    const { generators, name, want = [], errors = [] } = one;
    const spec = { goTemplate, goTemplateOptions, generators, template: { metadata: { name } } };
    const { applications, refused } = generateApplications({ spec }, treeOfFiles(new Map(Object.entries(files))));
    assert.deepEqual(
      refused.map(({ message }) => message),
      errors,
    );
    assert.deepEqual(
      applications.map((made) => (made.metadata as { name: string }).name),
      want,
    );
  });
}
