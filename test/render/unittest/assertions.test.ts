// Every assertion of helm-unittest, passing and failing, with the lines that it prints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart } from '../../../render/chart/load.ts';
import { seededHost } from '../../../render/core/host.ts';
import { GoError } from '../../../render/go/value.ts';
import { firstKube, runSuite, type SuiteRun } from '../../../render/unittest/run.ts';
import { SnapshotCache } from '../../../render/unittest/snapshot.ts';
import { readSuites } from '../../../render/unittest/suite.ts';

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.2.3\nappVersion: "7"\n',
  'values.yaml': 'name: web\nfail: ""\nbreak: false\n',
  'templates/_helpers.tpl': '{{ define "need" }}{{ required "a name is needed" .Values.name }}{{ end }}',
  'templates/all.yaml': `kind: Deployment
apiVersion: apps/v1
metadata:
  name: {{ .Values.name }}
  labels: {app: web, tier: front}
  annotations: {}
spec:
  replicas: 3
  ratio: 0.5
  day: 2024-02-03
  ports: [{name: http, port: 80}, {name: https, port: 443}, {name: http, port: 80}]
  text: |

    first  \n    second
  secret: aGVsbG8=
  nothing:
  on: yes
last: |
  kept
---
kind: Service
apiVersion: v1
metadata: {name: {{ include "need" . }}, namespace: shop}
spec: {ports: [1, 2]}
`,
  'templates/fail.yaml': '{{ if .Values.fail }}{{ fail .Values.fail }}{{ end }}',
  'templates/broken.yaml': '{{ if .Values.break }}a: [{{ end }}',
  'templates/NOTES.txt':
    'Welcome to {{ .Release.Name }}  \nof {{ .Chart.AppVersion }} {{ .Capabilities.KubeVersion }}\n',
});

const run: SuiteRun = {
  host: seededHost(),
  read: (path) => {
    if (path.endsWith('/other.yaml')) return 'name: other\n';
    throw new GoError(`open ${path}: no such file or directory`);
  },
  postRender: (_, text) => text.replaceAll('web', 'posted'),
  clock: () => 0n,
  failFast: false,
  skipSchemaValidation: false,
  kube: firstKube(),
};

function results(suite: string, cache = new SnapshotCache(undefined, false)) {
  const source = { file: 'tests/a_test.yaml', chartRoute: 'app', strict: false, valuesFiles: [] };
  const [read] = readSuites(suite, source);
  assert.ok(read);
  return runSuite(read, [chart, cache], { ...run, kube: firstKube() });
}

/** Returns the lines that one assertion prints: none if it passes. */
function reported(assertion: string, more = ''): readonly string[] | string {
  const { tests } = results(`templates: [all.yaml]\ntests:\n- it: t\n  ${more}\n  asserts:\n  - ${assertion}\n`);
  const [first] = tests;
  return first?.error ?? first?.assertions[0]?.info ?? 'nothing ran';
}

const deployment = 'documentIndex: 0';

