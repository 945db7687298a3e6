// Since when an API is deprecated and gone, and what replaces it: what real Helm says, of the tables of Kubernetes' own in it.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askHelm, helmBinary } from '../tools/helm-binary.ts';
import { cacheDirectory } from '../tools/pinned-package.ts';

// Versions that Kubernetes has had of its groups, the removed ones too.
const versions = [
  'v1',
  'v2',
  'v1beta1',
  'v1beta2',
  'v1beta3',
  'v2beta1',
  'v2beta2',
  'v1alpha1',
  'v1alpha2',
  'v1alpha3',
  'v2alpha1',
];
// What no Helm at hand knows any more. Mirrors: Kubernetes, the guide to deprecated APIs.
const older = [
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition 1.16 1.22 apiextensions.k8s.io/v1 CustomResourceDefinition',
  'apiregistration.k8s.io/v1beta1 APIService 1.19 1.22 apiregistration.k8s.io/v1 APIService',
  'extensions/v1beta1 PodSecurityPolicy 1.11 1.16 policy/v1beta1 PodSecurityPolicy',
  'policy/v1beta1 PodSecurityPolicy 1.21 1.25',
];
const removedKinds = [
  'extensions Ingress',
  'extensions Deployment',
  'extensions DaemonSet',
  'extensions ReplicaSet',
  'extensions NetworkPolicy',
  'extensions PodSecurityPolicy',
  'policy PodSecurityPolicy',
  'batch CronJob',
  'node.k8s.io RuntimeClass',
];

/** Gives a line for each API that ever goes: `GROUP/VERSION KIND DEPRECATED GONE REPLACEMENT-VERSION REPLACEMENT-KIND`. */
export async function readLifecycles(kinds: ReadonlySet<string>): Promise<string[]> {
  const groups = new Set([...kinds].map((kind) => kind.replace(/^(?:(.*)\/)?[^/ ]+ /, '$1 ')).concat(removedKinds));
  const lines = new Map<string, string>();
  // The later Helm knows more of what is to come, the earlier one more of what has gone.
  for (const major of [3, 4] as const) {
    const { helm } = await helmBinary(major);
    for (const line of await askLint(helm, groups)) lines.set(line.split(' ').slice(0, 2).join(' '), line);
  }
  // Of one kind the table names the list of it.
  return [...lines.values(), ...older].map((line) => line.replace(/( (\w+) \S+ \S+ \S+ \2)List$/, '$1')).sort();
}

async function askLint(helm: string, groups: ReadonlySet<string>): Promise<string[]> {
  await mkdir(cacheDirectory, { recursive: true });
  const chart = await mkdtemp(join(cacheDirectory, 'lifecycles-'));
  try {
    await mkdir(join(chart, 'templates'));
    await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: lifecycles\nversion: 0.1.0\n');
    await writeFile(join(chart, 'values.yaml'), '');
    const documents = [...groups].flatMap((word) => {
      const [group = '', kind = ''] = word.split(' ');
      return versions.map(
        (version) => `apiVersion: ${group}${group && '/'}${version}\nkind: ${kind}\nmetadata: { name: a }\n`,
      );
    });
    // A file each: a fault of one hides no other.
    await Promise.all(documents.map((text, at) => writeFile(join(chart, 'templates', `a${at}.yaml`), text)));
    const { stdout } = await askHelm(helm, ['lint', chart, '--kube-version', '1.99.0'], chart);
    return [
      ...stdout.matchAll(/: (\S+) (\S+) is deprecated in v(\S+)\+, unavailable in v(\S+)\+(?:; use (\S+) (\S+))?$/gm),
    ].map((found) =>
      found
        .slice(1)
        .filter((word) => word !== undefined)
        .join(' '),
    );
  } finally {
    await rm(chart, { recursive: true, force: true });
  }
}
