// `drydock help`: help texts in two columns, and the same as a reference page in Markdown.

import { didYouMean } from '../core/suggest.ts';
import { type FlagSpec, type ParsedFlags, UsageError } from './flags.ts';
import { type CommandContext, type CommandEntry, findCommand, type Program } from './program.ts';
import type { CommandHeading, CommandSpec } from './table/command.ts';
import { overviewFlags } from './table/shared.ts';

const width = 100;

/** Returns the help of a command: usage line, description, flags, and examples. */
export function formatHelp(spec: CommandSpec): string {
  const sections = [
    `Usage: ${formatUsage(spec)} [flags]`,
    spec.about.join('\n'),
    `Flags:\n${formatFlags(spec.flags)}`,
    ...(spec.tables ?? []).map(({ title, rows }) => `${title}:\n${formatColumns(rows)}`),
    `Examples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`,
    ...(spec.notes.length === 0 ? [] : [spec.notes.join('\n')]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns the help of a program: its commands and the flags of all of them. */
export function programHelp({ commands }: Program): string {
  const rows = commands.map(
    ({ heading: { name, operands, summary } }) => [`${name} ${operands}`.trim(), summary] as const,
  );
  return `Usage: drydock COMMAND [arguments]

Renders deploy Orders and Helm charts offline, and stands in for the platform's user API.

Commands:
${formatColumns(rows)}

Flags:
${formatFlags(overviewFlags)}

Run \`drydock COMMAND --help\` for the flags of a command.
`;
}

/** Returns the usage line of a command: `drydock render ORDER`. */
function formatUsage({ name, operands }: CommandHeading): string {
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

function formatFlags(flags: readonly FlagSpec[]): string {
  const rows = flags.map((flag) => [signatureOf(flag), describeFlag(flag)] as const);
  return formatColumns([...rows, ['-h, --help', 'show help']]);
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

/** Prints the help of the program or of a command. Returns 0. Throws UsageError. */
export async function helpCommand({ args }: ParsedFlags, { program, stdout }: CommandContext): Promise<number> {
  const [name, ...more] = args;
  if (more.length > 0) throw new UsageError('"drydock help" takes one argument: the name of a command');
  stdout(name === undefined ? programHelp(program) : formatHelp(await commandNamed(program, name).spec()));
  return 0;
}

/** Returns the command with a name or alias. Throws UsageError if there is none. */
export function commandNamed(program: Program, name: string): CommandEntry {
  const entry = findCommand(program, name);
  if (entry !== undefined) return entry;
  const known = program.commands.map(({ heading }) => heading.name);
  throw new UsageError(`unknown command "${name}" for "drydock"${didYouMean(name, known)}`);
}

/** Returns the page of the whole command. */
export function formatReference(specs: readonly CommandSpec[]): string {
  const rows = specs.map(({ name, summary }) => [`[\`${name}\`](#drydock-${name})`, summary] as const);
  const parts = [
    '## drydock',
    formatTable(['command', 'what it does'], rows),
    'Before the name of any command:',
    formatTable(['flag', 'what it means'], overviewFlags.map(flagRow)),
    ...specs.flatMap(formatCommand),
  ];
  return `${parts.join('\n\n')}\n`;
}

function formatCommand(spec: CommandSpec): readonly string[] {
  return [
    `## drydock ${spec.name}`,
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
