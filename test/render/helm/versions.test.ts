// Helm versions: selectors, the changes of each profile, and the differences of Helm 4. Expectations without a version are those of 4.2.3.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readValues } from '../../../render/chart/values-file.ts';
import { emitJson } from '../../../render/codec/json.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { findHelmVersion, type HelmVersion, helmVersions } from '../../../render/core/helm-version.ts';
import { helmChanges } from '../../../render/helm/changes.ts';
import { parseGenericVersion } from '../../../render/helm/kubernetes.ts';
import { formatTrace } from '../../../render/helm/traced-errors.ts';
import { changesBetween, hasChange, helmArgument, helmOf, profileBetween } from '../../../render/helm/versions.ts';
import { type Host, loadChart, realHost, seededHost, template } from '../../../render/index.ts';
import { chartYaml, type Files } from '../../support/project.ts';

const four = { helm: '4.2.3' } as const;

for (const [selector, version] of [
  [3, '3.22.0'],
  [4, '4.3.1'],
  ['3.17', '3.17.3'],
  ['v3.22', '3.22.0'],
  ['4.2.3', '4.2.3'],
  ['3.1', undefined],
  ['4.2.9', undefined],
  [3.2, undefined],
  [undefined, undefined],
] as const) {
  test(`${JSON.stringify(selector)} selects ${version}`, () => assert.equal(findHelmVersion(selector), version));
}

test('an unsupported version is refused with the list of supported ones', () => {
  const [issue] = helmArgument('3.16', 'options.helm');
  assert.equal(issue?.path, 'options.helm');
  assert.match(issue?.message ?? '', /not "3\.16"/);
  assert.match(issue?.hint ?? '', /3, 4, 3\.17, .*4\.3, or one of 3\.17\.3, .*4\.3\.1/);
});

