import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { lintTemplate } from '../../../render/scripts/template-lint.ts';
import { compileTemplates, generatedFile } from '../../../scripts/build/generate/templates.ts';

// Language, template, and the lines where quoting would be lost.
const rows: readonly (readonly ['sh' | 'powershell', string, readonly number[]])[] = [
  ['sh', 'run {{a}} "$x"/{{b}} \'c\'{{d}}', []],
  ['sh', 'run "{{a}}"', [1]],
  ['sh', "run '{{a}}'", [1]],
  ['sh', 'run \\"{{a}}', []],
  ['sh', "run 'a\\'{{a}}", []],
  ['sh', '# {{a}}\nrun', [1]],
  ['sh', "# {{comment a}}\nrun {{a}} # it's {{comment b}}\n{{c}}", []],
  ['sh', "cat <<'EOF'\n{{comment a}}\nEOF\n{{b}}", [2]],
  ['sh', "cat <<-'EOF'\n{{#if a}}\nit's\n{{/if}}\n\tEOF\n{{b}}", []],
  ['sh', 'run {{document a "END"}}\nrun {{b}}', []],
  ['sh', '"{{document a "END"}}"', [1]],
  ['sh', '"{{{a}}}"\n{{!-- "{{b}}" --}}"{{! c }}"', [1]],
  ['powershell', 'run "{{a}}"\nrun \'{{b}}\'', [1, 2]],
  ['powershell', 'run "`"{{a}}"', [1]],
  ['powershell', '<# {{a}} {{comment b}} #> {{c}}', [1]],
  ['powershell', "@'\n{{a}}\n'@\n{{b}}", [2]],
  ['powershell', '@"\n\'{{a}}\n"@\n{{b}}', [2]],
];

for (const [dialect, template, lines] of rows) {
  test(`${dialect}: ${JSON.stringify(template)}`, () => {
    assert.deepEqual(
      lintTemplate(template, dialect).map(({ line }) => line),
      lines,
    );
  });
}

test('the compiled templates match render/scripts/templates (npm run generate)', async () => {
  assert.equal(await readFile(generatedFile, 'utf8'), await compileTemplates());
});
