// `--helm 3,4`: one input as two Helms render it, and what differs in meaning between them.

import { randomUUID } from 'node:crypto';
import { diffObjects, isDifference } from '../../../render/diff/difference.ts';
import { formatDifference } from '../../../render/diff/text.ts';
import type { HelmMajor } from '../../../render/helm/helm.ts';
import { helmVersions } from '../../../render/helm-version.ts';
import { type Host, realHost, seededHost } from '../../../render/host.ts';
import type { ParsedFlags } from '../flags.ts';

/** Two Helms, the one whose output is given first. */
export type HelmPair = readonly [HelmMajor, HelmMajor];

/** Gives the two Helms that a command line asks for; undefined where it asks for one. */
export function pairOf(flags: ParsedFlags): HelmPair | undefined {
  const [first, second] = [...new Set(flags.list('helm'))].map((word): HelmMajor => (word === '4' ? 4 : 3));
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** Gives worlds that answer alike: what is drawn is the same for both Helms, and so is the time. */
export function twinHosts(zone: string | undefined): () => Host {
  const [seed, now] = [randomUUID(), Date.now()];
  const { randomPrime: _, ...real } = realHost(zone);
  return () => {
    const { randomBytes, beginTemplate } = seededHost({ seed });
    return { ...real, now: () => now, randomBytes, beginTemplate };
  };
}

/** What two Helms make of one input. */
export interface HelmDifference {
  /** For people; the first line says how it stands. */
  readonly text: string;
  /** Whether an object changes in meaning. */
  readonly isMeant: boolean;
}

/** Gives what changes in meaning from the manifest of one Helm to that of another. */
export function compareHelms([first, second]: HelmPair, texts: readonly [string, string]): HelmDifference {
  const title = `${nameOf(first)} to ${nameOf(second)}`;
  if (texts[0] === texts[1]) return { text: `${title}: the same bytes\n`, isMeant: false };
  const difference = diffObjects(
    { documents: texts[0], name: nameOf(first) },
    { documents: texts[1], name: nameOf(second) },
    { all: true },
  );
  if (!isDifference(difference)) return { text: `${title}: other bytes, the same meaning\n`, isMeant: false };
  return { text: `${title}: ${formatDifference(difference)}`, isMeant: true };
}

/** Gives what is told where the second Helm refuses what the first renders. */
export function refusedBySecond([first, second]: HelmPair, message: string): HelmDifference {
  const indented = message.trimEnd().replaceAll('\n', '\n  ');
  return { text: `${nameOf(first)} renders it, ${nameOf(second)} refuses it:\n  ${indented}\n`, isMeant: true };
}

function nameOf(major: HelmMajor): string {
  return `Helm ${helmVersions[major].slice(1)}`;
}
