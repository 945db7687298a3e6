// The command reference in Markdown, generated from the flag tables: the content of `--help` as a page.

import type { FlagSpec } from './flags.ts';
import { describeFlag, formatUsage, signatureOf } from './help.ts';
import type { CommandSpec } from './table/command.ts';

/** Returns the page of the whole command; `level` is the level of its headings (default 2). */
export function formatReference(specs: readonly CommandSpec[], leading: readonly FlagSpec[], level = 2): string {
  const mark = '#'.repeat(level);
  const rows = specs.map(({ name, summary }) => [`[\`${name}\`](#drydock-${name})`, summary] as const);
  const parts = [
    `${mark} drydock`,
    formatTable(['command', 'what it does'], rows),
    'Before the name of any command:',
    formatTable(['flag', 'what it means'], leading.map(flagRow)),
    ...specs.flatMap((spec) => formatCommand(spec, mark)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function formatCommand(spec: CommandSpec, mark: string): readonly string[] {
  return [
    `${mark} drydock ${spec.name}`,
    `\`\`\`text\n${formatUsage(spec)} [flags]\n\`\`\``,
    escapeText(spec.about.join('\n')),
    formatTable(['flag', 'what it means'], spec.flags.map(flagRow)),
    ...(spec.tables ?? []).flatMap(({ title, rows }) => [
      `${title}:`,
      formatTable(
        ['name', 'what it means'],
        rows.map(([name, text]) => [`\`${name}\``, text] as const),
      ),
    ]),
    `\`\`\`sh\n${spec.examples.join('\n')}\n\`\`\``,
    ...(spec.notes.length === 0 ? [] : [escapeText(spec.notes.join('\n'))]),
  ];
}

function flagRow(flag: FlagSpec): readonly [string, string] {
  return [`\`${signatureOf(flag)}\``, describeFlag(flag)];
}

function formatTable(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, text]) => `| ${escapeCell(name)} | ${escapeCell(escapeText(text))} |`);
  return [`| ${head.join(' | ')} |`, '|---|---|', ...lines].join('\n');
}

// Code is unchanged; outside of it, characters of HTML and emphasis are escaped.
function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[*_<>]/g, (sign) => `\\${sign}`)))
    .join('');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
