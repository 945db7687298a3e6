// The report of a rendering: its data, its search, and escaping.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { renderRelease } from '../../../../render/api/chart.ts';
import { explanationPage } from '../../../../render/api/explain.ts';
import { loadChart } from '../../../../render/chart/load.ts';
import type { ReportData } from '../../../../render/provenance/report/data.ts';
import { reportScriptFile } from '../../../../scripts/build/generate/generate.ts';

const hostile = '</script><script>alert(1)</script><!--\u2028&lt;"\'';
const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': `text: ${JSON.stringify(hostile)}\nshown: true\n`,
  'templates/a.yaml': `# ${hostile.replace('\u2028', '')}
kind: ConfigMap
metadata: {name: a}
data:
  {{- if .Values.shown }}
  text: {{ .Values.text | quote }}
  {{- end }}
  plain: x
`,
});
const page = explanationPage(renderRelease(chart, { trace: true }), {
  title: hostile,
  files: [{ name: 'a.yaml', text: hostile }],
});
const data = JSON.parse(
  /<script type="application\/json" id="data">(.*)<\/script>/.exec(page)?.[1] ?? '',
) as ReportData;

test('contains every line with its parts, values and conditions', () => {
  const [object] = data.objects;
  assert.equal(object?.title, 'ConfigMap/default/a');
  const line = object?.lines.findIndex((text) => text.includes('text:')) ?? -1;
  const reported = object?.parts[line]?.map(([text, place, , values, conditions]) => {
    const [file, at] = data.places[place] ?? [-1, 0];
    return [
      text.trim().slice(0, 5),
      `${data.files[file]?.path}:${at}`,
      values.map(([value]) => `${data.values[value]?.path} ${data.values[value]?.setBy[0]?.[0]}`),
      conditions.map((one) => data.values[data.conditions[one]?.[2][0] ?? -1]?.path),
    ];
  });
  assert.deepEqual(reported, [
    ['text:', 'web/templates/a.yaml:6', [], ['shown']],
    [`"${hostile.slice(0, 4)}`, 'web/templates/a.yaml:6', ['text web/values.yaml:1:1'], ['shown']],
  ]);
  assert.deepEqual(
    data.files.map(({ path, text }) => [path, text !== undefined]),
    [
      ['web/templates/a.yaml', true],
      ['web/values.yaml', true],
    ],
  );
});

test('escapes chart content, and its policy only allows its own script', () => {
  assert.equal(page.match(/<script/g)?.length, 2);
  assert.equal(page.match(/<\/script>/g)?.length, 2);
  assert.equal(page.includes('<!--'), false);
  assert.match(page, /default-src &#39;none&#39;; style-src &#39;sha256-[^ ]* script-src &#39;sha256-[^ ]* base-uri/);
  assert.doesNotMatch(page, /unsafe|https?:/);
});

test('the embedded script matches its sources', async () => {
  const kept = await readFile(
    new URL('../../../../render/provenance/report/script.generated.ts', import.meta.url),
    'utf8',
  );
  assert.equal(kept, await reportScriptFile(), 'run npm run generate');
});
