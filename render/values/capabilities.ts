// What templates can observe of the cluster: its version and its API versions.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, capabilities.go, v3.17.3.

import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import type { Helm, KubeVersion } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';

/** The content of `.Capabilities`. */
export interface Capabilities {
  readonly kubeVersion: KubeVersion;
  /** For example `v1` and `apps/v1`, in Helm's order. */
  readonly apiVersions: readonly string[];
  /** Called with each API version that a template checks for. */
  readonly onQuery?: ((name: string) => void) | undefined;
}

export interface CapabilitiesOptions {
  /** For example `1.31` or `v1.31.2`. Empty or absent: the version that Helm was built for. */
  readonly kubeVersion?: string | undefined;
  /** Appended to the API versions that Helm knows. */
  readonly apiVersions?: readonly string[] | undefined;
  /** The Helm profile. Default Helm 3. */
  readonly helm?: Helm | undefined;
}

/** Returns the capabilities that Helm has without a cluster. Throws VALUES_INVALID for an invalid version. */
export function createCapabilities(options: CapabilitiesOptions = {}): Capabilities {
  const { kubeVersion = '', apiVersions = [], helm = helmOf() } = options;
  return {
    kubeVersion: kubeVersion === '' ? helm.kubeVersion : parseKubeVersion(kubeVersion, helm),
    apiVersions: [...helm.apiVersions(), ...apiVersions],
  };
}

/** Returns capabilities with more API versions; new ones are appended. */
export function withApiVersions(capabilities: Capabilities, apiVersions: Iterable<string>): Capabilities {
  const known = new Set(capabilities.apiVersions);
  const more = [...new Set(apiVersions)].filter((name) => !known.has(name));
  return { ...capabilities, apiVersions: [...capabilities.apiVersions, ...more] };
}

function parseKubeVersion(text: string, helm: Helm): KubeVersion {
  const hint = 'Give a version such as 1.31 or v1.31.2.';
  return convertGoError(
    () => helm.parseKubeVersion(text),
    ({ message }) => new RenderError('VALUES_INVALID', `invalid kube version '${text}': ${message}`, { hint }),
  );
}
