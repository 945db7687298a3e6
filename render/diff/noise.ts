// Differences that say nothing of their own: labels of versions, checksums of what is shown anyhow, and what rules name.

import type { RawEntry } from './compare.ts';
import type { SideObject } from './objects.ts';
import { stepsText } from './steps.ts';

/** A rule for what does not count. Each text is compared whole; `*` stands for any characters. All that are given must fit. */
export interface IgnoreRule {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** The path as a difference shows it, such as `spec.replicas` or `metadata.annotations["example.com/*"]`. */
  readonly path?: string | undefined;
  /** A regular expression that the path, or the value of either side where that is a text, must match somewhere. */
  readonly pattern?: string | undefined;
  /** Why it does not count; reports tell it. */
  readonly reason: string;
}

/** What was left out, and how often. */
export interface Ignored {
  readonly reason: string;
  readonly count: number;
}

const versionLabels = new Set(['helm.sh/chart', 'app.kubernetes.io/version', 'chart']);

/** Tells whether an entry is a label that holds the version of a chart or of its application. */
export function isVersionLabel({ steps, op, before, after, inside }: RawEntry): boolean {
  const [holder, name] = [steps.at(-2), steps.at(-1)];
  const isLabel = (holder === 'labels' || holder === 'annotations') && steps.at(-3) === 'metadata';
  if (op !== 'change' || inside !== undefined || !isLabel || !versionLabels.has(String(name))) return false;
  // `chart: web` would be something else.
  return name === 'app.kubernetes.io/version' || [before, after].every((text) => /-v?\d+\./.test(String(text)));
}

const digest = /^(?:sha\d+:)?(?:[0-9a-f]{8,}|[A-Za-z0-9+/]{20,}={0,2})$/i;

/** Tells whether an entry is an annotation that holds a checksum, by which pods follow what they are configured with. */
export function isChecksum({ steps, op, before, after, inside }: RawEntry): boolean {
  if (op !== 'change' || inside !== undefined || steps.at(-2) !== 'annotations') return false;
  if (!/checksum|hash|sha(?:1|256|512)|digest|md5/i.test(String(steps.at(-1)))) return false;
  return [before, after].every((text) => digest.test(String(text)));
}

/**
 * Gives what tells whether a rule fits an entry, or, without one, an object as a whole: that came, went or has another name. A rule
 * that names a path or a pattern speaks of members alone. Throws SyntaxError for a pattern that is no regular expression.
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

function globTest(wanted: string, text: string): boolean {
  const parts = wanted.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
