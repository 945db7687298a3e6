// Hover texts for values in templates.

import './page.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesInTemplates } from '../../../emulator/console/view/chart-detail.tsx';

const help = valuesInTemplates({
  name: 'web',
  values: '# The picture.\nimage:\n  # Its version.\n  tag: "1"\n',
  schema: undefined,
  charts: [],
});

test('the value under the pointer is described: the whole path, or a map along it', () => {
  const text = 'a: b\nimage: {{ .Values.image.tag | quote }}{{ .Values.other }}\n';
  const titleAt = (word: string) => help.describe(text, text.indexOf(word) + 1)?.card.title;
  assert.deepEqual(['tag', 'image.', 'quote', 'other'].map(titleAt), ['image.tag', 'image', undefined, undefined]);
  assert.deepEqual(help.describe(text, text.indexOf('tag'))?.card.rows, [
    'string',
    'Its version.',
    `The chart's own: "1"`,
  ]);
});
