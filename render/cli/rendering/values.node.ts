// `drydock values`: the merged values of a chart or an Order, with their origins.

import { formatValues } from '../../api/yaml.ts';
import { splitPath } from '../../core/paths.ts';
import { type InputValue, type InputValues, listInputValues } from '../../inputs/explain.node.ts';
import type { Setter } from '../../provenance/trace/setters.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { singleRenderSettings, surroundings } from '../settings.ts';
import { withInput } from './input.node.ts';

/** Prints values. Returns 1 where the input is invalid. Throws UsageError, RenderError. */
export async function valuesCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, path, ...others] = flags.args;
  if (input === undefined || others.length > 0) {
    throw new UsageError('"drydock values" takes an Order or a chart, and a path of values such as image');
  }
  return withInput(input, { flags, io }, async (source) => {
    const settings = singleRenderSettings(flags);
    const all = await listInputValues(source, { ...surroundings(io), settings, unread: flags.on('unused') });
    const steps = path === undefined ? [] : splitPath(path);
    const listed = all.map((one) => ({ ...one, values: one.values.filter((value) => isListed(value, steps, flags)) }));
    if (flags.on('json')) io.stdout(`${JSON.stringify(listed.map(jsonOf), undefined, 2)}\n`);
    else io.stdout(listed.map((one) => textOf(one, flags.on('origin'))).join(''));
    return 0;
  });
}

function isListed(value: InputValue, path: readonly string[], flags: ParsedFlags): boolean {
  return (
    (!flags.on('defaults-changed') || value.isChanged) &&
    (!flags.on('unused') || (value.isGiven && value.isUnread === true)) &&
    path.every((step, at) => String(value.steps[at]) === step)
  );
}

function jsonOf({ package: name, values }: InputValues): object {
  return {
    ...(name !== undefined && { package: name }),
    values: values.map(({ path, value, setBy }) => ({ path, value, setBy })),
  };
}

function textOf({ package: name, values }: InputValues, hasOrigins: boolean): string {
  const heading = name === undefined ? '' : `# package ${name}\n`;
  return `${heading}${values.length === 0 ? '{}\n' : linesOf(values, hasOrigins)}`;
}

// YAML with comments that say where each value is set: tables are opened as needed.
function linesOf(values: readonly InputValue[], hasOrigins: boolean): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const { steps, value, setBy } of values) {
    const names = steps.map(String);
    const parents = names.slice(0, -1);
    const shared = parents.findIndex((name, at) => open[at] !== name);
    for (let at = shared < 0 ? parents.length : shared; at < parents.length; at++) {
      lines.push(`${'  '.repeat(at)}${keyText(parents[at]!)}:`);
    }
    open = parents;
    lines.push(
      ...entryLines(names.at(-1)!, value, hasOrigins ? originOf(setBy) : '').map(
        (line) => `${'  '.repeat(parents.length)}${line}`,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function entryLines(name: string, value: InputValue['value'], origin: string): string[] {
  const lines = formatValues({ [name]: value })
    .replace(/\n$/, '')
    .split('\n');
  if (origin === '') return lines;
  return lines.length === 1 ? [`${lines[0]} # ${origin}`] : [`# ${origin}`, ...lines];
}

function keyText(name: string): string {
  return formatValues({ [name]: null }).replace(/: null\n$/, '');
}

function originOf([winner]: readonly Setter[]): string {
  if (winner === undefined) return 'set by a template or a subchart';
  const { where, line } = winner;
  return line === undefined ? where : `${where}:${line}`;
}
