// The options that functions over files share: how inputs render, and the surroundings of the run.

import { resolve } from 'node:path';
import {
  callback,
  filled,
  flag,
  having,
  isMembers,
  kind,
  listOf,
  membersOf,
  type OptionChecks,
  oneOf,
  optional,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { readStandardInput } from '../core/standard-input.node.ts';
import { type ChartSettings, orderOutputs, type RenderSettings, type RunIo } from './settings.ts';

/** Options of functions that read inputs from files, as commands do. */
export interface RunOptions extends Partial<RunIo> {
  /** How inputs render. Default: like `helm template` without flags. */
  readonly settings?: Partial<RenderSettings> | undefined;
}

const defaultSettings: RenderSettings = {
  helm: [],
  kubeVersions: [],
  apiVersions: [],
  charts: [],
  values: [],
  set: [],
  setString: [],
  setJson: [],
  setFile: [],
  setLiteral: [],
  seed: undefined,
  release: 'release-name',
  namespace: 'default',
  isUpgrade: false,
  skipSchemaValidation: false,
  skipCrds: false,
  validate: 'ignore',
  withApiVersions: [],
  withValues: [],
  outputs: [],
  showSecrets: false,
  forCharts: [],
};

const texts = listOf(text);

const chartChecks: OptionChecks<Omit<RenderSettings, 'forCharts'>> = {
  helm: texts,
  kubeVersions: texts,
  apiVersions: texts,
  charts: texts,
  values: texts,
  set: texts,
  setString: texts,
  setJson: texts,
  setFile: texts,
  setLiteral: texts,
  seed: text,
  release: text,
  namespace: text,
  isUpgrade: flag,
  skipSchemaValidation: flag,
  skipCrds: flag,
  validate: oneOf(['strict', 'warn', 'ignore'] satisfies readonly RenderSettings['validate'][]),
  withApiVersions: texts,
  withValues: texts,
  outputs: listOf(oneOf(orderOutputs)),
  showSecrets: flag,
};

const chartSettings = membersOf<ChartSettings>({ charts: filled, settings: optionsOf(chartChecks) }, [
  'charts',
  'settings',
]);

const environment = kind('an object with the variables of an environment', (value) => {
  return isMembers(value) && Object.values(value).every((one) => one === undefined || typeof one === 'string');
});

export const runChecks: OptionChecks<RunOptions> = {
  cwd: filled,
  env: environment,
  stdin: callback,
  stderr: callback,
  settings: optionsOf<RenderSettings>({ ...chartChecks, forCharts: listOf(chartSettings) }),
};

/** Checks the shared options alone. */
export const runOptionsArgument = optionsOf<RunOptions>(runChecks);

/** Checks the surroundings of a run, which may have other members. */
export const runIoArgument = having<RunIo>('the surroundings of a run', {
  cwd: optional(filled),
  stderr: optional(callback),
});

/** The shared options with their defaults. */
export interface RunContext {
  readonly settings: RenderSettings;
  readonly io: RunIo;
}

/** Returns options with their defaults. */
export function runContext({ settings, cwd, env, stdin, stderr }: RunOptions): RunContext {
  const given = Object.entries(settings ?? {}).filter(([, value]) => value !== undefined);
  return {
    settings: { ...defaultSettings, ...Object.fromEntries(given) },
    io: {
      cwd: resolve(cwd ?? '.'),
      env: env ?? process.env,
      stdin: stdin ?? readStandardInput,
      stderr: stderr ?? ((message) => void process.stderr.write(message)),
    },
  };
}
