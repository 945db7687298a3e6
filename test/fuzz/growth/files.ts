// Files and flags that grow: values, Chart.yaml, .helmignore, schemas, subcharts, and all that a command line holds.

import { chart, chartFile, type Grown, type GrowthCase, lines, values } from './case.ts';

/** Files that grow. */
export const files: readonly GrowthCase[] = [
  { name: 'values: keys', size: 50_000, make: (n) => values(lines(n, (i) => `k${i}: ${i}\n`)) },
  { name: 'values: items', size: 200_000, make: (n) => values(`a:\n${'- b\n'.repeat(n)}`) },
  { name: 'values: a long text', size: 4_000_000, make: (n) => values(`a: ${'b'.repeat(n)}\n`) },
  { name: 'values: a text of escapes', size: 1_000_000, make: (n) => values(`a: "${'\\n'.repeat(n)}"\n`) },
  { name: 'values: a folded text', size: 200_000, make: (n) => values(`a: >\n${'  b c\n'.repeat(n)}`) },
  { name: 'values: a plain text of many lines', size: 200_000, make: (n) => values(`a: b\n${'  b c\n'.repeat(n)}`) },
  {
    name: 'values: a quoted text of many lines',
    size: 200_000,
    make: (n) => values(`a: "b\n${'  b c\n'.repeat(n)}"\n`),
  },
  { name: 'values: flow items', size: 300_000, make: (n) => values(`a: [${'b, '.repeat(n)}]\n`) },
  { name: 'values: flow maps', size: 100_000, make: (n) => values(`a: [${'{b: 1}, '.repeat(n)}]\n`) },
  { name: 'values: anchors', size: 50_000, make: (n) => values(lines(n, (i) => `k${i}: &a${i} b\n`)) },
  { name: 'values: aliases', size: 50_000, make: (n) => values(`a: &a 1\n${lines(n, (i) => `k${i}: *a\n`)}`) },
  {
    name: 'values: merges',
    size: 10_000,
    make: (n) => values(`a: &a {x: 1}\n${lines(n, (i) => `k${i}:\n  <<: *a\n`)}`),
  },
  { name: 'values: nested flow lists', size: 9000, make: (n) => values(`a: ${'['.repeat(n)}${']'.repeat(n)}\n`) },
  { name: 'values: nested maps', size: 1500, make: (n) => values(lines(n, (i) => `${' '.repeat(i)}a:\n`)) },
  { name: 'values: comments', size: 500_000, make: (n) => values('# a\n'.repeat(n)) },
  { name: 'values: question marks', size: 50_000, make: (n) => values(lines(n, (i) => `? k${i}\n: 1\n`)) },
  { name: 'values: an unclosed quote', size: 2_000_000, make: (n) => values(`a: "${'b '.repeat(n / 2)}`) },
  { name: 'values: an unclosed list', size: 200_000, make: (n) => values(`a: [${'b, '.repeat(n)}`) },
  { name: 'values: an error at the end', size: 200_000, make: (n) => values(`${'# a\n'.repeat(n)}a: b: c\n`) },
  {
    name: 'values: possible keys',
    size: 50_000,
    make: (n) => values(`a: [${'"b" '.repeat(1)}${', "c"'.repeat(n)}]\n`),
  },
  {
    name: 'Chart.yaml: keywords',
    size: 100_000,
    make: (n) => chart({ 'Chart.yaml': `${chartFile}keywords:\n${'- a\n'.repeat(n)}` }),
  },
  {
    name: 'Chart.yaml: a description',
    size: 2_000_000,
    make: (n) => chart({ 'Chart.yaml': `${chartFile}description: ${'a'.repeat(n)}\n` }),
  },
  {
    name: 'Chart.yaml: annotations',
    size: 50_000,
    make: (n) => chart({ 'Chart.yaml': `${chartFile}annotations:\n${lines(n, (i) => `  k${i}: a\n`)}` }),
  },
  {
    name: 'Chart.yaml: a kubeVersion',
    size: 100_000,
    make: (n) => chart({ 'Chart.yaml': `${chartFile}kubeVersion: "${'>=1 || '.repeat(n)}>1"\n` }),
  },
  {
    name: 'Chart.yaml: dependencies',
    size: 3000,
    make: (n) =>
      chart({
        'Chart.yaml': `${chartFile}dependencies:\n${lines(n, (i) => `- {name: d${i}, version: "1", condition: a.b, tags: [t]}\n`)}`,
      }),
  },
  {
    name: 'Chart.yaml: aliases of a chart',
    size: 1000,
    make: (n) =>
      chart({
        'Chart.yaml': `${chartFile}dependencies:\n${lines(n, (i) => `- {name: d, version: "1", alias: d${i}}\n`)}`,
        'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: "1"\n',
        'charts/d/templates/a.yaml': 'a: {{ .Values.global }}\n',
      }),
  },
  {
    name: 'Chart.yaml: conditions',
    size: 20_000,
    make: (n) =>
      chart({
        'Chart.yaml': `${chartFile}dependencies:\n- {name: d, version: "1", condition: "${'a.b,'.repeat(n)}"}\n`,
        'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: "1"\n',
      }),
  },
  {
    name: 'Chart.yaml: import-values',
    size: 5000,
    make: (n) =>
      chart({
        'Chart.yaml': `${chartFile}dependencies:\n- name: d\n  version: "1"\n  import-values:\n${lines(n, (i) => `  - {child: a, parent: p${i}}\n`)}`,
        'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: "1"\n',
        'charts/d/values.yaml': 'a: {b: 1}\n',
      }),
  },
  {
    name: 'charts one in the other',
    size: 40,
    make: (n) =>
      chart(
        Object.fromEntries(
          Array.from({ length: n }, (_, i) => [
            `${'charts/d/'.repeat(i + 1)}Chart.yaml`,
            'apiVersion: v2\nname: d\nversion: "1"\n',
          ]),
        ),
      ),
  },
  {
    name: 'charts side by side',
    size: 500,
    make: (n) =>
      chart(
        Object.fromEntries(
          Array.from({ length: n }, (_, i) => [
            `charts/d${i}/Chart.yaml`,
            `apiVersion: v2\nname: d${i}\nversion: "1"\n`,
          ]),
        ),
      ),
  },
  {
    name: 'files of templates',
    size: 1000,
    make: (n) =>
      chart(Object.fromEntries(Array.from({ length: n }, (_, i) => [`templates/t${i}.yaml`, 'a: {{ 1 }}\n']))),
  },
  {
    name: '.helmignore: patterns',
    size: 20_000,
    make: (n) => chart({ '.helmignore': 'a*b?c\n'.repeat(n), 'templates/a.yaml': 'a: 1\n' }),
  },
  {
    name: '.helmignore: stars',
    size: 10_000,
    make: (n) => chart({ '.helmignore': `${'*a'.repeat(n)}\n`, [`templates/${'a'.repeat(200)}.yaml`]: 'a: 1\n' }),
  },
  {
    name: 'crds',
    size: 2000,
    make: (n) =>
      chart({ 'crds/a.yaml': 'kind: CustomResourceDefinition\nmetadata: {name: a}\n---\n'.repeat(n) }, [
        '--include-crds',
      ]),
  },
  ...schemas(),
];

