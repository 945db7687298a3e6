// Help texts of commands, laid out in two columns.

import type { FlagSpec } from './flags.ts';

const width = 100;

/** Gives the help of a command: its usage line, what it does, its flags, and examples. */
export function formatHelp(help: {
  readonly usage: string;
  readonly about: readonly string[];
  readonly flags: readonly FlagSpec[];
  readonly examples: readonly string[];
  readonly notes?: readonly string[];
}): string {
  const sections = [
    `Usage: ${help.usage}`,
    help.about.join('\n'),
    `Flags:\n${formatFlags(help.flags)}`,
    `Examples:\n${help.examples.map((line) => `  ${line}`).join('\n')}`,
    ...(help.notes === undefined ? [] : [help.notes.join('\n')]),
  ];
  return `${sections.join('\n\n')}\n`;
}

const typeNames: Readonly<Record<FlagSpec['type'], string>> = {
  bool: '',
  string: ' TEXT',
  strings: ' LIST',
  stringArray: ' TEXT ...',
  int: ' N',
  float: ' N',
  duration: ' TIME',
  labels: ' K=V',
};

function formatFlags(flags: readonly FlagSpec[]): string {
  const rows = flags.map((flag) => {
    const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
    return [`  ${short}--${flag.name}${typeNames[flag.type]}`, flag.help] as const;
  });
  rows.push(['  -h, --help', 'print this text']);
  const column = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, text]) => name.padEnd(column) + wrap(text, column)).join('\n');
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
