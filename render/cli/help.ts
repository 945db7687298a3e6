// Formats help texts in two columns.

import type { FlagSpec } from './flags.ts';
import type { CommandHeading, CommandSpec } from './table/command.ts';

const width = 100;

/** Returns the help of a command: usage line, description, flags, and examples. */
export function formatHelp(spec: CommandSpec): string {
  const flags: (readonly [string, string])[] = spec.flags.map((flag) => [signatureOf(flag), describeFlag(flag)]);
  const sections = [
    `Usage: ${formatUsage(spec)} [flags]`,
    spec.about.join('\n'),
    `Flags:\n${formatColumns([...flags, ['-h, --help', 'show help']])}`,
    ...(spec.tables ?? []).map(({ title, rows }) => `${title}:\n${formatColumns(rows)}`),
    `Examples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`,
    ...(spec.notes.length === 0 ? [] : [spec.notes.join('\n')]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns the help of the whole program: its commands and global flags. */
export function formatOverview(headings: readonly CommandHeading[], flags: readonly FlagSpec[]): string {
  const rows = headings.map(({ name, operands, summary }) => [`${name} ${operands}`.trim(), summary] as const);
  const shown: (readonly [string, string])[] = flags.map((flag) => [signatureOf(flag), describeFlag(flag)]);
  return `Usage: drydock COMMAND [arguments]

Renders deploy Orders and Helm charts offline, and stands in for the platform's user API.

Commands:
${formatColumns(rows)}

Flags:
${formatColumns([...shown, ['-h, --help', 'show help']])}

Run \`drydock COMMAND --help\` for the flags of a command.
`;
}

/** Returns the usage line of a command: `drydock render ORDER`. */
export function formatUsage({ name, operands }: CommandHeading): string {
  return `drydock ${name} ${operands}`.trimEnd();
}

const placeholders: Readonly<Record<FlagSpec['type'], string>> = {
  bool: '',
  string: 'TEXT',
  strings: 'LIST',
  stringArray: 'TEXT',
  int: 'N',
  uint: 'N',
  float: 'N',
  duration: 'TIME',
  wait: 'STRATEGY',
  labels: 'K=V',
  level: 'N',
  severity: 'N',
  vmodule: 'LIST',
  codePlace: 'FILE:N',
  size: 'N',
};

/** Returns the syntax of a flag: `-o, --output OUTPUT`. A repeatable one ends in dots. */
export function signatureOf(flag: FlagSpec): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.placeholder ?? placeholders[flag.type];
  const dots = flag.type === 'stringArray' ? ' ...' : '';
  return `${short}--${flag.name}${value === '' ? '' : ` ${value}`}${dots}`;
}

/** Returns the description of a flag, with its allowed values and its default. */
export function describeFlag(flag: FlagSpec): string {
  const words = flag.words === undefined ? '' : `: ${flag.words.map(markDefault).join(', ')}`;
  const fallback = flag.default === undefined ? '' : ` (default ${flag.default})`;
  return `${flag.help}${words}${fallback}`;
}

function markDefault(word: string, at: number): string {
  return at === 0 ? `${word} (default)` : word;
}

function formatColumns(rows: readonly (readonly [name: string, text: string])[]): string {
  const named = rows.map(([name, text]) => [`  ${/^--/.test(name) ? '    ' : ''}${name}`, text] as const);
  const column = Math.max(...named.map(([name]) => name.length)) + 2;
  return named.map(([name, text]) => name.padEnd(column) + wrap(text, column)).join('\n');
}

function wrap(text: string, column: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const longer = `${lines[last]}${lines[last] === '' ? '' : ' '}${word}`;
    if (longer.length > width - column && lines[last] !== '') lines.push(word);
    else lines[last] = longer;
  }
  return lines.join(`\n${' '.repeat(column)}`);
}