function schemas(): GrowthCase[] {
  const schema = (text: string, text2 = 'a: 1\n'): Grown =>
    chart({ 'values.schema.json': text, 'values.yaml': text2, 'templates/a.yaml': 'a: 1\n' });
  const items = (n: number): string => `a:\n${'- 1\n'.repeat(n)}`;
  return [
    {
      name: 'schema: properties',
      size: 50_000,
      make: (n) =>
        schema(`{"properties":{${Array.from({ length: n }, (_, i) => `"k${i}":{"type":"string"}`).join(',')}}}`),
    },
    {
      name: 'schema: nested',
      size: 5000,
      make: (n) => schema(`${'{"properties":{"a":'.repeat(n)}{}${'}}'.repeat(n)}`),
    },
    { name: 'schema: allOf', size: 20_000, make: (n) => schema(`{"allOf":[${'{"type":"object"},'.repeat(n)}{}]}`) },
    {
      name: 'schema: anyOf',
      size: 10_000,
      make: (n) => schema(`{"anyOf":[${'{"type":"string"},'.repeat(n)}{"type":"null"}]}`),
    },
    {
      name: 'schema: enum',
      size: 50_000,
      make: (n) => schema(`{"properties":{"a":{"enum":[${Array.from({ length: n }, (_, i) => `"${i}"`).join(',')}]}}}`),
    },
    {
      name: 'schema: required',
      size: 20_000,
      make: (n) => schema(`{"required":[${Array.from({ length: n }, (_, i) => `"k${i}"`).join(',')}]}`),
    },
    {
      name: 'schema: definitions in a row',
      size: 3000,
      make: (n) =>
        schema(
          `{"$ref":"#/definitions/d0","definitions":{${Array.from({ length: n }, (_, i) => `"d${i}":{"$ref":"#/definitions/d${i + 1}"}`).join(',')},"d${n}":{}}}`,
        ),
    },
    {
      name: 'schema: pattern',
      size: 3000,
      make: (n) => schema(`{"properties":{"a":{"pattern":"${'(a*)*'.repeat(n)}b"}}}`, `a: ${'a'.repeat(1000)}\n`),
    },
    {
      name: 'schema: patternProperties',
      size: 1000,
      make: (n) =>
        schema(
          `{"patternProperties":{${Array.from({ length: n }, (_, i) => `"^k${i}":{}`).join(',')}}}`,
          lines(n, (i) => `k${i}: 1\n`),
        ),
    },
    {
      name: 'schema: uniqueItems',
      size: 5000,
      make: (n) => schema('{"properties":{"a":{"uniqueItems":true}}}', `a:\n${lines(n, (i) => `- ${i}\n`)}`),
    },
    {
      name: 'schema: unique maps',
      size: 2000,
      make: (n) => schema('{"properties":{"a":{"uniqueItems":true}}}', `a:\n${lines(n, (i) => `- {a: ${i}}\n`)}`),
    },
    {
      name: 'schema: items',
      size: 100_000,
      make: (n) => schema('{"properties":{"a":{"items":{"type":"number"}}}}', items(n)),
    },
    {
      name: 'schema: wrong items',
      size: 20_000,
      make: (n) => schema('{"properties":{"a":{"items":{"type":"string"}}}}', items(n)),
    },
    {
      name: 'schema: contains',
      size: 100_000,
      make: (n) => schema('{"properties":{"a":{"contains":{"type":"string"}}}}', items(n)),
    },
    {
      name: 'schema: dependencies',
      size: 10_000,
      make: (n) => schema(`{"dependencies":{${Array.from({ length: n }, (_, i) => `"k${i}":["a"]`).join(',')}}}`),
    },
    { name: 'schema: a long description', size: 2_000_000, make: (n) => schema(`{"description":"${'a'.repeat(n)}"}`) },
  ];
}

