// Equal texts are parsed once, and errors still have the path of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFile } from '../../../render/engine/trees.ts';
import { helmOf } from '../../../render/helm/versions.ts';

const fileOf = (text: string): { name: string; data: Uint8Array } => ({
  name: 'x',
  data: new TextEncoder().encode(text),
});

test('the same text under two paths is parsed once and keeps its names', () => {
  const text = '{{ define "shared" }}x{{ end }}body {{ .Values.a }}';
  const [first, second] = ['a/templates/f.yaml', 'b/templates/f.yaml'].map((path) =>
    parseFile(path, fileOf(text), helmOf()),
  );
  assert.deepEqual([...(second?.templates.keys() ?? [])], ['shared', 'b/templates/f.yaml']);
  const own = second?.templates.get('b/templates/f.yaml');
  assert.equal(own?.source.name, 'b/templates/f.yaml');
  assert.equal(own?.name, 'b/templates/f.yaml');
  assert.equal(own?.body, first?.templates.get('a/templates/f.yaml')?.body);
  assert.equal(second?.templates.get('shared')?.source.name, 'b/templates/f.yaml');
});

test('a text that defines a template named after a path is not shared with that path', () => {
  const text = '{{ define "c/templates/f.yaml" }}x{{ end }}{{/* nothing */}}';
  assert.deepEqual([...parseFile('d/templates/f.yaml', fileOf(text), helmOf()).templates.keys()].length, 2);
  assert.deepEqual(
    [...parseFile('c/templates/f.yaml', fileOf(text), helmOf()).templates.keys()],
    ['c/templates/f.yaml'],
  );
});
