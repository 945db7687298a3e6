// The members of built-in kinds that are quantities, so that `1000m` equals `1`.
// Mirrors: Kubernetes 1.32, pkg/apis/*/types.go, the fields of type `resource.Quantity` and `ResourceList`.

import type { DiffStep } from './steps.ts';

// By the member that contains the list of resources.
const lists = new Set(['limits', 'requests', 'capacity', 'allocatable', 'allocatedResources', 'overhead', 'podFixed']);
const limitRange = new Set(['default', 'defaultRequest', 'max', 'min', 'maxLimitRequestRatio']);
const single = new Set(['sizeLimit', 'divisor', 'averageValue', 'targetAverageValue']);
// The keys of these are user-defined.
const others = new Set(['ConfigMap', 'Secret', 'CustomResourceDefinition']);

/** Reports whether the type of a member is a quantity. */
export function isQuantity(kind: string, steps: readonly DiffStep[]): boolean {
  const [holder, name] = [steps.at(-2), String(steps.at(-1))];
  if (others.has(kind) || steps[0] === 'metadata' || holder === 'annotations' || holder === 'labels') return false;
  if (single.has(name)) return true;
  if (typeof holder !== 'string') return false;
  if (holder === 'hard') return kind === 'ResourceQuota';
  if (limitRange.has(holder)) return kind === 'LimitRange';
  if (kind === 'HorizontalPodAutoscaler') return holder === 'target' && name === 'value';
  return lists.has(holder) && steps[0] === 'spec';
}
