// Compares the objects in a real cluster with the chart: nothing differs after an installation, and exactly the changed fields after changes.
// `npm run test:e2e -- cluster-diff [FOLDER...]`

import { type Difference, diffManifests } from '../../../render/index.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { startCluster } from '../../../scripts/reference/cluster.ts';
import { chartFolders, type KubeObject, type RenderedCase, renderedCases } from './charts.ts';
import { kubectl, Resources, rejectionOf } from './server.ts';

const workspace = temporaryFolder('drydock-live-diff-');
const cluster = await startCluster();
const resources = new Resources(cluster);
const counts = { charts: 0, objects: 0, changes: 0, rejected: 0 };
let failures = 0;

function fail(id: string, what: string): void {
  failures++;
  console.log(`FAIL ${id}: ${what}`);
}

async function compareChart({ id, release, objects: all }: RenderedCase): Promise<void> {
  resources.forget();
  const names = all.map(({ json }) => json).filter(({ metadata }) => metadata.name !== undefined);
  // A completed hook has been deleted, and deleting a namespace would delete the other objects.
  const objects = names.filter(
    ({ kind, metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined && kind !== 'Namespace',
  );
  const manifest = textOf(objects);
  const { namespace } = release;
  const spaces = new Set([namespace, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const name of spaces) await cluster.call('POST', '/api/v1/namespaces', { metadata: { name } });
  try {
    const reason = await install(objects, namespace);
    if (reason !== '') {
      console.log(`rejected ${id}: ${reason.split('\n')[0]}`);
      counts.rejected++;
      return;
    }
    counts.charts++;
    counts.objects += objects.length;
    const after = { documents: manifest, namespace };
    const same = diffManifests(await live(manifest, namespace), after);
    if (same.objects.length > 0) fail(id, `differs after installation: ${entriesOf(same).slice(0, 8).join(', ')}`);
    const expected = await change(objects, namespace);
    counts.changes += expected.length;
    const found = entriesOf(diffManifests(await live(manifest, namespace), after)).filter(
      (entry) => !entriesOf(same).includes(entry),
    );
    if (found.sort().join() !== expected.sort().join())
      fail(id, `changed ${expected.join(', ')}, but the diff contains ${found.join(', ')}`);
  } finally {
    await kubectl(cluster, ['delete', '--ignore-not-found', '--wait=false', '-f', '-'], manifest, namespace);
    for (const name of spaces)
      if (name !== 'default' && !name.startsWith('kube-')) await cluster.call('DELETE', `/api/v1/namespaces/${name}`);
  }
}

function textOf(objects: readonly KubeObject[]): string {
  return objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');
}

async function live(manifest: string, namespace: string): Promise<string> {
  const { stdout, stderr, code } = await kubectl(cluster, ['get', '-f', '-', '-o', 'yaml'], manifest, namespace);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

// Half of the charts are installed with client-side apply, half with server-side apply, which stores no copy of the
// manifest in the objects.
async function install(objects: readonly KubeObject[], namespace: string): Promise<string> {
  const isServerSide = (counts.charts + counts.rejected) % 2 === 0;
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  if (definitions.length > 0) {
    const args = ['apply', '--server-side', '--force-conflicts', '-f', '-'];
    const applied = await kubectl(cluster, args, textOf(definitions));
    if (applied.code !== 0) return applied.stderr;
    await kubectl(cluster, ['wait', '--for=condition=Established', '--timeout=60s', '-f', '-'], textOf(definitions));
  }
  const others = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition');
  if (others.length === 0) return '';
  const flags = isServerSide ? ['--server-side', '--force-conflicts'] : [];
  const { code, stderr } = await kubectl(cluster, ['apply', ...flags, '-f', '-'], textOf(others), namespace);
  if (code !== 0) return stderr;
  // Controllers modify objects when pods run.
  const workload = others.find(({ kind }) => /^(?:Deployment|StatefulSet|DaemonSet)$/.test(kind));
  if (workload !== undefined) {
    const words = ['rollout', 'status', `${workload.kind}/${workload.metadata.name}`, '--timeout=20s'];
    await kubectl(cluster, words, '', namespace);
  }
  return '';
}

interface Change {
  readonly kinds: RegExp;
  readonly patch: (object: KubeObject) => unknown;
  readonly path: (object: KubeObject) => string;
}

interface Workload {
  readonly replicas?: number;
  readonly template: { readonly spec: { readonly containers: readonly { readonly name: string }[] } };
}
const workloadOf = ({ spec }: KubeObject): Workload => spec as Workload;
const first = (object: KubeObject): string => workloadOf(object).template.spec.containers[0]?.name ?? '';

// Typical manual changes in a cluster.
const changesOfKinds: readonly Change[] = [
  {
    kinds: /^(?:Deployment|StatefulSet)$/,
    patch: (object) => ({ spec: { replicas: (workloadOf(object).replicas ?? 1) + 2 } }),
    path: () => 'spec.replicas',
  },
  {
    kinds: /^DaemonSet$/,
    patch: (object) => ({
      spec: { template: { spec: { containers: [{ name: first(object), image: 'changed:1' }] } } },
    }),
    path: (object) => `spec.template.spec.containers[name=${first(object)}].image`,
  },
  {
    kinds: /^ConfigMap$/,
    patch: () => ({ data: { changed: 'by hand' } }),
    path: ({ data }) => (data === undefined ? 'data' : 'data.changed'),
  },
  { kinds: /^Service$/, patch: () => ({ spec: { sessionAffinity: 'ClientIP' } }), path: () => 'spec.sessionAffinity' },
  {
    kinds: /^ServiceAccount$/,
    patch: () => ({ metadata: { labels: { changed: 'yes' } } }),
    path: () => 'metadata.labels.changed',
  },
];

/** Changes one object of each kind and returns the expected entries of the diff. */
async function change(objects: readonly KubeObject[], namespace: string): Promise<string[]> {
  const expected: string[] = [];
  for (const { kinds, patch, path } of changesOfKinds) {
    const object = objects.find(({ kind, apiVersion }) => kinds.test(kind) && !apiVersion.includes('.'));
    if (object === undefined) continue;
    const url = `${await resources.collection(object, namespace)}/${object.metadata.name}`;
    const type = 'application/strategic-merge-patch+json';
    const reason = rejectionOf(await cluster.call('PATCH', url, patch(object), type));
    if (reason === '') expected.push(`${object.kind}/${object.metadata.name} ${path(object)}`);
  }
  return expected;
}

function entriesOf({ objects }: Difference): string[] {
  return objects.flatMap(({ kind, name, status, entries }) =>
    status === 'changed' || status === 'replaced'
      ? entries.map(({ path }) => `${kind}/${name} ${path}`)
      : [`${kind}/${name} ${status}`],
  );
}

try {
  const namespace = (index: number): string => `chart-${index}`;
  const selection = { folders: chartFolders(process.argv.slice(2)), workspace, namespace };
  for await (const rendered of renderedCases(selection)) await compareChart(rendered);
} finally {
  await cluster.stop();
}
const { charts, objects, changes, rejected } = counts;
console.log(
  `${charts} charts installed with ${objects} objects, ${changes} changes; ${rejected} charts rejected by the server`,
);
console.log(`live diff: ${failures} failures`);
if (failures > 0 || charts === 0) process.exitCode = 1;
