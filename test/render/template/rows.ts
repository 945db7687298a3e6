// Runs rows of templates and compares their results.

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { TemplateExecError, TemplateParseError } from '../../../render/template/failures.ts';
import { TemplateSet } from '../../../render/template/template.ts';
import { includeOf, smallFuncs, values } from './small-funcs.ts';

/** The result of a row: its output, the place and reason of a failure, or the line and message of a parse error. */
export type Outcome = 'output' | 'failure' | 'parse';

/** Tests each row: the text of template `t`, run with the common values beside a template `id` that prints `.x`. */
export function testRows(
  title: string,
  outcome: Outcome,
  rows: readonly (readonly [text: string, want: string])[],
): void {
  test(title, () => {
    for (const [text, want] of rows) equal(run(text).join('|'), `${outcome}|${want}`, text);
  });
}

/** Returns a set with the small functions, `include` and the template `id`. */
export function createSet(): TemplateSet {
  const set = new TemplateSet({ funcs: smallFuncs });
  set.setFuncs(includeOf(set));
  set.parse('lib', '{{ define "id" }}{{ .x }}{{ end }}');
  return set;
}

function run(text: string): [Outcome, string] {
  const set = createSet();
  try {
    set.parse('t', text);
    return ['output', set.execute('t', values())];
  } catch (error) {
    if (error instanceof TemplateParseError) return ['parse', error.message.replace(/^template: t:/, '')];
    if (!(error instanceof TemplateExecError)) throw error;
    return ['failure', error.message.replace(/^template: t:(\d+:\d+): executing "t" at /, '$1 ')];
  }
}