const flag = (name: string, size: number, make: (size: number) => readonly string[]): GrowthCase => ({
  name: `flag: ${name}`,
  size,
  make: (n) => chart({ 'templates/a.yaml': 'a: {{ .Values | toJson | len }}\n' }, make(n)),
});

// One argument of a program holds 128 KB, all of them 2 MB.
/** Flags that grow. */
export const flags: readonly GrowthCase[] = [
  flag('--set of a key of dots', 5000, (n) => ['--set', `${'a.'.repeat(n)}b=1`]),
  flag('--set of many keys', 10_000, (n) => ['--set', lines(n, (i) => `k${i}=1,`).slice(0, -1)]),
  flag('--set of a list', 40_000, (n) => ['--set', `a={${'b,'.repeat(n)}c}`]),
  flag('--set of an index', 60_000, (n) => ['--set', `a[${n}]=1`]),
  flag('--set of indices', 10_000, (n) => ['--set', `a${'[0]'.repeat(n)}=1`]),
  flag('--set of a long value', 100_000, (n) => ['--set', `a=${'b'.repeat(n)}`]),
  flag('--set of escapes', 50_000, (n) => ['--set', `a=${'\\,'.repeat(n)}`]),
  flag('--set many times', 5000, (n) => Array.from({ length: n }, (_, i) => ['--set', `a.k${i}=1`]).flat()),
  flag('--set-string of many keys', 10_000, (n) => ['--set-string', lines(n, (i) => `k${i}=1,`).slice(0, -1)]),
  flag('--set-json of deep lists', 9000, (n) => ['--set-json', `a=${'['.repeat(n)}${']'.repeat(n)}`]),
  flag('--set-json of a list', 50_000, (n) => ['--set-json', `a=[${'1,'.repeat(n)}1]`]),
  flag('--set-json of an object', 8000, (n) => [
    '--set-json',
    `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',')}}`,
  ]),
  flag('--set-literal', 100_000, (n) => ['--set-literal', `a=${'b'.repeat(n)}`]),
  flag('--set-literal of dots', 5000, (n) => ['--set-literal', `${'a.'.repeat(n)}b=1`]),
  flag('--api-versions', 5000, (n) => Array.from({ length: n }, (_, i) => ['--api-versions', `a/v${i}`]).flat()),
  flag('--api-versions in one', 20_000, (n) => ['--api-versions', `${'a/v1,'.repeat(n)}b`]),
  flag('--show-only', 1000, (n) => Array.from({ length: n }, () => ['--show-only', 'templates/a.yaml']).flat()),
  flag('--kube-version', 100_000, (n) => ['--kube-version', `1.${'9'.repeat(n)}`]),
  flag('--name-template', 10_000, (n) => ['--name-template', '{{ 1 }}'.repeat(n)]),
  flag('--namespace', 100_000, (n) => ['--namespace', 'a'.repeat(n)]),
  flag('--output-dir that cannot be', 1, () => ['--output-dir', '/proc/x']),
  {
    name: 'flag: --values of large files',
    size: 50_000,
    make: (n) =>
      chart(
        {
          '/v.yaml': lines(n, (i) => `k${i}: {a: 1}\n`),
          '/w.yaml': lines(n, (i) => `k${i}: {b: 1}\n`),
          'templates/a.yaml': 'a: {{ .Values | toJson | len }}\n',
        },
        ['-f', 'v.yaml', '-f', 'w.yaml'],
      ),
  },
  {
    name: 'flag: --set-file',
    size: 2_000_000,
    make: (n) =>
      chart({ '/f': 'a\n'.repeat(n / 2), 'templates/a.yaml': 'a: {{ .Values | toJson | len }}\n' }, [
        '--set-file',
        'x=f',
      ]),
  },
];
