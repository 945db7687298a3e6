// Differences without meaning of their own: version labels, checksums of what is shown anyway, and what rules ignore.

import { messageOf } from '../core/errors.ts';
import { didYouMean } from '../core/suggest.ts';
import { UsageError } from '../core/usage-error.ts';
import type { RawEntry } from './compare.ts';
import type { SideObject } from './objects.ts';
import { stepsText } from './steps.ts';

/** A rule for what to ignore. Each text is matched entirely; `*` stands for any characters. All given conditions must match. */
export interface IgnoreRule {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** The path as shown, such as `spec.replicas` or `metadata.annotations["example.com/*"]`. */
  readonly path?: string | undefined;
  /** A regular expression that must match somewhere in the path or in the value of either side, if it is a text. */
  readonly pattern?: string | undefined;
  /** Why it is ignored, for reports. */
  readonly reason: string;
}

/** What was ignored, and how often. */
export interface Ignored {
  readonly reason: string;
  readonly count: number;
}

const versionLabels = new Set(['helm.sh/chart', 'app.kubernetes.io/version', 'chart']);

/** Reports whether an entry is a label with the version of a chart or its application, and only the version differs. */
export function isVersionLabel({ steps, op, before, after, inside }: RawEntry): boolean {
  const [name, holder, owner] = steps.toReversed();
  const isLabel = (holder === 'labels' || holder === 'annotations') && owner === 'metadata';
  if (op !== 'change' || inside !== undefined || !isLabel) return false;
  return isVersionChange(String(name), textOf(before), textOf(after));
}

/** Reports whether two values of a label differ only in the version. */
export function isVersionChange(label: string, before: string, after: string): boolean {
  if (!versionLabels.has(label)) return false;
  if (label === 'app.kubernetes.io/version') return [before, after].every((text) => /^[\w.+-]+$/.test(text));
  const chart = chartName(before);
  return chart !== undefined && chart === chartName(after);
}

// `chart: web` has another meaning.
function chartName(label: string): string | undefined {
  const [, name] = /^([\w.-]*?)-v?\d+\.\d+\.\d+(?![^-+_.])/.exec(label) ?? [];
  return /^[\w.+-]*$/.test(label) ? name : undefined;
}

function textOf(value: RawEntry['before']): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const digest = /^(?:sha\d{1,3}:)?(?:[0-9a-f]{8,}|[A-Za-z0-9+/]{20,}={0,2})$/i;

/** Reports whether an entry is an annotation with a checksum, which restarts pods when their configuration changes. */
export function isChecksum({ steps, op, before, after, inside }: RawEntry): boolean {
  if (op !== 'change' || inside !== undefined || steps.at(-2) !== 'annotations' || steps.at(-3) !== 'metadata')
    return false;
  return isChecksumName(String(steps.at(-1))) && [before, after].every((text) => digest.test(textOf(text)));
}

/** Reports whether an annotation with this name may contain a checksum. */
export function isChecksumName(name: string): boolean {
  return /checksum|hash|sha(?:1|256|512)|digest|md5/i.test(name);
}

/** Reports whether a text is a checksum. */
export function isDigest(text: string): boolean {
  return digest.test(text);
}

/**
 * Returns a predicate for a rule: whether it matches an entry or, without one, a whole added, removed or renamed object. A rule with a path
 * or a pattern applies to members only. Throws SyntaxError for an invalid regular expression.
 */
export function ruleTest(rule: IgnoreRule): (object: SideObject, entry?: RawEntry) => boolean {
  const pattern = rule.pattern === undefined ? undefined : new RegExp(rule.pattern);
  const fits = (wanted: string | undefined, text: string): boolean => wanted === undefined || globTest(wanted, text);
  return ({ kind, name, namespace }, entry) => {
    if (!fits(rule.kind, kind) || !fits(rule.name, name) || !fits(rule.namespace, namespace)) return false;
    if (entry === undefined) return rule.path === undefined && pattern === undefined;
    const path = stepsText(entry.steps);
    if (!fits(rule.path, path)) return false;
    return (
      pattern === undefined ||
      [path, entry.before, entry.after].some((text) => typeof text === 'string' && pattern.test(text))
    );
  };
}

/** Reports whether a text matches a pattern in which `*` stands for any characters. */
export function globTest(wanted: string, text: string): boolean {
  const [first = '', ...rest] = wanted.split('*');
  const last = rest.pop();
  if (last === undefined) return text === wanted;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  // The earliest match of each part leaves the most for the following ones.
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

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

export function formatIgnoreRule(rule: IgnoreRule): string {
  const words = members.flatMap((name) => (rule[name] === undefined ? [] : [`${name}=${rule[name]}`]));
  return `${words.join(' ')} because ${rule.reason}`;
}
