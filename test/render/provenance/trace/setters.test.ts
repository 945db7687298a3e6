// Every kind of place that sets a value, and their precedence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart, renderRelease } from '../../../../render/index.ts';
import type { Setter } from '../../../../render/provenance/trace/setters.ts';

const umbrella = loadChart({
  'Chart.yaml': `apiVersion: v2
name: shop
version: 1.0.0
dependencies:
- {name: db, version: 1.0.0, repository: "", alias: store, import-values: [{child: shared, parent: imported}, public]}
`,
  'values.yaml': 'title: Shop\nstore:\n  size: 2Gi\nglobal:\n  domain: example.com\n',
  'templates/a.yaml': `kind: A
metadata: {name: a}
title: {{ .Values.title }}
zone: {{ .Values.imported.zone }}
port: {{ .Values.port }}
`,
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/values.yaml':
    'size: 1Gi\nuser: root\nshared:\n  zone: north\nexports:\n  public:\n    port: 5432\nglobal:\n  domain: local\n',
  'charts/db/templates/b.yaml': `kind: B
metadata: {name: b}
size: {{ .Values.size }}
user: {{ .Values.user }}
domain: {{ .Values.global.domain }}
`,
});

function titleOf({ kind, where, line, value }: Setter): string {
  return `${kind} ${where}${line === undefined ? '' : `:${line}`} = ${JSON.stringify(value)}`;
}

type Traced = ReturnType<typeof renderRelease>['trace'];

// The reported values of the line with a given start.
function reported(trace: Traced, start: string): unknown {
  const lines = trace?.files.flatMap((file) => file.lines) ?? [];
  const line = lines.find(({ text }) => text.startsWith(start));
  const values = line?.parts.flatMap((part) => part.values).filter(({ how }) => how === 'exact') ?? [];
  return values.map(({ path, chart, alias, setBy }) => [path, chart, alias ?? '', ...setBy.map(titleOf)]);
}

test('names the parent chart, its global values, imports, and the subchart itself', () => {
  const { trace } = renderRelease(umbrella, { trace: true });
  assert.deepEqual(reported(trace, 'title:'), [['title', 'shop', '', 'chart shop/values.yaml:1 = "Shop"']]);
  const db = 'shop/charts/db/values.yaml';
  assert.deepEqual(reported(trace, 'size:'), [
    ['store.size', 'shop/charts/store', 'db', 'parent-chart shop/values.yaml:3 = "2Gi"', `chart ${db}:1 = "1Gi"`],
  ]);
  assert.deepEqual(reported(trace, 'user:'), [['store.user', 'shop/charts/store', 'db', `chart ${db}:2 = "root"`]]);
  assert.deepEqual(reported(trace, 'zone:'), [['imported.zone', 'shop', '', `import-values ${db}:4 = "north"`]]);
  assert.deepEqual(reported(trace, 'port:'), [['port', 'shop', '', `import-values ${db}:7 = 5432`]]);
  const [domain] = reported(trace, 'domain:') as string[][];
  assert.deepEqual(domain?.slice(3), ['chart shop/values.yaml:5 = "example.com"', `chart ${db}:9 = "local"`]);
});

test('names the flags of the command line, in order of precedence', () => {
  const { trace } = renderRelease(umbrella, {
    trace: true,
    values: { title: 'by the caller' },
    valuesFiles: [{ name: 'own.yaml', text: 'store:\n  user: app\n' }],
    setJson: ['store={"size":"3Gi"}'],
    set: ['global.domain=set.example'],
    setString: ['port=1'],
    setFile: ['title=title.txt'],
    setLiteral: ['imported.zone=a,b'],
    readFile: (name) => (name === 'title.txt' ? 'from a file' : ''),
  });
  const winnersOf = (start: string): unknown => (reported(trace, start) as string[][])[0]?.slice(3, 5);
  assert.deepEqual(winnersOf('title:'), [
    'set --set-file title=title.txt = "from a file"',
    'values values = "by the caller"',
  ]);
  assert.deepEqual(winnersOf('size:')?.toString().split(' = ')[0], 'set --set-json store={"size":"3Gi"}');
  assert.deepEqual(winnersOf('user:')?.toString().split(',')[0], 'values-file own.yaml:2 = "app"');
  assert.deepEqual(
    winnersOf('domain:')?.toString().split(',')[0],
    'set --set global.domain=set.example = "set.example"',
  );
  assert.deepEqual(winnersOf('port:')?.toString().split(',')[0], 'set --set-string port=1 = "1"');
  assert.deepEqual((winnersOf('zone:') as string[])[0], 'set --set-literal imported.zone=a,b = "a,b"');
});
