// The Kubernetes version that a Helm version was built for, and the API versions that its client knows; how it parses --kube-version.
// Mirrors: k8s.io/client-go/kubernetes/scheme, as `chartutil.DefaultVersionSet` lists it.

import { lazy } from '../core/lazy.ts';
import { quote } from '../go/number.ts';
import { parseVersion } from '../go/semver.ts';
import { GoError } from '../go/value.ts';
import type { Helm, KubeVersion } from './helm.ts';

/** The part of a profile that depends on its Kubernetes libraries. */
export type KubernetesRules = Pick<Helm, 'kubeVersion' | 'apiVersions'>;

// The groups in client-go's order, each with its versions by preference in 0.32, then those of CRDs. A group without versions was added
// later.
const initial = `
admissionregistration.k8s.io: v1 v1alpha1 v1beta1
internal.apiserver.k8s.io: v1alpha1
apps: v1 v1beta1 v1beta2
authentication.k8s.io: v1 v1alpha1 v1beta1
authorization.k8s.io: v1 v1beta1
autoscaling: v1 v2 v2beta1 v2beta2
batch: v1 v1beta1
certificates.k8s.io: v1 v1beta1 v1alpha1
coordination.k8s.io: v1alpha2 v1beta1 v1
discovery.k8s.io: v1 v1beta1
events.k8s.io: v1 v1beta1
extensions: v1beta1
flowcontrol.apiserver.k8s.io: v1 v1beta1 v1beta2 v1beta3
lifecycle.k8s.io:
networking.k8s.io: v1 v1alpha1 v1beta1
node.k8s.io: v1 v1alpha1 v1beta1
policy: v1 v1beta1
rbac.authorization.k8s.io: v1 v1beta1 v1alpha1
resource.k8s.io: v1beta1 v1alpha3
scheduling.k8s.io: v1alpha1 v1beta1 v1
storage.k8s.io: v1beta1 v1 v1alpha1
storagemigration.k8s.io: v1alpha1
apiextensions.k8s.io: v1beta1 v1
`;

// Changes in each later minor version.
const changes: ReadonlyMap<number, string> = new Map([
  [33, 'resource.k8s.io: v1beta2 v1beta1 v1alpha3'],
  [34, 'networking.k8s.io: v1 v1beta1\nresource.k8s.io: v1 v1beta2 v1beta1 v1alpha3'],
  [35, 'storagemigration.k8s.io: v1beta1'],
  [36, 'autoscaling: v1 v2\nscheduling.k8s.io: v1alpha2 v1beta1 v1'],
  [37, 'lifecycle.k8s.io: v1alpha1\nscheduling.k8s.io: v1alpha3 v1beta1 v1\nstoragemigration.k8s.io: v1 v1beta1'],
]);

/** Returns the part of a profile for a minor version of Kubernetes 1. */
export function kubernetes(minor: number): KubernetesRules {
  const version = `v1.${minor}.0`;
  return {
    kubeVersion: { version, normalized: version, major: '1', minor: String(minor) },
    apiVersions: lazy(() => [...groupsOf(minor)].flatMap(([group, names]) => names.map((name) => group + name))),
  };
}

// Versions by group with a trailing slash; in the core group, which has no name, just the version.
function groupsOf(minor: number): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>([['', ['v1']]]);
  const lists = [initial, ...[...changes].filter(([since]) => since <= minor).map(([, lines]) => lines)];
  for (const line of lists.flatMap((list) => list.trim().split('\n'))) {
    const [group, names = ''] = line.split(':');
    groups.set(
      `${group}/`,
      names.split(' ').filter((name) => name !== ''),
    );
  }
  return groups;
}

const maxUint64 = 2n ** 64n - 1n;

/**
 * Parses a semantic version. Throws GoError.
 * Mirrors: pkg/chartutil, capabilities.go, `ParseKubeVersion`, v3.17.3.
 */
export function parseSemanticVersion(text: string): KubeVersion {
  const parsed = parseVersion(text);
  const full = `v${parsed.string()}`;
  return { version: full, normalized: full, major: String(parsed.major), minor: String(parsed.minor) };
}

/**
 * Parses a version of at least two numbers and ignores the rest. Throws GoError.
 * Mirrors: pkg/chartutil, capabilities.go, `ParseKubeVersion`, v3.19.0.
 */
export function parseNumericVersion(text: string): KubeVersion {
  const parsed = parseGenericVersion(text);
  return { ...parsed, version: parsed.normalized };
}

/**
 * Parses a version of at least two numbers and keeps the rest. Throws GoError.
 * Mirrors: Helm 4, `ParseKubeVersion`; k8s.io/apimachinery, pkg/util/version, `ParseGeneric`.
 */
export function parseGenericVersion(text: string): KubeVersion {
  const [head = '', numbers] = /^[\t\n\f\r ]*v?([0-9]+(?:\.[0-9]+)*)/.exec(text) ?? [];
  if (numbers === undefined || text.includes('\n', head.length))
    throw new GoError(`could not parse ${quote(text)} as version`);
  const parts = numbers.split('.');
  if (parts.length < 2) throw new GoError(`illegal version string ${quote(text)}`);
  const [major, minor] = parts.map((part, i) => readPart(part, i, text)) as [string, string];
  const normalized = `v${parts.map((part) => BigInt(part)).join('.')}`;
  return { version: text.startsWith('v') ? text : `v${text}`, normalized, major, minor };
}

function readPart(part: string, index: number, text: string): string {
  if (index === 0 && part.startsWith('0') && part !== '0') {
    throw new GoError(`illegal zero-prefixed version component ${quote(part)} in ${quote(text)}`);
  }
  const number = BigInt(part);
  if (number <= maxUint64) return String(number);
  const reason = `strconv.ParseUint: parsing ${quote(part)}: value out of range`;
  throw new GoError(`illegal non-numeric version component ${quote(part)} in ${quote(text)}: ${reason}`);
}
