// Workloads whose pods a change replaces, even if nothing else about them changes in meaning.

import type { GoMap } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { DiffStep } from './steps.ts';

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/**
 * Reports whether the controller of a workload replaces its pods when the pod template changes. It does not for a workload that is paused,
 * scaled to zero or updated on deletion.
 */
export function followsTemplate(kind: string, object: GoMap): boolean {
  const spec = member(object, 'spec');
  const strategy = textMember(member(spec, 'updateStrategy'), 'type');
  return (
    workloads.has(kind) &&
    member(spec, 'paused') !== true &&
    member(spec, 'replicas') !== 0 &&
    !(kind !== 'Deployment' && strategy === 'OnDelete')
  );
}

/** Reports whether a member is part of the pod template of a workload. */
export function isInPodTemplate(steps: readonly DiffStep[]): boolean {
  return steps[0] === 'spec' && steps[1] === 'template';
}