test('passing assertions report nothing', () => {
  const holding = [
    'equal: {path: spec.replicas, value: 3}',
    'notEqual: {path: spec.replicas, value: "3"}',
    'equal: {path: spec.text, value: "first\\nsecond\\n"}',
    'equal: {path: spec.secret, value: hello, decodeBase64: true}',
    'equal: {path: "$..ports[?(@.name == \'https\')].port", value: 443}',
    'greaterOrEqual: {path: spec.replicas, value: 3}',
    'lessOrEqual: {path: spec.ratio, value: 0.5}',
    'exists: {path: spec.nothing}',
    'notExists: {path: spec.missing}',
    'isNull: {path: spec.missing}',
    'isNotNull: {path: spec.nothing}',
    'matchRegex: {path: metadata.name, pattern: ^w.b$}',
    'notMatchRegex: {path: metadata.name, pattern: ^x}',
    'contains: {path: spec.ports, content: {name: https, port: 443}}',
    'contains: {path: spec.ports, content: {name: http}, any: true, count: 2}',
    'notContains: {path: spec.ports, content: {name: other}, any: true}',
    'isSubset: {path: metadata.labels, content: {app: web}}',
    'isNotSubset: {path: metadata.labels, content: {app: other}}',
    'isNullOrEmpty: {path: metadata.annotations}',
    'isEmpty: {path: spec.nothing}',
    'isNotNullOrEmpty: {path: metadata.labels}',
    'isKind: {of: Deployment}',
    'isKind: {of: Service}\n    not: true',
    'isAPIVersion: {of: apps/v1}',
    'hasDocuments: {count: 2}',
    'hasDocuments: {count: 1, filterAware: true}',
    'containsDocument: {kind: Deployment, apiVersion: apps/v1, name: web}',
    'lengthEqual: {path: spec.ports, count: 3}',
    'notLengthEqual: {path: spec.ports, count: 4}',
    'lengthEqual: {paths: [spec.ports, "$.spec.ports"]}',
    'equal: {path: last, value: "kept\\n"}',
    'isType: {path: spec.replicas, type: int}',
    'isType: {path: spec.day, type: time.Time}',
    'isType: {path: spec.on, type: string}',
    'isNotType: {path: spec.ratio, type: int}',
    'notFailedTemplate: {}',
    'matchSnapshot: {path: spec.ports}',
    'matchSnapshot: {path: spec, matchRegex: {pattern: "port: 443"}}',
  ];
  for (const assertion of holding) {
    assert.deepEqual(reported(assertion, deployment), [], assertion);
  }
  const raw = results(`templates: [NOTES.txt]
release: {name: rel}
tests:
- it: raw
  asserts:
  - equalRaw: {value: "Welcome to rel\\nof 7 v1.20.0\\n"}
  - notEqualRaw: {value: x}
  - matchRegexRaw: {pattern: Welcome to \\w+$|rel}
  - notMatchRegexRaw: {pattern: nothing}
  - matchSnapshotRaw: {}
`);
  assert.equal(raw.passed, true, JSON.stringify(raw.tests[0]?.assertions));
});

test('failing assertions report where and why, as helm-unittest does', () => {
  const head = ['Template:\tapp/templates/all.yaml', 'DocumentIndex:\t0'];
  const one = [...head, 'ValuesIndex:\t0'];
  const cases: Readonly<Record<string, readonly string[]>> = {
    'equal: {path: spec.replicas, value: 2}': [
      ...one,
      'Path:\tspec.replicas',
      ...['Expected to equal:', '\t2', 'Actual:', '\t3', 'Diff:'],
      ...['\t--- Expected', '\t+++ Actual', '\t@@ -1,2 +1,2 @@', '\t-2', '\t+3'],
    ],
    'notEqual: {path: spec.replicas, value: 3}': [...one, 'Path:\tspec.replicas', 'Expected NOT to equal:', '\t3'],
    'equal: {path: spec.missing, value: 2}': [...head, 'Error:', '\tunknown path spec.missing'],
    'equal: {path: "spec[x]", value: 2}': [
      ...head,
      'Error:',
      '\tinvalid array index [x] before position 7: non-integer array index',
    ],
    'exists: {path: spec.missing}': [...head, 'Path:\tspec.missing expected to exists'],
    'notExists: {path: spec}': [...head, 'Path:\tspec expected to NOT exists'],
    'greaterOrEqual: {path: spec.replicas, value: 4}': [
      ...one,
      'Path:\tspec.replicas',
      'Expected to be greater then or equal to, got:',
      "\tthe actual '3' is not greater or equal to the expected '4'",
    ],
    'lessOrEqual: {path: spec.replicas, value: "4"}': [
      ...one,
      'Error:',
      "\tactual 'int' and expected 'string' types do not match",
    ],
    'matchRegex: {path: metadata.name, pattern: ^x}': [
      ...one,
      ...['Path:\tmetadata.name', 'Expected to match:', '\t^x', 'Actual:', '\tweb'],
    ],
    'matchRegex: {path: spec.replicas, pattern: x}': [
      ...one,
      'Error:',
      "\texpect 'spec.replicas' to be a string, got:",
      '\t3',
    ],
    'matchRegex: {path: metadata.name, pattern: "("}': [
      head[0] as string,
      'Error:',
      '\terror parsing regexp: missing closing ): `(`',
    ],
    'contains: {path: spec.ports, content: {name: x}}': [
      ...one,
      ...['Path:\tspec.ports', 'Expected to contain:', '\t- name: x', 'Actual:'],
      ...['\t- name: http', '\t  port: 80', '\t- name: https', '\t  port: 443', '\t- name: http', '\t  port: 80'],
    ],
    'isSubset: {path: spec.ports, content: {name: x}}': [
      ...one,
      'Error:',
      "\texpect 'spec.ports' to be an object, got:",
      ...['\t- name: http', '\t  port: 80', '\t- name: https', '\t  port: 443', '\t- name: http', '\t  port: 80'],
    ],
    'isNullOrEmpty: {path: spec.ratio}': [
      ...one,
      ...['Path:\tspec.ratio', 'Expected to be null or empty, got:', '\t0.5'],
    ],
    'isKind: {of: Pod}': [...head, 'Expected to be kind:', '\tPod', 'Actual:', '\tDeployment'],
    'hasDocuments: {count: 3}': [head[0] as string, ...['Expected documents count to be:', '\t3', 'Actual:', '\t2']],
    'containsDocument: {kind: Pod, apiVersion: v1}': [
      ...head,
      ...['Expected to contain document:', '\tKind = Pod, apiVersion = v1'],
    ],
    'lengthEqual: {path: spec.ports, count: 2}': [
      ...head,
      ...['Path:\tspec.ports', 'Expected to match count:', '\t2', 'Actual:', '\t3'],
    ],
    'lengthEqual: {path: spec.ports}': [head[0] as string, 'Error:', "\t'count' field must be set if 'path' is used"],
    'isType: {path: spec.ports, type: string}': [
      ...one,
      ...['Path:\tspec.ports', 'Expected to be of type:', '\tstring', 'Actual:', '\t[]interface {}'],
    ],
    'failedTemplate: {}': [head[0] as string, 'Error: Invalid rendering: %!s(<nil>)'],
  };
  for (const [assertion, expected] of Object.entries(cases)) {
    assert.deepEqual(reported(assertion, deployment), expected, assertion);
  }
  assert.deepEqual(reported('isKind: {of: Pod}', 'documentIndex: 2'), ['Error:', 'document index 2 is out of range']);
  assert.deepEqual(reported('isKind: {of: Pod}', 'template: none.yaml'), [
    'Error:',
    '\ttemplate "app/templates/none.yaml" not exists or not selected in test suite',
  ]);
});

