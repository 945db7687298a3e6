// Strings are only equal if every character is, and objects if a cluster reads the same.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Difference, diffObjects } from '../../../render/diff/difference.ts';
import { differenceText } from '../../../render/diff/text.ts';
import { encodeBase64 } from '../../../render/go/base64.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';

const diff = (before: string, after: string, options = {}): Difference =>
  diffObjects({ documents: before, name: 'a.yaml' }, { documents: after, name: 'a.yaml' }, options);

const configMap = (text: string, name = 'file'): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { [name]: text } });

const secret = (bytes: string | Uint8Array): string => {
  const data = { file: encodeBase64(typeof bytes === 'string' ? encodeUtf8(bytes) : bytes) };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, data });
};

// Texts that begin like YAML, JSON or TOML, and differ where such a parser does not look.
const texts: readonly (readonly [name: string, before: string, after: string, key?: string])[] = [
  ['an ini file', '[server]\nroot = 1\n', '[server]\nroot = 2\n', 'grafana.ini'],
  ['the section of a my.cnf', '[mysqld]\nport=3306\n', '[mysqld]\nport=3307\n'],
  ['a Caddyfile', '{\n  admin off\n}\nexample.com\n', '{\n  admin off\n}\nexample.org\n', 'Caddyfile'],
  ['JSON by the line', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":3}\n'],
  ['a list of arguments', '[a, b] --fast', '[a, b] --slow'],
  ['text behind a document', '{a: 1}\n...\nb: 1\n', '{a: 1}\n...\nb: 2\n', 'a.yaml'],
  ['a large integer of YAML', 'id: 9007199254740993\n', 'id: 9007199254740992\n', 'a.yaml'],
  ['a large integer of JSON', '{"id": 9007199254740993}', '{"id": 9007199254740992}', 'a.json'],
  ['digits that a float64 does not hold', 'x: 0.1\n', 'x: 0.10000000000000001\n', 'a.yaml'],
  ['an integer and a float of YAML', 'x: 1\n', 'x: 1.0\n', 'a.yaml'],
  ['an integer and a float of JSON', '{"x": 1}', '{"x": 1.0}', 'a.json'],
  ['a number and a text', 'x: 1\n', 'x: "1"\n', 'a.yaml'],
  ['a key that occurs twice', 'a: 1\na: 2\n', 'a: 3\na: 2\n', 'a.yaml'],
  ['a key that occurs twice in JSON', '{"a": 1, "a": 2}', '{"a": 3, "a": 2}', 'a.json'],
  ['a missing and a null member', 'a: 1\n', 'a: 1\nb: null\n', 'a.yaml'],
  ['a null and an empty member', 'a: null\n', "a: ''\n", 'a.yaml'],
  ['comments alone', '# a\n# b\n', '# a\n# c\n', 'a.yaml'],
  ['a comment of YAML', 'a: 1 # one\nb: 2\n', 'a: 1 # two\nb: 2\n', 'a.yaml'],
  ['a comment of TOML', '# one\na = 1\n', '# two\na = 1\n', 'a.toml'],
  ['a time of TOML', 'a = 1979-05-27\n', 'a = "1979-05-27"\n', 'a.toml'],
  ['the zone of a time', 'a = 1979-05-27T00:00:00Z\n', 'a = 1979-05-27T00:00:00+00:00\n', 'a.toml'],
  ['quotes', 'a: one\n', 'a: "one"\n', 'a.yaml'],
  ['the order of members', 'a: 1\nb: 2\n', 'b: 2\na: 1\n', 'a.yaml'],
  ['the name of an anchor', 'a: &x 1\nb: *x\n', 'a: &y 1\nb: *y\n', 'a.yaml'],
  ['a merged value that is overridden', '<<: {a: 1}\na: 2\n', '<<: {a: 3}\na: 2\n', 'a.yaml'],
  ['another document', 'a: 1\n---\nb: 2\n', 'a: 1\n---\nb: 3\n', 'a.yaml'],
  ['an empty document', 'a: 1\n', 'a: 1\n---\n', 'a.yaml'],
  ['a byte order mark', 'a: 1\n', '\ufeffa: 1\n', 'a.yaml'],
  ['line ends', 'a: 1\nb: 2\n', 'a: 1\r\nb: 2\r\n', 'a.yaml'],
  ['a tab', 'a: [1, 2]\n', 'a: [1,\t2]\n', 'a.yaml'],
  ['the last line break', 'a: 1', 'a: 1\n', 'a.yaml'],
  ['blanks at the end', 'hello', 'hello ', 'motto'],
  ['a digest', 'a: 1\nb: 2\nc: 3\n', 'a: 1\nb: 2\nc: 4\n', 'sha256'],
];

suite('strings in objects', () => {
  for (const [name, before, after, key] of texts) {
    test(`${name}, in a ConfigMap`, () => {
      const { objects } = diff(configMap(before, key), configMap(after, key));
      assert.deepEqual(
        objects.map((object) => [
          object.kind,
          object.name,
          object.entries.every(({ path }) => path.startsWith('data')),
        ]),
        [['ConfigMap', 'one', true]],
      );
      assert.deepEqual(diff(configMap(before, key), configMap(before, key)).objects, []);
    });
    test(`${name}, in a Secret`, () => {
      const { objects } = diff(secret(before), secret(after));
      assert.equal(objects[0]?.entries[0]?.path, 'data.file');
      assert.doesNotMatch(JSON.stringify(objects[0]?.entries), /root = |one|9007|example/);
    });
  }
  test('shows the type if both values look the same', () => {
    const reported = differenceText(diff(configMap('x = 1\n', 'a.toml'), configMap('x = 1.0\n', 'a.toml')));
    assert.match(reported, /"1 \(integer\)" -> "1 \(float\)"/);
    const ofSecret = differenceText(diff(secret('x: 1\nhost: a\n'), secret('x: "1"\nhost: a\n')));
    assert.match(ofSecret, /<secret [0-9a-f]+> \(integer\)" -> "<secret [0-9a-f]+> \(string\)"/);
  });
  test('shows all digits', () => {
    const reported = differenceText(
      diff(configMap('x: 9007199254740993\n', 'a.yaml'), configMap('x: 9007199254740992\n', 'a.yaml')),
    );
    assert.match(reported, /"9007199254740993" -> "9007199254740992"/);
  });
});

const object = (members: string, head = 'apiVersion: example.com/v1\nkind: Thing'): string =>
  `${head}\nmetadata: {name: one}\n${members}\n`;
const core = (kind: string): string => `apiVersion: v1\nkind: ${kind}`;
const pod = (members: string): string => object(`spec:\n  containers: [{name: a, image: a${members}}]`, core('Pod'));

const definition = (initial: string, metadata = ''): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.com${metadata}}\nspec: {versions: [{name: v1, schema: {openAPIV3Schema: {properties: {a: {default: ${initial}}}}}}]}\n`;

// Documents that differ, with the path of the difference.
const documents: readonly (readonly [name: string, before: string, after: string, path: string])[] = [
  ['a large integer', object('id: 9007199254740993'), object('id: 9007199254740992'), 'id'],
  ['an integer beyond 64 bits', object('id: 36893488147419103232'), object('id: 36893488147419103233'), 'id'],
  ['digits that a float64 does not hold', object('x: 0.1'), object('x: 0.10000000000000001'), 'x'],
  ['a missing and a null member of an unknown kind', object('a: 1'), object('a: 1\nb: null'), 'b'],
  [
    'a null label',
    object('', core('Service')),
    'apiVersion: v1\nkind: Service\nmetadata: {name: one, labels: {a: null}}',
    'metadata.labels',
  ],
  [
    'a null default in a definition',
    definition('null'),
    definition('1'),
    'spec.versions[name=v1].schema.openAPIV3Schema.properties.a.default',
  ],
  [
    'a quantity that no schema knows',
    object('spec: {limits: {cpu: 1000m}}'),
    object('spec: {limits: {cpu: 1}}'),
    'spec.limits.cpu',
  ],
  [
    'a text that looks like a quantity',
    object('data: {limits: "1000m"}', core('ConfigMap')),
    object('data: {limits: "1"}', core('ConfigMap')),
    'data.limits',
  ],
  [
    'quantities that are nearly the same',
    pod(', resources: {limits: {memory: 1000000000001}}'),
    pod(', resources: {limits: {memory: 1000000000000}}'),
    'spec.containers[name=a].resources.limits.memory',
  ],
  [
    'an empty and a missing security context of a container',
    pod(''),
    pod(', securityContext: {}'),
    'spec.containers[name=a].securityContext',
  ],
  [
    'an item of a set that occurs twice',
    object('rules: [{verbs: [get, get]}]', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role'),
    object('rules: [{verbs: [get]}]', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role'),
    'rules[0].verbs[1]',
  ],
  [
    'the order in a list of an unknown kind',
    object('env: [{name: a}, {name: b}]'),
    object('env: [{name: b}, {name: a}]'),
    'env',
  ],
  [
    'a chart label with another name',
    'kind: A\nmetadata: {name: a, labels: {helm.sh/chart: web-1.0.0}}',
    'kind: A\nmetadata: {name: a, labels: {helm.sh/chart: api-1.0.0}}',
    'metadata.labels["helm.sh/chart"]',
  ],
  ['a text that is not an object', 'one\n', 'two\n', 'document'],
  ['a list that is not an object', '- one\n', '- two\n', 'document[0]'],
  [
    'a list of objects with more than items',
    'apiVersion: v1\nkind: List\nmetadata: {a: b}\nitems: []',
    'apiVersion: v1\nkind: List\nmetadata: {a: c}\nitems: []',
    'metadata.a',
  ],
  [
    'an item of a list that is not an object',
    'apiVersion: v1\nkind: List\nitems: [a]',
    'apiVersion: v1\nkind: List\nitems: [b]',
    'items[0]',
  ],
  [
    'a hook annotation',
    'kind: A\nmetadata: {name: a, annotations: {helm.sh/hook-weight: "1"}}',
    'kind: A\nmetadata: {name: a, annotations: {helm.sh/hook-weight: "2"}}',
    'metadata.annotations["helm.sh/hook-weight"]',
  ],
  ['binary data', secret(Uint8Array.of(0, 1, 2)), secret(Uint8Array.of(0, 1, 3)), 'data.file'],
  ['bytes and the text of their base64', secret(Uint8Array.of(0, 1, 2)), secret('AAEC'), 'data.file'],
  [
    'what is not base64',
    secret('no base64!'),
    secret('x').replace(/"file":"[^"]*"/, '"file":"no base64!"'),
    'data.file',
  ],
  [
    'data that stringData overrides',
    object('data: {a: YQ==}\nstringData: {a: x}', core('Secret')),
    object('data: {a: Yg==}\nstringData: {a: x}', core('Secret')),
    '["data behind stringData"].a',
  ],
];

suite('documents', () => {
  for (const [name, before, after, path] of documents) {
    test(name, () => {
      const { objects } = diff(before, after);
      assert.deepEqual(
        objects.map(({ entries }) => entries.map((entry) => entry.path)),
        [[path]],
      );
      assert.deepEqual(diff(before, before).objects, []);
    });
  }
  test('what a cluster does not read is no difference', () => {
    for (const [one, other] of [
      ['a: {b: 1, b: 2}', 'a: {b: 3, b: 2}'],
      ['a: {<<: {b: 1}, b: 2}', 'a: {<<: {b: 3}, b: 2}'],
      ['a: 1\n...\nb: 1', 'a: 1\n...\nb: 2'],
    ] as const) {
      assert.deepEqual(diff(object(one), object(other)).objects, [], one);
    }
    assert.deepEqual(diff(definition('1', ', creationTimestamp: null'), definition('1')).objects, []);
  });
  test('numbers that JSON does not distinguish are equal', () => {
    assert.deepEqual(diff(object('a: 1\nb: 1e3'), object('a: 1.0\nb: 1000')).objects, []);
    assert.deepEqual(
      diff(pod(', resources: {limits: {cpu: 0.5}}'), pod(', resources: {limits: {cpu: 500m}}')).objects,
      [],
    );
  });
  test('a checksum is only ignored together with a change that may have caused it', () => {
    const workload = (label: string, sum: string): string =>
      `kind: A\nmetadata: {name: a, labels: {app.kubernetes.io/version: "${label}"}, annotations: {checksum/config: ${sum.repeat(8)}}}\n`;
    assert.equal(diff(workload('1', 'aa'), workload('2', 'bb')).objects.length, 1);
    const config = (label: string): string =>
      `---\nkind: B\nmetadata: {name: b, labels: {app.kubernetes.io/version: "${label}"}}\n`;
    const both = diff(workload('1', 'aa') + config('1'), workload('2', 'bb') + config('2'));
    assert.deepEqual(both.objects, []);
    assert.equal(both.ignored.length, 2);
  });
});

test('a document with many comments at the start is parsed quickly', () => {
  const head = `${'#'.repeat(60)}\n`.repeat(200);
  assert.deepEqual(diff(`${head}a: 1\n`, `${head}a: 1\n`).objects, []);
});

suite('a null in an object of a cluster', () => {
  const live = (api: string, member: string): string =>
    `${api}\nmetadata: {name: one, uid: u, resourceVersion: "1"}\n${member}\n`;
  const applied = (api: string, member: string): string => `${api}\nmetadata: {name: one}\n${member}\n`;
  const configMaps = 'apiVersion: v1\nkind: ConfigMap';
  const customs = 'apiVersion: a.example/v1\nkind: Custom';
  for (const [name, stored, isSame] of [
    ['that server-side apply dropped', 'data: {a: b}', true],
    ['that is stored as an empty text', 'data: {a: b, kinds: ""}', true],
    ['that is stored as another text', 'data: {a: b, kinds: c}', false],
  ] as const) {
    test(`a null in a ConfigMap ${name}`, () => {
      const { objects } = diff(live(configMaps, stored), applied(configMaps, 'data: {a: b, kinds: null}'));
      assert.equal(objects.length === 0, isSame);
      const back = diff(applied(configMaps, 'data: {a: b, kinds: null}'), live(configMaps, stored));
      assert.equal(back.objects.length === 0, isSame);
    });
  }
  test('a null and an empty string in a custom resource differ', () => {
    assert.equal(diff(live(customs, 'spec: {a: ""}'), applied(customs, 'spec: {a: null}')).objects.length, 1);
    assert.equal(diff(live(customs, 'spec: {a: null}'), applied(customs, 'spec: {a: ""}')).objects.length, 1);
  });
});
