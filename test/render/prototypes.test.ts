// Names of JavaScript's prototypes have no meaning: in every place for a name, the result is the same as for a name that does not exist.
// Repeated for every name inherited by the host's objects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../../render/core/errors.ts';
import { renderNameTemplate } from '../../render/engine/name-template.ts';
import { createFuncMap } from '../../render/functions/table.ts';
import { loadChart, seededHost, template } from '../../render/index.ts';

const hosts = [Object, Array, Map, Set, Function, String, Number, BigInt, RegExp, Uint8Array, Error, Symbol, Promise];
const inherited = hosts.flatMap((host) => [
  ...Object.getOwnPropertyNames(host),
  ...Object.getOwnPropertyNames(host.prototype),
]);
/** Words with a meaning in Helm or its template language, each with a reason. */
const meant = new Set([
  ...createFuncMap(seededHost()).keys(),
  'and',
  'call',
  'not',
  'slice',
  'with',
  // A keyword of JSON Schema.
  'then',
  'link',
  'name',
  'global',
]);
// Starting in lower case, because upper case names are Go's.
const names = [...new Set(inherited)].filter((name) => /^[a-z_][A-Za-z0-9_]*$/.test(name) && !meant.has(name)).sort();

/** A name that does not exist; N in a place is replaced by the name. */
const unknown = 'zqx';

/** Places for a name in a template; the name is removed from the outcome. */
const templates = [
  ...[
    '.Values',
    '.Values.MAP',
    '.Values.LIST',
    '.Values.TEXT',
    '.Values.NUMBER',
    '.Files',
    '.Chart',
    '.Chart.Annotations',
  ],
  ...[
    '.Chart.Maintainers',
    '.Chart.Dependencies',
    '.Capabilities',
    '.Capabilities.APIVersions',
    '.Capabilities.KubeVersion',
  ],
  ...[
    '.Capabilities.HelmVersion',
    '.Release',
    '.Template',
    '.Subcharts',
    '(now)',
    '(list)',
    '(dict)',
    '(int 1)',
    '(1.5)',
  ],
  ...['(semver "1.2.3")', '(urlParse "http://a/b")', '(.Files.Glob "*")', '(index .Chart.Maintainers 0)'],
].flatMap((value) => [
  `{{ ${value}.N }}`,
  `{{ ${value}.N | toJson }}`,
  `{{ with ${value} }}{{ .N }}{{ end }}`,
  `{{ range $k, $v := ${value}.N }}{{ $k }}{{ end }}`,
  `{{ index ${value} "N" | typeOf }}`,
  `{{ get ${value} "N" | typeOf }}{{ hasKey ${value} "N" }}`,
]);
const others = [
  '{{ N }}',
  '{{ N 1 }}',
  '{{ $N }}',
  '{{ $N := 1 }}{{ $N }}',
  '{{ include "N" . }}',
  '{{ template "N" . }}',
  '{{ define "N" }}x{{ end }}{{ include "N" . }}',
  '{{ tpl "{{ .N }}" (dict) }}|{{ tpl "{{ .N }}" (dict "N" 1) }}',
  '{{ dict "N" 1 | toJson }}{{ dict "N" 1 | toYaml }}{{ dict "N" 1 | toToml }}{{ (dict "N" 1).N }}',
  '{{ set (dict) "N" 1 | toJson }}{{ unset (dict "N" 1) "N" | toJson }}{{ pick (dict) "N" | toJson }}{{ omit (dict "a" 1) "N" | toJson }}',
  '{{ dig "N" "N" "none" (dict) }}{{ dig "N" "none" (dict "N" 1) }}{{ pluck "N" (dict) | toJson }}',
  '{{ merge (dict) (dict "N" (dict "N" 1)) | toJson }}{{ mergeOverwrite (dict "N" 1) (dict "N" 2) | toJson }}',
  '{{ deepCopy (dict "N" (dict)) | toJson }}{{ keys (dict "N" 1) }}{{ has "N" (list) }}',
  `{{ fromJson "{\\"N\\":{\\"N\\":1}}" | toJson }}{{ fromYaml "N: {N: 1}" | toJson }}{{ fromYaml "a: &N 1\\nb: *N" | toJson }}`,
  '{{ fromToml "N = 1\\n[A.N]\\nb=2" | toJson }}{{ fromToml "[N]\\n[[N.N]]" | toJson }}{{ fromYaml "!!N x" | toJson }}',
  '{{ typeIs "N" 1 }}{{ kindIs "N" 1 }}{{ deepEqual "N" 1 }}{{ duration "N" }}{{ durationRound "1N" }}{{ ago "N" }}',
  '{{ dateInZone "2006" (toDate "2006" "2006") "N" }}{{ dateModify "1N" (toDate "2006" "2006") | date "2006" }}',
  '{{ semverCompare "N" "1.2.3" }}',
  '{{ regexReplaceAll "(?P<N>x)" "x" "$N" }}{{ regexReplaceAll "(x)" "x" "$N" }}',
  '{{ derivePassword 1 "N" "p" "u" "s" }}',
  '{{ genPrivateKey "N" }}',
  '{{ urlJoin (dict "N" "x" "host" "h") }}{{ urlParse "http://h/?N=1" | toJson }}{{ env "N" }}',
  '{{ .Files.Get "N" }}{{ .Files.GetBytes "N" | toJson }}{{ .Files.Lines "N" }}{{ (.Files.Glob "N").AsConfig }}',
  '{{ .Capabilities.APIVersions.Has "N" }}{{ lookup "N" "N" "N" "N" }}{{ (lookup "v1" "N" "" "").N }}',
  '{{ .Values.N.N }}',
  '{{ .Values.GIVEN.N }}{{ .Values.GIVEN | toJson }}{{ .Chart.Annotations.GIVEN }}',
];

