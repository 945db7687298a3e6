// Rare cases in which drydock differed from the real programs; recorded with 3.22.0 and 4.3.1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type HelmVersion,
  type Host,
  loadChart,
  RenderError,
  realHost,
  seededHost,
  template,
} from '../../../render/index.ts';

interface Surroundings {
  readonly host?: Host;
  /** The bytes of values.yaml, one in each character. */
  readonly values?: string;
  readonly helms?: readonly HelmVersion[];
}

function assertOutput(
  text: string,
  want: string | RegExp,
  { host = seededHost(), values = '', helms = ['3.22.0', '4.3.1'] }: Surroundings = {},
): void {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'values.yaml': values,
    'templates/_text.tpl': text,
    'templates/a.yaml': 'a: {{ include "c/templates/_text.tpl" . | toJson }}\n',
    ab: 'hi',
  };
  const data = Object.entries(files).map(([name, content]) => {
    return [name, Uint8Array.from(content, (char) => char.charCodeAt(0))] as const;
  });
  for (const helm of helms) {
    let got: string;
    try {
      got = JSON.parse(/^a: (.*)$/m.exec(template(loadChart(new Map(data), { helm }), { helm, host }))?.[1] ?? '""');
    } catch (error) {
      assert.ok(error instanceof RenderError);
      got = error.message.trim();
    }
    if (typeof want === 'string') assert.equal(got, want, helm);
    else assert.match(got, want, helm);
  }
}

for (const [text, want] of [
  ['{{ .Files.Glob "ab{" }}', /error calling Glob: runtime error: slice bounds out of range \[:3\] with length 2$/],
  ['{{ len (.Files.Glob "ab{,c") }}', '1'],
  ['{{ printf "%#w" (.Files.GetBytes "ab") }}', '[]uint8{%!w(uint8=0x68), %!w(uint8=0x69)}'],
  ['{{ printf "%#v" (.Files.GetBytes "ab") }}', '[]byte{0x68, 0x69}'],
  ['{{ now.Location }}', 'UTC'],
] as const) {
  test(text, () => assertOutput(text, want));
}

test("the machine's zone is called Local unless TZ names it, even if it is UTC", () => {
  const machine: Host = { ...realHost(), timeZone: 'UTC' };
  const zone = '{{ now.Location }}';
  assertOutput(zone, 'Local', { host: machine });
  assertOutput(zone, 'UTC', { host: realHost('UTC') });
  assertOutput(zone, 'UTC', { host: realHost('') });
  assertOutput(zone, 'Europe/Berlin', { host: realHost('Europe/Berlin') });
});

// Helm 4 reads the second document too.
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
    assertOutput('{{ .Values.a }}', want, { values, helms: ['3.22.0'] }));
}
