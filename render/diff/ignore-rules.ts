// Rules for differences to ignore, as text: `kind=Deployment path=spec.replicas because the autoscaler sets it`.

import { messageOf } from '../core/errors.ts';
import { didYouMean } from '../core/suggest.ts';
import { UsageError } from '../core/usage-error.ts';
import type { IgnoreRule } from './noise.ts';

const members = ['kind', 'name', 'namespace', 'path', 'pattern'] as const;

/** Parses a rule. Throws UsageError. */
export function parseIgnoreRule(text: string): IgnoreRule {
  const [selector = '', reason = ''] =
    /^(.*?)\sbecause\s(.*)$/s
      .exec(text)
      ?.slice(1)
      .map((part) => part.trim()) ?? [];
  if (selector === '' || reason === '') {
    throw new UsageError(`--ignore ${JSON.stringify(text)} has no reason: write "kind=KIND path=PATH because REASON"`);
  }
  const rule: Partial<Record<(typeof members)[number], string>> = {};
  for (const word of selector.split(/\s+/)) {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(equals, 0)) as (typeof members)[number];
    if (!members.includes(name)) {
      throw new UsageError(
        `--ignore takes ${members.join(', ')}, each with =, not ${JSON.stringify(word)}${didYouMean(name, members)}`,
      );
    }
    rule[name] = word.slice(equals + 1);
  }
  if (rule.pattern !== undefined) checkPattern(rule.pattern);
  return { ...rule, reason };
}

function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern);
  } catch (error) {
    throw new UsageError(`--ignore: ${messageOf(error)}`);
  }
}

/** Formats a rule. */
export function formatIgnoreRule(rule: IgnoreRule): string {
  const words = members.flatMap((name) => (rule[name] === undefined ? [] : [`${name}=${rule[name]}`]));
  return `${words.join(' ')} because ${rule.reason}`;
}
