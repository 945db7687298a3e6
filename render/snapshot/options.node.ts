// The options that snapshots and differences of inputs share: how inputs render, and the surroundings of the run.

import { resolve } from 'node:path';
import {
  type Check,
  callback,
  either,
  filled,
  flag,
  isMembers,
  kind,
  listOf,
  membersOf,
  type OptionChecks,
  oneOf,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { type IgnoreRule, parseIgnoreRule } from '../diff/noise.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { ChartSettings, RenderSettings, RunIo } from '../inputs/settings.ts';
import { orderOutputs } from './order-files.ts';

/** Options of `compareSnapshots`, `watchSnapshots` and `diffInputs`. */
export interface InputOptions extends Partial<RunIo> {
  /** How inputs render. Default: like `helm template` without flags. */
  readonly settings?: Partial<RenderSettings> | undefined;
  /** Differences that do not count: rules, or texts such as `kind=ConfigMap path=data because REASON`. Default none. */
  readonly ignore?: readonly (string | IgnoreRule)[] | undefined;
  /** Whether version labels and checksums count. Default false. */
  readonly all?: boolean | undefined;
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

const pattern = kind('a regular expression', (value) => typeof value === 'string' && isExpression(value));
const rule: Check = either(
  isMembers,
  membersOf<IgnoreRule>({ kind: text, name: text, namespace: text, path: text, pattern, reason: filled }, ['reason']),
  text,
);
const environment = kind('an object with the variables of an environment', (value) => {
  return isMembers(value) && Object.values(value).every((one) => one === undefined || typeof one === 'string');
});

function isExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** The checks of the shared options. */
export const inputChecks: OptionChecks<InputOptions> = {
  cwd: filled,
  env: environment,
  stdin: callback,
  stderr: callback,
  settings: optionsOf<RenderSettings>({ ...chartChecks, forCharts: listOf(chartSettings) }),
  ignore: listOf(rule),
  all: flag,
};

/** The shared options with their defaults. */
export interface InputContext {
  readonly settings: RenderSettings;
  readonly rules: readonly IgnoreRule[];
  readonly io: RunIo;
}

/** Returns options with their defaults. Throws UsageError for an invalid rule. */
export function contextOf({ settings, ignore = [], cwd, env, stdin, stderr }: InputOptions): InputContext {
  const given = Object.entries(settings ?? {}).filter(([, value]) => value !== undefined);
  return {
    settings: { ...defaultSettings, ...Object.fromEntries(given) },
    rules: ignore.map((one) => (typeof one === 'string' ? parseIgnoreRule(one) : one)),
    io: {
      cwd: resolve(cwd ?? '.'),
      env: env ?? process.env,
      stdin: stdin ?? readStandardInput,
      stderr: stderr ?? ((message) => void process.stderr.write(message)),
    },
  };
}

async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return decodeUtf8(Buffer.concat(chunks));
}
