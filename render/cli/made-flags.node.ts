// Command lines derived from others: as plain data for a thread, for one chart, or with one changed flag.

import { relative, resolve, sep } from 'node:path';
import { compileGlob } from '../go/glob.ts';
import { parseBool } from '../go/number.ts';
import type { ChartFlags, ParsedFlags } from './flags.ts';

type Texts = Readonly<Record<string, readonly string[]>>;

/** A command line as plain data for a thread. */
export interface PlainFlags {
  readonly args: readonly string[];
  /** The names of the flags on the command line; others come from a configuration. */
  readonly given: readonly string[];
  /** Texts by flag name. */
  readonly texts: Texts;
  readonly chartSettings: readonly ChartFlags[];
}

/** Returns the values of these flags. */
export function plainFlags(flags: ParsedFlags, names: readonly string[]): PlainFlags {
  const passed = names.filter((name) => flags.has(name)).map((name) => [name, flags.list(name)] as const);
  const given = names.filter((name) => flags.isGiven(name));
  return { args: flags.args, given, texts: Object.fromEntries(passed), chartSettings: flags.chartSettings };
}

/** Restores flags from plain data. */
export function flagsOfPlain({ args, given, texts, chartSettings }: PlainFlags): ParsedFlags {
  const list = (name: string): readonly string[] => texts[name] ?? [];
  return {
    args,
    chartSettings,
    help: false,
    given: () => given,
    isGiven: (name) => given.includes(name),
    has: (name) => name in texts,
    text: (name) => list(name).at(-1),
    on: (name) => isOn(list(name)),
    list,
  };
}

function isOn(texts: readonly string[]): boolean {
  const text = texts.at(-1);
  return text !== undefined && parseBool(text);
}

/** Returns a command line with only this value of a flag. */
export function flagsFor(flags: ParsedFlags, flag: string, value: string | readonly string[]): ParsedFlags {
  return withTexts(flags, { [flag]: [value].flat() });
}

/**
 * Returns the flags for the chart at a path: the configuration for that chart overrides the one for all charts, and the command line
 * overrides both.
 */
export function flagsForChart(flags: ParsedFlags, chart: string, cwd: string): ParsedFlags {
  return flags.chartSettings.length === 0 ? flags : withTexts(flags, settingsFor(flags, chart, cwd));
}

/** Returns the configured cases of the chart at a path; undefined if there are none or the command line overrides them. */
export function caseSettings(flags: ParsedFlags, chart: string, cwd: string): readonly string[] | undefined {
  return settingsFor(flags, chart, cwd).values;
}

function settingsFor(flags: ParsedFlags, chart: string, cwd: string): Texts {
  const texts: Record<string, readonly string[]> = {};
  for (const settings of flags.chartSettings) {
    if (areFor(settings, resolve(cwd, chart), cwd)) Object.assign(texts, settings.texts);
  }
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !flags.isGiven(name)));
}

function areFor({ charts }: ChartFlags, path: string, cwd: string): boolean {
  const shown = relative(cwd, path).split(sep).join('/') || '.';
  return resolve(cwd, charts) === path || (isPattern(charts) && compileGlob(charts)(shown));
}

/** Reports whether a path of chart settings is a pattern. */
export function isPattern(charts: string): boolean {
  return /[*?[{]/.test(charts);
}

/** Returns a command line with these values of flags, by flag name. */
export function withTexts(flags: ParsedFlags, texts: Texts): ParsedFlags {
  const own = (name: string): readonly string[] | undefined => (Object.hasOwn(texts, name) ? texts[name] : undefined);
  return {
    args: flags.args,
    chartSettings: flags.chartSettings,
    help: flags.help,
    given: () => flags.given(),
    isGiven: (name) => flags.isGiven(name),
    has: (name) => own(name) !== undefined || flags.has(name),
    text: (name) => (own(name) === undefined ? flags.text(name) : own(name)?.at(-1)),
    on: (name) => (own(name) === undefined ? flags.on(name) : isOn(own(name) ?? [])),
    list: (name) => own(name) ?? flags.list(name),
  };
}
