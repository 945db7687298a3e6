// Coverage reports in other programs: genhtml, xmllint with Cobertura's DTD; the page, and hostile charts.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { coverChart, formatCoverage } from '../../../render/api/coverage.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { createProject } from '../../support/project.ts';
import { needsTools } from '../../support/shells.ts';

// YAML does not allow a bell character, so it is only in the name of a case.
const hostile = `</script></style><img src=x onerror="alert(1)">'&\u202e`;
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
  'values.yaml': `# -- How many
# there are
replicas: 1
image:
  # -- (string) Its name: ${hostile}
  name: x
  tag: y
## @param port [default: 80] Where it listens
port: 80
described: 1
tables: {a: {b: 1}, c: 2}
list: [1, 2]
`,
  'values.schema.json':
    '{"properties":{"described":{"$ref":"#/$defs/d"}},"$defs":{"d":{"description":"By its schema"}}}',
  'templates/<b>&.yaml': `# ${hostile}\n{{ if .Values.image.tag }}a: 1{{ else }}{{ "${hostile.replaceAll('"', "'")}" }}{{ end }}\n`,
  'templates/_b.tpl': '{{ define "b" }}{{ .Values.tables.a }}{{ end }}\n',
};
const chart = loadChart(files);
const coverage = coverChart(chart, { cases: [{ name: 'default' }, { name: `${hostile}\u0007`, set: ['image.tag='] }] });

function accepted(program: string, args: readonly string[], input = ''): void {
  const { status, error, stderr } = spawnSync(program, args, { input, encoding: 'utf8', timeout: 60_000 });
  // If the program is missing and not required, the other tests must do.
  if (error === undefined || needsTools) assert.equal(status, 0, `${error?.message ?? ''}${stderr}`);
}

test('lists the defaults that no case reads, with their descriptions', () => {
  assert.deepEqual(coverage.defaults, {
    total: 9,
    unread: [
      { path: 'replicas', line: 3, description: 'How many there are' },
      { path: 'image.name', line: 6, description: `Its name: ${hostile}` },
      { path: 'port', line: 9, description: 'Where it listens' },
      { path: 'described', line: 10, description: 'By its schema' },
      { path: 'tables', line: 11 },
      { path: 'list', line: 12 },
    ],
  });
  // One case reads a part of the table, another one all of the list.
  const reading = loadChart({
    ...files,
    'templates/c.yaml': 'v: {{ if eq .Release.Name "x" }}{{ .Values.tables.a.b }}{{ else }}{{ .Values.list }}{{ end }}',
  });
  const read = coverChart(reading, { cases: [{ name: 'x', releaseName: 'x' }, { name: 'y' }] }).defaults.unread;
  assert.deepEqual(
    read.map(({ path }) => path),
    ['replicas', 'image.name', 'port', 'described', 'tables.c'],
  );
  const failed = coverChart(chart, { cases: [{ name: 'bad', kubeVersion: '1.30', values: { image: 3 } }] });
  assert.deepEqual(failed.defaults.unread, []);
});

test('is accepted by genhtml', () => {
  const plain = { ...files, 'templates/page.yaml': files['templates/<b>&.yaml'] };
  const { folder, write } = createProject(plain);
  const report = formatCoverage(coverChart(loadChart(plain)), { format: 'lcov', folder: `${folder}/` });
  write({ 'charts.lcov': report });
  const output = ['--output-directory', `${folder}/out`];
  accepted('genhtml', ['--quiet', '--branch-coverage', ...output, `${folder}/charts.lcov`]);
});

test('conforms to the DTD of Cobertura', () => {
  const dtd = join(import.meta.dirname, '../../../fixtures/schemas/cobertura.dtd');
  const xml = formatCoverage(coverage, { format: 'cobertura' });
  // The parser loads the DTD from the address in the document, so that is removed.
  accepted('xmllint', ['--noout', '--nonet', '--dtdvalid', dtd, '-'], xml.replace(/<!DOCTYPE[^>]*>/, ''));
});

test('the page contains every line and count, and chart content is escaped', () => {
  const page = formatCoverage(coverage, { format: 'html' });
  assert.match(
    page,
    /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
  );
  assert.doesNotMatch(page, /<img|<\/script|onerror="|https?:/);
  assert.equal(page.match(/<\/style>/g)?.length, 1);
  assert.match(page, /<td>2<\/td><td>2<\/td><td>\{\{ if \.Values\.image\.tag \}\}/);
  assert.match(page, /never called/);
  assert.match(page, /<code>image\.name<\/code>, line 6/);
  assert.equal(page.includes('\u0007'), false);
  assert.equal(page.includes('\u202e'), false);
  assert.match(page, /\[U\+202E\]␇/);
});