test('changes have unique names, a supported version each, and a reference', () => {
  assert.equal(new Set(helmChanges.map(({ name }) => name)).size, helmChanges.length);
  for (const { name, since, reference, summary } of helmChanges) {
    const firsts = Object.entries(since);
    assert.ok(firsts.length > 0, name);
    for (const [major, first] of firsts) assert.match(first, new RegExp(`^${major}\\.\\d+\\.\\d+$`), name);
    assert.match(reference, /^(?:helm\/helm[#@]|[\w.-]+\/[\w-]+ v|Go 1\.)/, name);
    assert.doesNotMatch(summary, /\.$/, name);
    const having = helmVersions.filter((version) => hasChange(version, { name, since } as never));
    assert.ok(having.length > 0 && having.length < helmVersions.length, `${name} separates no two versions`);
  }
});

test('the compatibility page lists every change', async () => {
  const page = await readFile(new URL('../../../render/docs/compatibility.md', import.meta.url), 'utf8');
  for (const { since, summary, reference } of helmChanges) {
    assert.ok(page.includes(`| ${since[3] ?? ''} | ${since[4] ?? ''} | ${summary} | ${reference} |`), summary);
  }
});

test('a version between two changes has only the first', () => {
  const [from, to]: HelmVersion[] = ['3.17.3', '4.3.1'];
  const changes = changesBetween(from!, to!);
  const at = changes.findIndex(({ name }) => name === 'default-nulls-dropped');
  assert.equal(helmOf(profileBetween(from!, to!, at)).values.dropsDefaultNulls, false);
  assert.equal(helmOf(profileBetween(from!, to!, at + 1)).values.dropsDefaultNulls, true);
  const { name, build, version, ...first } = helmOf(profileBetween(from!, to!, changes.length));
  const { name: _, build: ownBuild, version: ownVersion, ...last } = helmOf(to!);
  assert.deepEqual(Object.keys(first), Object.keys(last));
  assert.deepEqual([build, version, first.values], [ownBuild, ownVersion, last.values]);
});

/** Returns the line `a: TEXT` of a rendered chart, or the error. */
function outputOf(text: string, helm: HelmVersion, files: Files = {}, host: Host = seededHost()): string {
  const own = { 'Chart.yaml': chartYaml('c', 'keywords: [k]\n'), 'templates/a.yaml': `a: ${text}\n`, empty: '' };
  try {
    return /^a: (.*)$/m.exec(template(loadChart({ ...own, ...files }, { helm }), { helm, host }))?.[1] ?? '';
  } catch (error) {
    assert.ok(error instanceof RenderError);
    return error.message.trim();
  }
}

function assertOutput(got: string, want: string | RegExp, message?: string): void {
  if (typeof want === 'string') assert.equal(got, want, message);
  else assert.match(got, want, message);
}

// Recorded with the real programs of 3.20.2, 3.21.4, 3.22.0, 4.1.4, 4.2.3 and 4.3.1; the others follow from their sources.
for (const [text, version, want] of [
  ['{{ mustToDuration "1h30m" }}', '4.3.1', '1h30m0s'],
  ['{{ mustToDuration "x" }}', '4.3.1', /: error calling mustToDuration: could not parse duration "x"$/],
  ['{{ mustToDuration 1 }}', '4.2.4', /: function "mustToDuration" not defined$/],
  ['{{ durationHours "90m" }} {{ durationDays 86400 }} {{ durationMilliseconds 1.5 }}', '4.3.1', '1.5 1 1500'],
  ['{{ durationSeconds "x" }} {{ durationRoundTo "1h29m" "1h" }}', '4.3.1', '0 1h0m0s'],
  ['{{ durationTruncateTo "1h59m" 3600 }} {{ durationRoundTo 5 "x" }}', '4.3.1', '1h0m0s 5s'],
  ['{{ .Capabilities.KubeVersion }} {{ .Capabilities.HelmVersion.GoVersion }}', '3.22.0', 'v1.37.0 go1.26.8'],
  ['{{ .Capabilities.HelmVersion.KubeClientVersion }}', '4.1.4', 'v1.35'],
  [
    '{{ .Capabilities.HelmVersion.Version }} {{ .Capabilities.HelmVersion.KubeClientVersion }}',
    '4.2.3',
    'v4.2.3 v1.36',
  ],
  ['{{ printf "%T" .Values }} {{ len .Capabilities.APIVersions }}', '4.2.3', 'common.Values 55'],
] as const) {
  test(`${version} makes ${want} of ${text}`, () => assertOutput(outputOf(text, version), want));
}

// Rare cases in which drydock differed from the real programs; recorded with 3.22.0 and 4.3.1.
const zone = '{{ now.Location }}';
const rare: readonly (readonly [text: string, want: string | RegExp, host?: Host])[] = [
  ['{{ .Files.Glob "ab{" }}', /error calling Glob: runtime error: slice bounds out of range \[:3\] with length 2$/],
  ['{{ len (.Files.Glob "ab{,c") }}', '1'],
  ['{{ printf "%#w" (.Files.GetBytes "ab") | quote }}', '"[]uint8{%!w(uint8=0x68), %!w(uint8=0x69)}"'],
  ['{{ printf "%#v" (.Files.GetBytes "ab") | quote }}', '"[]byte{0x68, 0x69}"'],
  [zone, 'UTC'],
  // The machine's zone is called Local unless TZ names it, even if it is UTC.
  [zone, 'Local', { ...realHost(), timeZone: 'UTC' }],
  [zone, 'UTC', realHost('UTC')],
  [zone, 'UTC', realHost('')],
  [zone, 'Europe/Berlin', realHost('Europe/Berlin')],
];
for (const [text, want, host] of rare) {
  test(`${text} is ${want}`, () => {
    for (const helm of ['3.22.0', '4.3.1'] as const) assertOutput(outputOf(text, helm, { ab: 'hi' }, host), want, helm);
  });
}

// Values cut within a character, one byte in each character. Helm 4 reads the second document too.
const incomplete = /cannot load values\.yaml: .*yaml: incomplete UTF-8 octet sequence$/;
for (const [values, want] of [
  ['a: 1\n---\n\xe2\x82', '1'],
  ['a: 1\n--- \xe2', '1'],
  ['a: 1\n...\n\xe2\x82', '1'],
  ['a: 1\n---\n"\xe2', '1'],
  ['a: 1\n---\xe2', incomplete],
  ['a: 1\n\xe2', incomplete],
  ['a: 1\n# \xe2', incomplete],
] as const) {
  test(`values of ${JSON.stringify(values)}, cut within a character`, () =>
    assertOutput(outputOf('{{ .Values.a }}', '3.22.0', { 'values.yaml': Buffer.from(values, 'latin1') }), want));
}

// Recorded with 4.1.4 and 4.2.3.
test('a last line of 4,096 bytes is lost', () => {
  const values = { 'values.yaml': `b: 1\n${'a: '.padEnd(4096, 'x')}` };
  for (const [version, length] of [
    ['4.1.4', 5],
    ['4.2.3', 5],
    ['4.2.4', 5],
    ['3.22.0', 4093],
    ['4.3.1', 4093],
  ] as const) {
    const output = outputOf('{{ .Values.a | toString | len }} {{ .Values.b }}', version, values);
    assert.equal(output, `${length} 1`, version);
  }
});

// A null below the first level of the given values, where the chart has a default, none, or null. Recorded with 3.17.3, 4.1.4 and 4.2.3;
// the others follow from their sources.
for (const [version, want] of [
  ['3.17.3', '{"none":null}'],
  ['3.18.6', '{"none":null}'],
  ['3.19.5', '{}'],
  ['3.20.2', '{"none":null,"null":null}'],
  ['4.1.4', '{"none":null,"null":null}'],
  ['4.2.3', '{"none":null,"null":null}'],
] as const) {
  test(`nulls in a mapping with ${version}`, () => {
    const files = {
      'Chart.yaml': chartYaml('c'),
      'values.yaml': 'm: {default: 1, "null": null}\n',
      'templates/a.yaml': 'a: {{ toJson .Values.m }}\n',
    };
    const values = { m: { default: null, none: null, null: null } };
    const text = template(loadChart(files, { helm: version }), { helm: version, values });
    assert.match(text, new RegExp(`^a: ${want}$`, 'm'));
  });
}

test('an error without an inner place is reported as in Go', () => {
  const outer = 'template: a:1:2: executing "a" at <include "b" .>: error calling include: ';
  const inner = 'template: b:1:2: executing "b" at <.x>: gone';
  const head = 'a:1:2\n  executing "a" at <include "b" .>:\n    error calling include:\n';
  assert.equal(formatTrace([outer + inner, inner]), `${head}b:1:2\n  executing "b" at <.x>:\n    gone`);
  assert.equal(formatTrace([`${outer}gone`, 'gone']), `${outer}gone`);
  const none = 'template: no template "x" associated with template "gotpl"';
  assert.equal(formatTrace([outer + none, none]), head + none);
});

for (const [text, want] of [
  ['---\na: 1\n---\nb: 2\n', '{"a":1,"b":2}'],
  ['a: 1\n--- # x\nb: {c: 1}\n---\nb: {d: 1}', '{"a":1,"b":{"c":1,"d":1}}'],
  ['a: 1\n...\nb: 1\n', '{"a":1}'],
  ['', '{}'],
] as const) {
  test(`values ${JSON.stringify(text)}`, () => assert.equal(emitJson(readValues(text, helmOf('4.2.3'))), want));
}

for (const [text, version, normalized, major, minor] of [
  ['1.25', 'v1.25', 'v1.25', '1', '25'],
  ['v1.25.3-gke.100', 'v1.25.3-gke.100', 'v1.25.3', '1', '25'],
  ['1.05', 'v1.05', 'v1.5', '1', '5'],
] as const) {
  test(`Kubernetes ${text}`, () => assert.deepEqual(parseGenericVersion(text), { version, normalized, major, minor }));
}

for (const [text, message] of [
  ['1', 'illegal version string "1"'],
  ['abc', 'could not parse "abc" as version'],
] as const) {
  test(`refuses Kubernetes ${text}`, () => assert.throws(() => parseGenericVersion(text), { message }));
}

test('a chart of API version v3 loads and cannot be installed', () => {
  const chart = (version: string) => loadChart({ 'Chart.yaml': chartYaml('c').replace('v2', version) }, four);
  assert.throws(() => template(chart('v3'), four), { message: 'invalid chart apiVersion' });
  assert.throws(() => chart('v9'), { message: 'unsupported chart version' });
});
