// The options that snapshots and differences of inputs share: how inputs render, and which differences count.

import {
  type Check,
  either,
  filled,
  flag,
  isMembers,
  kind,
  listOf,
  membersOf,
  type OptionChecks,
  text,
} from '../core/arguments.ts';
import { attempt } from '../core/catch.ts';
import { type IgnoreRule, parseIgnoreRule } from '../diff/noise.ts';
import { type RunContext, type RunOptions, runChecks, runContext } from '../inputs/run-options.node.ts';

/** Options of `compareSnapshots`, `watchSnapshots` and `diffInputs`. */
export interface InputOptions extends RunOptions {
  /** Differences that do not count: rules, or texts such as `kind=ConfigMap path=data.size because REASON`. Default none. */
  readonly ignore?: readonly (string | IgnoreRule)[] | undefined;
  /** Whether version labels and checksums count. Default false. */
  readonly all?: boolean | undefined;
}

const pattern = kind(
  'a regular expression',
  (value) => typeof value === 'string' && attempt(() => new RegExp(value), SyntaxError, undefined) !== undefined,
);
const rule: Check = either(
  isMembers,
  membersOf<IgnoreRule>({ kind: text, name: text, namespace: text, path: text, pattern, reason: filled }, ['reason']),
  text,
);

/** The checks of the shared options. */
export const inputChecks: OptionChecks<InputOptions> = { ...runChecks, ignore: listOf(rule), all: flag };

export interface ContextWithRules extends RunContext {
  readonly rules: readonly IgnoreRule[];
}

/** Returns options with their defaults. Throws UsageError for an invalid rule. */
export function contextOf({ ignore = [], ...options }: InputOptions): ContextWithRules {
  return {
    ...runContext(options),
    rules: ignore.map((one) => (typeof one === 'string' ? parseIgnoreRule(one) : one)),
  };
}
