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
  readonly secrets?: readonly JsonObject[];
  readonly goTemplate?: boolean;
  readonly goTemplateOptions?: readonly string[];
  readonly generators: readonly JsonObject[];
  readonly name: string;
  readonly want?: readonly string[];
  readonly error?: string;
}

const root = join(import.meta.dirname, '../..');
const cases = parse(readFileSync(join(root, 'fixtures/gitops/applicationsets.yaml'), 'utf8')) as Case[];
const metadata = { name: 'set', namespace: 'argocd' };

const generate = (spec: object, { files = {}, secrets = [] }: Pick<Case, 'files' | 'secrets'> = {}) => {
  const resources = secrets.map((object) => ({
    object: { kind: 'Secret', ...object },
    file: 'secrets.yaml',
    names: [],
    notes: [],
  }));
  const tree = treeOfFiles(new Map(Object.entries(files)));
  return generateApplications({ metadata, spec } as unknown as JsonObject, { tree, resources });
};

for (const one of cases) {
  test(`ApplicationSets: ${one.case}`, () => {
    const { goTemplate, goTemplateOptions = [], generators, name, want = [], error } = one;
    const spec = {
      goTemplate,
      goTemplateOptions,
      generators,
      template: { metadata: { name }, spec: { project: 'p' } },
    };
    const { applications, refused } = generate(spec, one);
    assert.deepEqual(
      refused.map(({ message }) => message),
      error === undefined ? [] : [error],
    );
    assert.deepEqual(
      applications.map((made) => (made.metadata as { name: string }).name),
      want,
    );
  });
}

test("a generator's own template and a patch change the Application, but not its project", () => {
  const { applications } = generate({
    generators: [
      {
        list: {
          elements: [{ a: 'x' }],
          template: { spec: { project: '', source: { path: '{{a}}', helm: { valuesObject: { one: 1 } } } } },
        },
      },
    ],
    template: {
      metadata: { name: '{{a}}', labels: { '{{a}}': 'y' } },
      spec: {
        project: 'p',
        source: { repoURL: 'r', path: 'base', helm: { valuesObject: { two: 2 }, releaseName: 'n' } },
      },
    },
    templatePatch: 'spec: {project: other, syncPolicy: {automated: {}}, source: {targetRevision: "{{a}}"}}',
  });
  assert.deepEqual(applications, [
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'x', labels: { x: 'y' }, namespace: 'argocd' },
      spec: {
        project: 'p',
        source: { repoURL: 'r', path: 'x', helm: { valuesObject: { one: 1 }, releaseName: 'n' }, targetRevision: 'x' },
        syncPolicy: { automated: {} },
      },
    },
  ]);
});
