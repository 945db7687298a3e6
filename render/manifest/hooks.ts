// Which documents are hooks, and when they run.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, manifest_sorter.go, v3.17.3, and pkg/release, hook.go.

import { trimSpace } from '../go/trim.ts';
import type { ManifestHead } from './head.ts';

/** An event that runs a hook. */
export type HookEvent =
  | 'pre-install'
  | 'post-install'
  | 'pre-delete'
  | 'post-delete'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'test';

const events: ReadonlyMap<string, HookEvent> = new Map<string, HookEvent>([
  ['pre-install', 'pre-install'],
  ['post-install', 'post-install'],
  ['pre-delete', 'pre-delete'],
  ['post-delete', 'post-delete'],
  ['pre-upgrade', 'pre-upgrade'],
  ['post-upgrade', 'post-upgrade'],
  ['pre-rollback', 'pre-rollback'],
  ['post-rollback', 'post-rollback'],
  ['test', 'test'],
  // Helm 2's name for a test.
  ['test-success', 'test'],
]);

const hookAnnotation = 'helm.sh/hook';
const weightAnnotation = 'helm.sh/hook-weight';
const deleteAnnotation = 'helm.sh/hook-delete-policy';

/** The annotations of a hook. */
export interface HookRules {
  readonly events: readonly HookEvent[];
  /** The weight: lowest first among the hooks of one event. 0 if the annotation is not a whole number. */
  readonly weight: number;
  /** The deletion policies in lower case, such as `hook-succeeded`. */
  readonly deletePolicies: readonly string[];
}

/** Reports whether a document has the hook annotation. */
export function isHook(head: ManifestHead): boolean {
  return head.annotations.has(hookAnnotation);
}

/** Returns the annotations of a hook, or the annotation's text if one of its events is unknown: Helm drops such a document. */
export function readHookRules(head: ManifestHead): HookRules | { readonly unknown: string } {
  const wanted = head.annotations.get(hookAnnotation) ?? '';
  const found: HookEvent[] = [];
  for (const word of words(wanted)) {
    const event = events.get(word);
    if (event === undefined) return { unknown: wanted };
    found.push(event);
  }
  const weight = head.annotations.get(weightAnnotation) ?? '';
  const policies = head.annotations.get(deleteAnnotation);
  return {
    events: found,
    weight: /^[+-]?\d{1,18}$/.test(weight) ? Number(weight) : 0,
    deletePolicies: policies === undefined ? [] : words(policies),
  };
}

function words(list: string): string[] {
  return list.split(',').map((word) => trimSpace(word).toLowerCase());
}