test('a failing template is matched by its message, which is reported if not expected', () => {
  const set = 'set: {fail: "no: luck"}';
  const failing = (assertion: string, more = set) => {
    const { tests } = results(`templates: [fail.yaml]\ntests:\n- it: t\n  ${more}\n  asserts:\n  - ${assertion}\n`);
    return tests[0]?.error ?? tests[0]?.assertions[0]?.info;
  };
  for (const assertion of [
    'failedTemplate: {}',
    'failedTemplate: {errorMessage: "no: luck"}',
    'failedTemplate: {errorPattern: ^no. \\w+$}',
    'failedTemplate: {errorMessage: other}\n    not: true',
  ]) {
    assert.deepEqual(failing(assertion), [], assertion);
  }
  assert.deepEqual(failing('failedTemplate: {errorMessage: other}'), [
    'Template:\tapp/templates/fail.yaml',
    'DocumentIndex:\t0',
    ...['Expected to equal:', '\tother', 'Actual:', '\tno: luck'],
  ]);
  assert.equal(failing('hasDocuments: {count: 0}'), 'execution error at (app/templates/fail.yaml:1:24): no: luck');
  assert.match(String(failing('failedTemplate: {}', 'set: {break: true}')), /rendered|yaml: line/);
});

test('a suite provides what its tests leave out', () => {
  const { tests, passed } = results(`suite: all
templates: [all.yaml]
values: [other.yaml]
set: {fail: ''}
release: {name: rel, namespace: ns, revision: 4, upgrade: true}
capabilities: {majorVersion: "1", minorVersion: "31", apiVersions: [a/v1]}
postRenderer: {cmd: any}
tests:
- it: has the values of the suite
  documentSelector: {path: kind, value: Service}
  asserts:
  - equal: {path: metadata.name, value: other}
- it: selects by path
  set: {name: web}
  asserts:
  - equal: {path: metadata.name, value: posted}
    documentSelector: {path: metadata.namespace, value: shop}
  - isKind: {of: Service}
    documentSelector: {path: spec.ports, matchMany: true}
- it: is skipped
  skip: {reason: later}
  asserts:
  - isKind: {of: Nothing}
`);
  assert.deepEqual(tests[0]?.assertions[0]?.info, [], tests[0]?.error);
  assert.deepEqual(tests[1]?.assertions[0]?.info, []);
  assert.deepEqual(tests[1]?.assertions[1]?.passed, false);
  assert.equal(tests[2]?.skipped, true);
  assert.equal(passed, false);
});

