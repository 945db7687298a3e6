// Documents, their heads, hooks and order, apart from what fixtures/vectors records; the texts are those of Helm 3.17.3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimSpace } from '../../../render/go/trim.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { readHead, sortManifests } from '../../../render/manifest/sort.ts';
import { splitManifests } from '../../../render/manifest/split.ts';
import { recordedHelms } from '../../support/rows.ts';

const helm = helmOf(recordedHelms[3]);

function sorted(files: Record<string, string>) {
  const warnings: string[] = [];
  const result = sortManifests(new Map(Object.entries(files)), { helm, onWarning: (line) => warnings.push(line) });
  return { ...result, warnings };
}

const hookRows: [
  what: string,
  annotations: string,
  events: string[] | undefined,
  weight?: number,
  policies?: string[],
][] = [
  ['one event', 'helm.sh/hook: test', ['test'], 0, []],
  ['several, untidy', 'helm.sh/hook: " Pre-Install,post-upgrade "', ['pre-install', 'post-upgrade'], 0, []],
  ['the old name of a test', 'helm.sh/hook: test-success', ['test'], 0, []],
  ['a weight', '{helm.sh/hook: test, helm.sh/hook-weight: "-5"}', ['test'], -5, []],
  ['an invalid weight', '{helm.sh/hook: test, helm.sh/hook-weight: 1.5}', ['test'], 0, []],
  [
    'policies',
    '{helm.sh/hook: test, helm.sh/hook-delete-policy: "Hook-Succeeded, x"}',
    ['test'],
    0,
    ['hook-succeeded', 'x'],
  ],
  ['an unknown event', 'helm.sh/hook: test,crd-install', undefined],
  ['no event', 'helm.sh/hook:', undefined],
];

for (const [what, annotations, events, weight, deletePolicies] of hookRows) {
  test(`reads hooks: ${what}`, () => {
    const { hooks, manifests, warnings } = sorted({ a: `kind: Job\nmetadata:\n  annotations:\n    ${annotations}\n` });
    assert.deepEqual(manifests, []);
    if (events === undefined) {
      assert.match(warnings.join(), /^manifest_sorter\.go:190: info: skipping unknown hook: "/);
    } else {
      assert.deepEqual(
        hooks.map((hook) => [hook.events, hook.weight, hook.deletePolicies]),
        [[events, weight, deletePolicies]],
      );
    }
  });
}

const metadataType = 'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }';
const json = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal';
const faults: [document: string, message: string][] = [
  ['5', `${json} number into Go value of type releaseutil.SimpleHead`],
  ['apiVersion: {a: b}\nkind: [x]', `${json} object into Go struct field SimpleHead.apiVersion of type string`],
  ['kind: 1\nmetadata: x', `${json} string into Go struct field SimpleHead.metadata of type ${metadataType}`],
  ['metadata: 5', `${json} number into Go struct field SimpleHead.metadata of type ${metadataType}`],
  [
    'metadata: {name: {a: b}, annotations: {x: [1], y: 2}}',
    `${json} array into Go struct field .metadata.annotations of type string`,
  ],
];

for (const [document, message] of faults) {
  test(`refuses ${JSON.stringify(document)}`, () => {
    assert.throws(() => sorted({ 'c/templates/a.yaml': document }), {
      code: 'MANIFEST_INVALID',
      message: `YAML parse error on c/templates/a.yaml: ${message}`,
    });
  });
}

test('parses heads with keys in any case, and numbers as strings', () => {
  const head = readHead(
    'APIVERSION: 1\nKind: A\nkind: true\nMetadata: {Name: 12345678, annotations: {x: 1.50, z: ~}}',
    helm,
  );
  assert.equal(head.apiVersion, '1');
  assert.equal(head.kind, 'true');
  assert.equal(head.name, '12345678');
  assert.deepEqual(
    [...head.annotations],
    [
      ['x', '1.5'],
      ['z', ''],
    ],
  );
});

test('accepts an infinity in a string field, and rejects it elsewhere', () => {
  assert.equal(readHead('kind: .inf\nmetadata: {annotations: {x: -.inf}}', helm).annotations.get('x'), '-Inf');
  assert.throws(() => readHead('metadata: {labels: {x: .inf}}', helm), { message: /json: unsupported value: \+Inf$/ });
});

test('accepts an empty document as an object without fields', () => {
  for (const document of ['', '~', '{}', '# a comment']) assert.equal(readHead(document, helm).kind, '');
});

test('sorts known kinds by rank, others by name after them, starting with the empty kind', () => {
  const kinds = ['Zebra', 'APIService', '', 'Deployment', 'Secret', 'Ant', 'Namespace', 'PriorityClass', 'Ant'];
  const files = kinds.map((kind, i) => [`c/templates/${i}.yaml`, `kind: ${kind}\nmetadata: {name: n${i}}`]);
  const { manifests } = sorted(Object.fromEntries(files));
  assert.deepEqual(
    manifests.map(({ kind, name }) => `${kind} ${name}`),
    [
      'PriorityClass n7',
      'Namespace n6',
      'Secret n4',
      'Deployment n3',
      'APIService n1',
      ' n2',
      'Ant n5',
      'Ant n8',
      'Zebra n0',
    ],
  );
});

test('splits at separators, and not at blanks that are not of ASCII', () => {
  assert.deepEqual(splitManifests(' \n\t\n'), []);
  assert.deepEqual(splitManifests('a\n---\n\u00a0\n---\nb'), ['a', '', 'b']);
  assert.deepEqual(splitManifests('a\n  \n\n---  \n\n b'), ['a', 'b']);
  assert.equal(trimSpace('\u0085\u2003 a b\u00a0\v\f\r\n'), 'a b');
});
