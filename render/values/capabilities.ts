// What a template may know of the cluster: its version and its API versions.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, capabilities.go, v3.17.3.

import { RenderError } from '../errors.ts';
import { parseVersion } from '../go/semver.ts';
import { GoError } from '../go/value.ts';

/** What `.Capabilities` is made from. */
export interface Capabilities {
  /** `version` with a leading `v`; `major` and `minor` as texts, as Helm has them. */
  readonly kubeVersion: { readonly version: string; readonly major: string; readonly minor: string };
  /** Such as `v1` and `apps/v1`, in Helm's order. */
  readonly apiVersions: readonly string[];
  /** Hears of each API version that a template asks for by name. */
  readonly onAsked?: ((name: string) => void) | undefined;
}

/** Says what the cluster is. */
export interface CapabilitiesOptions {
  /** Such as `1.31` or `v1.31.2`; empty or absent for the version Helm was built for, 1.32. */
  readonly kubeVersion?: string | undefined;
  /** Added behind the API versions that Helm knows. */
  readonly apiVersions?: readonly string[] | undefined;
}

/** Gives the capabilities that Helm would have without a cluster. Throws VALUES_INVALID for a version that is none. */
export function createCapabilities(options: CapabilitiesOptions = {}): Capabilities {
  const { kubeVersion = '', apiVersions = [] } = options;
  return {
    kubeVersion: kubeVersion === '' ? { version: 'v1.32.0', major: '1', minor: '32' } : parseKubeVersion(kubeVersion),
    apiVersions: [...knownApiVersions, ...apiVersions],
  };
}

// Mirrors: `ParseKubeVersion`.
function parseKubeVersion(text: string): Capabilities['kubeVersion'] {
  try {
    const version = parseVersion(text);
    return { version: `v${version.string()}`, major: String(version.major), minor: String(version.minor) };
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new RenderError('VALUES_INVALID', `invalid kube version '${text}': ${error.message}`, {
      mend: 'Give a version such as 1.31 or v1.31.2.',
    });
  }
}

// The versions that client-go 0.32 registers, groups by name and versions by preference, then those of CRDs.
const knownApiVersions: readonly string[] = `
v1
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
networking.k8s.io: v1 v1alpha1 v1beta1
node.k8s.io: v1 v1alpha1 v1beta1
policy: v1 v1beta1
rbac.authorization.k8s.io: v1 v1beta1 v1alpha1
resource.k8s.io: v1beta1 v1alpha3
scheduling.k8s.io: v1alpha1 v1beta1 v1
storage.k8s.io: v1beta1 v1 v1alpha1
storagemigration.k8s.io: v1alpha1
apiextensions.k8s.io: v1beta1 v1
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [group, versions] = line.split(': ');
    return versions === undefined ? [line] : versions.split(' ').map((version) => `${group}/${version}`);
  });
