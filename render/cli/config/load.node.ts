// Finds and loads the configuration file. JSON is parsed, a program in TypeScript or JavaScript is run.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { readJson } from '../../codec/json-file.ts';
import { markFailures } from '../../core/errors.ts';
import { didYouMeanPath } from '../../core/paths.node.ts';
import { isPattern } from '../../core/paths.ts';
import { type ChartFlags, type ReadFlagsOptions, UsageError } from '../flags.ts';
import type { ConfigSource, Program } from '../program.ts';
import { importProgram } from '../run-program.node.ts';
import type { CommandSpec } from '../table/command.ts';
import { type ConfigFault, type ConfigSection, chartSettingsKey, readConfig, sectionKeys, sectionOf } from './check.ts';

/** The extensions of a configuration file, `drydock.config.json` and so on. */
const configEndings = ['.json', '.ts', '.mts', '.js', '.mjs', '.cjs'] as const;

/** An invalid configuration; the message contains the file and the JSON path. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

markFailures(ConfigError, 'user');

/**
 * Returns the configured defaults for a command, or undefined if there is no configuration. Throws a ConfigError with all problems, and a
 * UsageError if the file does not exist or `DRYDOCK_CONFIG` does not allow it.
 */
export async function configuredDefaults(
  spec: CommandSpec,
  { program, cwd, env, given, allowsMissingCharts = false }: ConfigSource,
): Promise<ReadFlagsOptions | undefined> {
  const file = given === undefined ? findConfig(cwd) : givenConfig(given, cwd);
  const allowed = allowedConfig(env);
  if (file === undefined) return undefined;
  const name = relative(cwd, file) || file;
  if (allowed === 'none' && given === undefined) {
    const hint = 'Pass --config FILE to read a configuration, or --no-config to read none.';
    throw new UsageError(
      `${name}: DRYDOCK_CONFIG=none refuses a configuration that the command line does not name`,
      hint,
    );
  }
  if (allowed === 'json' && extname(file) !== '.json') {
    const hint = 'Write it as drydock.config.json, or pass --no-config to read none.';
    throw new UsageError(`${name}: DRYDOCK_CONFIG=json refuses a configuration that is a program`, hint);
  }
  const config = await loadConfig(file, name);
  const folder = dirname(file);
  const pathOf = (path: string): string => (path === '-' ? path : relative(cwd, resolve(folder, path)) || '.');
  const section = sectionOf(spec);
  const reading = readConfig(config, { section, sections: sectionKeys(program), pathOf });
  const { defaults, inputs, chartSettings } = reading;
  const rendersCharts = spec.flags.some((flag) => flag.name === 'skip-schema-validation');
  const missing =
    rendersCharts && !allowsMissingCharts && chartSettings.length > 0 ? missingCharts(config, chartSettings, cwd) : [];
  const faults =
    reading.faults.length > 0 ? reading.faults : [...missing, ...(await settingFaults(config, section, program))];
  if (faults.length > 0) {
    throw new ConfigError((await Promise.all(faults.map((fault) => formatFault(file, name, fault)))).join('\n'));
  }
  return { defaults, defaultArgs: inputs, chartSettings };
}

// Settings for a misspelled path would silently apply to no chart.
function missingCharts(config: unknown, settings: readonly ChartFlags[], cwd: string): ConfigFault[] {
  const keys = Object.keys((config as { readonly [chartSettingsKey]?: object })[chartSettingsKey] ?? {});
  return settings.flatMap(({ charts }, at) => {
    if (isPattern(charts) || existsSync(resolve(cwd, charts))) return [];
    return {
      path: `${chartSettingsKey}[${JSON.stringify(keys[at])}]`,
      message: `there is no chart ${charts}${didYouMeanPath(charts, cwd)}`,
    };
  });
}

/** Returns which configurations `DRYDOCK_CONFIG` allows: `any`, `json` (no programs) or `none` (only an explicit one). */
function allowedConfig({ DRYDOCK_CONFIG: allowed = '' }: ConfigSource['env']): string {
  if (!['', 'any', 'json', 'none'].includes(allowed))
    throw new UsageError(`DRYDOCK_CONFIG is any, json or none, not ${JSON.stringify(allowed)}`);
  return allowed;
}

function givenConfig(given: string, cwd: string): string {
  if (given === '') throw new UsageError('--config takes a path, not ""');
  const file = resolve(cwd, given);
  if (!existsSync(file)) throw new UsageError(`--config ${given}: there is no such file`);
  return file;
}

/**
 * Returns the configuration file of a folder: in it, or in the nearest folder above, up to the project (a folder with a package.json or a
 * .git). Throws ConfigError if a folder has two.
 */
export function findConfig(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = configEndings
      .map((ending) => `drydock.config${ending}`)
      .filter((name) => existsSync(join(folder, name)));
    if (found.length > 1) throw new ConfigError(`${folder} holds ${found.join(' and ')}: keep one of them`);
    if (found[0] !== undefined) return join(folder, found[0]);
    const isProject = ['package.json', '.git'].some((name) => existsSync(join(folder, name)));
    if (isProject || folder === dirname(folder)) return undefined;
  }
}

async function settingFaults(
  config: unknown,
  { key, settings }: ConfigSection,
  { settingIssues }: Program,
): Promise<readonly ConfigFault[]> {
  const given = (config as Readonly<Record<string, { readonly settings?: unknown } | undefined>>)[key]?.settings;
  if (settingIssues === undefined || settings.length === 0 || given === undefined) return [];
  return (await settingIssues(given)).map(({ path, message, hint }) => ({
    path: `${key}.settings${path === '' ? '' : `.${path}`}`,
    message: `${message}${hint === undefined ? '' : `; ${hint}`}`,
  }));
}

async function loadConfig(file: string, name: string): Promise<unknown> {
  if (!(configEndings as readonly string[]).includes(extname(file))) {
    throw new ConfigError(`${name}: a configuration ends in ${configEndings.join(', ')}`);
  }
  try {
    if (extname(file) === '.json') return parse(name, readFileSync(file, 'utf8'));
    // Read first, so that a missing file is reported in a sentence.
    readFileSync(file);
    return await importProgram(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { message = String(error) } = error as Partial<Error>;
    // The second line may contain the place of a syntax error.
    const words = message
      .replace(/\nRequire stack:[\s\S]*/, '')
      .split('\n')
      .slice(0, 2);
    throw new ConfigError(`${name}: ${words.map((line) => line.trim()).join(' ')}`, { cause: error });
  }
}

function parse(name: string, text: string): unknown {
  const { value, fault } = readJson(name, text);
  if (fault !== undefined) throw new ConfigError(fault);
  return value;
}

async function formatFault(file: string, name: string, { path, message }: ConfigFault): Promise<string> {
  const where = [await placeOf(file, name, path), path].filter((part) => part !== '').join(': ');
  return `${where}: ${message}`;
}

async function placeOf(file: string, name: string, path: string): Promise<string> {
  if (extname(file) !== '.json') return name;
  const { readOrder } = await import('../../order/read.ts');
  try {
    const { line, column } = readOrder(readFileSync(file, 'utf8'), basename(file)).placeOf(path);
    return `${name}:${line}:${column}`;
  } catch {
    return name;
  }
}
