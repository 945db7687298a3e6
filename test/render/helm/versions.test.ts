// Helm versions: selectors, and the changes of each profile.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { RenderError } from '../../../render/core/errors.ts';
import { findHelmVersion, type HelmVersion, helmVersions } from '../../../render/core/helm-version.ts';
import { helmChanges } from '../../../render/helm/changes.ts';
import { changesBetween, hasChange, helmArgument, helmOf, profileBetween } from '../../../render/helm/versions.ts';
import { loadChart, template } from '../../../render/index.ts';

for (const [selector, version] of [
  [3, '3.22.0'],
  ['3', '3.22.0'],
  [4, '4.3.1'],
  ['v4', '4.3.1'],
  ['3.17', '3.17.3'],
  ['v3.22', '3.22.0'],
  ['4.2', '4.2.4'],
  ['4.2.3', '4.2.3'],
  ['v4.3.1', '4.3.1'],
  ['3.1', undefined],
  ['4.2.', undefined],
  ['4.2.9', undefined],
  ['', undefined],
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

function rendered(text: string, helm: HelmVersion, more: Readonly<Record<string, string>> = {}): string {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'templates/a.yaml': `a: ${text}\n`,
    ...more,
  };
  try {
    const chart = loadChart(files, { helm });
    return /^a: (.*)$/m.exec(template(chart, { helm }))?.[1] ?? '';
  } catch (error) {
    assert.ok(error instanceof RenderError);
    return error.message.replace(/^.*: (?=error calling)|^.*: (?=function )/s, '').trim();
  }
}

// Recorded with the real programs of 3.20.2, 3.21.4, 3.22.0, 4.1.4, 4.2.3 and 4.3.1; the others follow from their sources.
for (const [text, version, want] of [
  ['{{ mustToDuration "1h30m" }}', '4.3.1', '1h30m0s'],
  ['{{ mustToDuration " 90 " }}', '4.3.1', '1m30s'],
  ['{{ mustToDuration "x" }}', '4.3.1', 'error calling mustToDuration: could not parse duration "x"'],
  [
    '{{ durationHours "90m" }} {{ durationDays 86400 }} {{ durationMilliseconds 1.5 }} {{ durationSeconds "x" }}',
    '4.3.1',
    '1.5 1 1500 0',
  ],
  [
    '{{ durationRoundTo "1h29m" "1h" }} {{ durationTruncateTo "1h59m" 3600 }} {{ durationRoundTo 5 "x" }}',
    '4.3.1',
    '1h0m0s 1h0m0s 5s',
  ],
  ['{{ mustToDuration 1 }}', '4.2.4', 'function "mustToDuration" not defined'],
  ['{{ len (.Files.Lines "empty") }}', '3.21.4', '0'],
  ['{{ len (.Files.Lines "empty") }}', '4.3.1', '0'],
  ['{{ mustToToml (dict "a" 1e30) }}', '4.2.3', 'a = 1e+30'],
  ['{{ toToml (dict "a" 1e21) }}', '3.19.5', 'a = 1000000000000000000000.0'],
  ['{{ toToml (dict "a" 1e21) }}', '3.20.2', 'a = 1e+21'],
  ['{{ range 3 }}{{ . }}{{ end }}', '3.18.6', '012'],
  ['{{ (fromToml "a = [1]\\na = 2").Error }}', '3.19.5', ''],
  ['{{ (fromToml "a = [1]\\na = 2").Error | len }}', '3.22.0', '62'],
  ['{{ contains "hexadecimal" (fromToml "a = 0xg").Error }}', '4.1.4', 'true'],
  ['{{ contains "hexadecimal" (fromToml "a = 0xg").Error }}', '3.17.3', 'false'],
  ['{{ .Capabilities.KubeVersion }} {{ .Capabilities.HelmVersion.GoVersion }}', '3.22.0', 'v1.37.0 go1.26.8'],
  ['{{ .Capabilities.HelmVersion.KubeClientVersion }}', '4.1.4', 'v1.35'],
] as const) {
  test(`${version} makes ${want} of ${text}`, () => assert.equal(rendered(text, version, { empty: '' }), want));
}

// Recorded with 4.1.4 and 4.2.3.
test('a last line of 4,096 bytes is lost', () => {
  const values = { 'values.yaml': `b: 1\n${'a: '.padEnd(4096, 'x')}` };
  for (const version of ['4.1.4', '4.2.3', '4.2.4'] as const) {
    assert.equal(rendered('{{ .Values.a | toString | len }} {{ .Values.b }}', version, values), '5 1', version);
  }
  for (const version of ['3.22.0', '4.3.1'] as const) {
    assert.equal(rendered('{{ .Values.a | toString | len }} {{ .Values.b }}', version, values), '4093 1', version);
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
      'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
      'values.yaml': 'm: {default: 1, "null": null}\n',
      'templates/a.yaml': 'a: {{ toJson .Values.m }}\n',
    };
    const values = { m: { default: null, none: null, null: null } };
    assert.match(
      template(loadChart(files, { helm: version }), { helm: version, values }),
      new RegExp(`^a: ${want}$`, 'm'),
    );
  });
}