test('a selector skips templates without a matching document, and fails if none has one', () => {
  const selected = (kind: string, more = '') => {
    const { tests } = results(`templates: [all.yaml, fail.yaml]
tests:
- it: t
  documentSelector: {path: kind, value: ${kind}${more}}
  asserts:
  - equal: {path: metadata.name, value: web}
`);
    return tests[0]?.assertions[0]?.info;
  };
  assert.deepEqual(selected('Deployment'), []);
  assert.deepEqual(selected('Ingress'), ['Error:', 'document not found']);
  assert.equal(selected('Ingress', ', skipEmptyTemplates: true')?.includes('document not found'), false);
});

test('an invalid suite is refused with a message', () => {
  const refused: Readonly<Record<string, RegExp>> = {
    'suite: x': /no tests found$/,
    'tests: [{it: a}]': /no asserts found$/,
    'tests: [{it: a, asserts: [{foo: 1}]}]': /Assertion type `foo` is invalid$/,
    'tests: [{it: a, asserts: [{not: true}]}]': /no assertion type defined$/,
    'tests: [{it: a, asserts: [{isKind: {of: a}, isAPIVersion: {of: a}}]}]': /is declared duplicately$/,
    'tests: [{it: a, asserts: [{isKind: {of: 1}}]}]': /isKind: of must be a string$/,
    'tests: [{it: a, asserts: [{isKind: x}]}]': /isKind must be a mapping$/,
    'tests: x': /the suite: tests must be a list$/,
    'a: [': /yaml: line \d+:/,
  };
  for (const [suite, error] of Object.entries(refused)) {
    assert.throws(() => results(suite), error, suite);
  }
  assert.throws(
    () =>
      readSuites('sweet: x\ntests: []', {
        file: 'a',
        chartRoute: 'app',
        strict: true,
        valuesFiles: [],
      }),
    /the suite has an unknown field sweet/,
  );
});

test('snapshots are recorded, compared, updated and reported as obsolete', () => {
  const suite = (name: string): string =>
    `templates: [all.yaml]\ntests:\n- it: ${name}\n  asserts:\n  - matchSnapshot: {path: metadata}\n    documentIndex: 1\n`;
  const first = new SnapshotCache(undefined, false);
  assert.equal(results(suite('one'), first).passed, true);
  const text = first.toWrite();
  assert.equal(text, 'one:\n  1: |\n    name: web\n    namespace: shop\n');
  const again = new SnapshotCache(text, false);
  assert.equal(results(suite('one'), again).passed, true);
  assert.equal(again.toWrite(), undefined);
  const other = new SnapshotCache(text?.replace('shop', 'mall'), false);
  const failed = results(suite('one'), other);
  assert.deepEqual(failed.tests[0]?.assertions[0]?.info, [
    'Template:\tapp/templates/all.yaml',
    'DocumentIndex:\t0',
    'ValuesIndex:\t0',
    'Path:\tmetadata',
    'Expected to match snapshot 1:',
    ...[
      '\t--- Expected',
      '\t+++ Actual',
      '\t@@ -1,3 +1,3 @@',
      '\t name: web',
      '\t-namespace: mall',
      '\t+namespace: shop',
    ],
  ]);
  assert.equal(other.toWrite(), undefined);
  const updated = new SnapshotCache(text?.replace('shop', 'mall'), true);
  assert.equal(results(suite('one'), updated).passed, true);
  assert.equal(updated.toWrite(), text);
  const renamed = new SnapshotCache(text, false);
  assert.equal(results(suite('two'), renamed).snapshots.vanished, 1);
  assert.equal(renamed.toWrite(), text?.replace('one', 'two'));
});
