// Files to charts, apart from what fixtures/vectors/charts-read.json records.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Chart, nilList } from '../../../render/chart/chart.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { tgz } from './tar.ts';

const head = 'apiVersion: v2\nname: c\nversion: 0.1.0\n';

function load(files: Readonly<Record<string, string | Uint8Array>>): Chart {
  return loadChart({ 'Chart.yaml': head, ...files });
}

test('dependencies take any type of scalar', () => {
  const line =
    'dependencies: [{name: s, version: 1.0, tags: [1], import-values: [a, {child: b, parent: 1}], alias: t}]';
  assert.deepEqual(load({ 'Chart.yaml': `${head}${line}\n` }).metadata.dependencies, [
    {
      name: 's',
      version: '1',
      repository: '',
      condition: '',
      tags: ['1'],
      enabled: false,
      importValues: [
        'a',
        new Map<string, unknown>([
          ['child', 'b'],
          ['parent', 1],
        ]),
      ],
      alias: 't',
    },
  ]);
});

test('absent lists differ from empty ones', () => {
  const { metadata } = load({ 'Chart.yaml': `${head}keywords: []\n` });
  assert.equal(metadata.dependencies, nilList);
  assert.equal(metadata.sources, nilList);
  assert.notEqual(metadata.keywords, nilList);
});

test('files are assigned in load order', () => {
  const chart = load({
    'README.md': '',
    'crds/a.yaml': '',
    'templates/b.yaml': '\ufeffx',
    'templates/_a.tpl': '',
    'templates.txt': '',
    'values.yml': '',
    'values.schema.json': '{}',
    'charts/s.prov': '',
    'charts/_i/Chart.yaml': 'bad: [',
    'charts/.i': '',
    '.helmignore': '',
    'Chart.lock': 'generated: "2024-01-02T03:04:05Z"',
  });
  assert.deepEqual(
    chart.files.map(({ name }) => name),
    ['README.md', 'crds/a.yaml', 'templates.txt', 'values.yml', 'charts/s.prov', '.helmignore'],
  );
  assert.deepEqual(
    chart.templates.map(({ name, data }) => [name, data.length]),
    [
      ['templates/b.yaml', 1],
      ['templates/_a.tpl', 0],
    ],
  );
  assert.equal(chart.schema?.length, 2);
  assert.equal(chart.children.length, 0);
});

test('loads nested subcharts from folders and archives', () => {
  const inner = tgz([{ name: 'x/Chart.yaml', data: 'name: inner\nversion: 1.0.0' }]);
  const packed = tgz([
    { name: 'x/Chart.yaml', data: 'name: packed\nversion: 1.0.0' },
    { name: 'x/charts/i.tgz', data: inner },
  ]);
  const chart = load({
    'charts/zzz/Chart.yaml': 'name: folder\nversion: 1.0.0',
    'charts/zzz/charts/y/Chart.yaml': 'name: deep\nversion: 1.0.0',
    'charts/p-1.0.0.tgz': packed,
  });
  const names = (of: Chart): unknown[] => [of.metadata.name, of.metadata.apiVersion, ...of.children.map(names)];
  assert.deepEqual(names(chart), ['c', 'v2', ['folder', 'v1', ['deep', 'v1']], ['packed', 'v1', ['inner', 'v1']]]);
});

const files: readonly (readonly [files: Readonly<Record<string, string>>, message: string])[] = [
  [{ 'charts/README.md': '' }, 'error unpacking subchart README.md in c: Chart.yaml file is missing'],
  [{ 'charts/s.tar.gz': 'x' }, 'error unpacking subchart s.tar.gz in c: Chart.yaml file is missing'],
  [{ 'charts/s.tgz/x': '' }, 'error unpacking subchart tar in c: expected s.tgz, got s.tgz/x'],
  [
    { 'charts/s/Chart.yaml': 'name: s' },
    'error unpacking subchart s in c: validation: chart.metadata.version is required',
  ],
  [
    { 'Chart.lock': '- 1' },
    'cannot load Chart.lock: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type chart.Lock',
  ],
  [
    { 'Chart.lock': 'generated: x' },
    'cannot load Chart.lock: error unmarshaling JSON: while decoding JSON: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    { 'Chart.lock': 'generated: "a<b\\"é"' },
    'cannot load Chart.lock: error unmarshaling JSON: while decoding JSON: parsing time "a\\\\u003cb\\\\\\"\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "a\\\\u003cb\\\\\\"\\xc3\\xa9" as "2006"',
  ],
];

for (const [given, message] of files) {
  test(`refused: ${JSON.stringify(given)}`, () => {
    assert.throws(() => load(given), { code: 'CHART_INVALID', message });
  });
}

test('requirements.yaml overrides Chart.yaml field by field', () => {
  const { metadata } = load({
    'Chart.yaml': `${head}dependencies: [{name: s, version: "1", condition: x}]\nannotations: {a: b}\n`,
    'requirements.yaml': 'dependencies: [{name: t}, {name: u}]\nannotations: {c: d}',
  });
  assert.deepEqual(
    metadata.dependencies.map(({ name, version, condition }) => [name, version, condition]),
    [
      ['t', '1', 'x'],
      ['u', '', ''],
    ],
  );
  assert.deepEqual([...metadata.annotations.keys()], ['a', 'c']);
});