function outcomeOf(make: () => string): string {
  try {
    return make();
  } catch (error) {
    // Anything else is a bug.
    if (!(error instanceof RenderError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

interface Place {
  readonly template?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly values?: string;
  readonly set?: readonly string[];
  readonly setJson?: readonly string[];
}

const dump = '{{ .Values | toJson }}{{ .Chart.Annotations | toJson }}{{ .Values.N }}';
const schema = (more: object): Place => ({
  values: 'N: {N: 1}\n',
  files: { 'values.schema.json': JSON.stringify(more) },
});
const places: readonly Place[] = [
  ...[...templates, ...others].map((text) => ({ template: text })),
  { values: 'N: 1\n' },
  { values: 'N: {N: {N: [1]}}\nMAP: {N: null}\n' },
  { values: 'A: &N {x: 1}\nB: {<<: *N}\n' },
  { set: ['N=1', 'N.N=2', 'N.N[1].N=3', 'LIST[0].N=4', 'MAP.N=null'] },
  { setJson: ['{"N":{"N":1}}', 'N.N={"N":2}'] },
  { files: { N: 'x', 'templates/zz/x.N': 'a: {{ .Template.Name }}' } },
  schema({ properties: { N: { properties: { N: { type: 'string' } } } } }),
  schema({ properties: { MAP: { required: ['N'] } }, required: ['N'] }),
  schema({ type: 'N' }),
  schema({ N: 1, properties: { N: { $ref: '#/definitions/N' } }, definitions: { N: { type: 'string' } } }),
  schema({ properties: { N: { $ref: '#/definitions/N' } }, definitions: {} }),
  schema({ additionalProperties: false }),
  schema({ dependencies: { N: ['N', 'x'] }, properties: { MAP: { dependencies: { N: ['x'] } } } }),
  schema({ patternProperties: { '^N$': { type: 'string' } } }),
  schema({ propertyNames: { enum: ['N'] }, enum: [{ N: 1 }], const: { N: 1 } }),
  schema({ properties: { N: { format: 'N' }, TEXT: { format: 'N' } } }),
];

function render({ template: text = dump, files = {}, values = '', set, setJson }: Place, name: string): string {
  const fill = (part: string): string => part.replace(/(?<![A-Za-z])N(?![A-Za-z])/g, () => name);
  const chartFiles: Record<string, string> = {
    'Chart.yaml': fill(
      'apiVersion: v2\nname: c\nversion: 0.1.0\nmaintainers: [{name: m, N: 1}]\nannotations: {N: "1", GIVEN: x}\nN: 1\n',
    ),
    'values.yaml': 'MAP: {A: 1}\nLIST: [1]\nTEXT: t\nNUMBER: 1.5\nGIVEN: {A: 1}\n',
    'templates/out.yaml': `out: {{ include "row" . | toJson }}\n{{ define "row" }}${fill(text)}{{ end }}`,
    ...Object.fromEntries(Object.entries(files).map(([path, data]) => [fill(path), fill(data)])),
  };
  return template(loadChart(chartFiles), {
    host: seededHost(),
    valuesFiles: [fill(values)],
    set: (set ?? []).map(fill),
    setJson: (setJson ?? []).map(fill),
  });
}

/** The most dangerous names are tested in every place, the others in some. */
const notorious = ['__proto__', 'constructor', 'valueOf', 'hasOwnProperty', 'prototype', 'length', 'at', 'size'];
const share = 8;

test(`none of ${names.length} inherited names has a meaning in ${places.length} places`, () => {
  assert.ok(names.length > 120);
  places.forEach((place, i) => {
    const want = outcomeOf(() => render(place, unknown));
    const others = Array.from({ length: share }, (_, n) => names[(i * share + n) % names.length] as string);
    for (const name of [...notorious, ...others]) {
      const got = outcomeOf(() => render(place, name));
      assert.equal(got, want.replaceAll(unknown, name), `${name} in ${JSON.stringify(place)}`);
    }
  });
});

test('nor in the environment of a name template', () => {
  for (const text of ['{{ env "N" }}', '{{ expandenv "x$N" }}', '{{ expandenv "x${N}" }}', '{{ N }}']) {
    const of = (name: string): string =>
      outcomeOf(() => renderNameTemplate(text.replace('N', name), seededHost(), { PATH: '/bin' }));
    for (const name of names) {
      assert.equal(of(name), of(unknown).replaceAll(unknown, name), `${name} in ${text}`);
    }
  }
});
