// Compares `check --validate` with `kubectl apply --dry-run=server`, for the objects of public charts and for objects that are broken in
// known ways; with `--search SECONDS` also for the objects that charts render with generated cases, of which the API server must reject
// those that `cases` reports as rejected.
// `npm run test:e2e -- cluster-validation [FOLDER...] [--broken N] [--search SECONDS]`

import { parseArgs } from 'node:util';
import { readObjects } from '../../../render/manifest/objects.ts';
import { createValidator } from '../../../render/validation/kubernetes/validate.ts';
import { objectIssueText, objectLabel } from '../../../render/validation/objects/document-issues.ts';
import { temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';
import { type Cluster, startCluster } from '../../../scripts/reference/cluster.ts';
import { kubernetesVersion } from '../../../scripts/reference/programs.ts';
import { brokenObjects } from './broken.ts';
import { type ChartObject, chartFolders, generatedCases, type KubeObject, renderedCases } from './charts.ts';
import { kubectl, Resources, rejectionOf } from './server.ts';

/** An object that drydock or the server rejects. */
interface Verdict {
  readonly id: string;
  readonly object: KubeObject;
  /** The issues found by drydock; empty if it accepts the object. */
  readonly ours: readonly string[];
  /** The server's reason for rejecting it; empty if it accepts the object. */
  readonly server: string;
}

const { values: flags, positionals } = parseArgs({
  options: {
    broken: { type: 'string', default: '300' },
    search: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});

const workspace = temporaryFolder('drydock-validation-');
const cluster = await startCluster({
  controllers: false,
  // The service account of a chart's pod does not exist, because a dry run does not create it.
  apiServerFlags: ['--disable-admission-plugins=ServiceAccount'],
});
const resources = new Resources(cluster);
const verdicts: Verdict[] = [];
const namespaces = new Set(['default']);
const counts = { charts: 0, objects: 0, accepted: 0, broken: 0, generated: 0 };
/** Objects that `cases` reports as rejected by a cluster, and those of them that the server accepts. */
const reported: string[] = [];
const falselyReported: string[] = [];

async function compareChart(id: string, all: readonly ChartObject[]): Promise<Verdict[]> {
  // kubectl only applies named objects.
  const objects = all.filter(({ json }) => json.metadata.name !== undefined);
  const definitions = objects.filter(({ json }) => json.kind === 'CustomResourceDefinition');
  const validator = createValidator(
    kubernetesVersion,
    definitions.map(({ read }) => read),
  );
  for (const { json } of objects) await createNamespace(cluster, json.metadata.namespace);
  const created = await createDefinitions(objects.map(({ json }) => json));
  const text = objects.map(({ json }) => `---\n${JSON.stringify(json)}\n`).join('');
  const { stdout } = await kubectl(cluster, ['apply', '--dry-run=server', '-f', '-'], text);
  const accepted = acceptedNames(stdout);
  const verdicts: Verdict[] = [];
  for (const { read, json } of objects) {
    const ours = validator
      .check(read)
      .filter(({ kind }) => kind !== 'deprecated')
      .map(({ message }) => message);
    const isAccepted = accepted.take(json);
    counts.objects++;
    if (isAccepted) counts.accepted++;
    if (isAccepted && ours.length === 0) continue;
    const server = isAccepted ? '' : await reasonOf(json);
    verdicts.push({ id, object: json, ours, server });
  }
  for (const path of created) await cluster.call('DELETE', path);
  for (const path of created)
    await until(`deletion of ${path}`, async () => rejectionOf(await cluster.call('GET', path)) !== '');
  if (created.length > 0) resources.forget();
  return verdicts;
}

async function compareBroken(what: string, object: KubeObject): Promise<Verdict> {
  const validator = createValidator(kubernetesVersion);
  const ours = readObjects({ path: '', content: JSON.stringify(object) }).flatMap((read) =>
    validator
      .check(read)
      .filter(({ kind }) => kind !== 'deprecated')
      .map(({ message }) => message),
  );
  const { code, stderr } = await kubectl(cluster, ['apply', '--dry-run=server', '-f', '-'], JSON.stringify(object));
  return { id: `broken: ${what}`, object, ours, server: code === 0 ? '' : stderr.trim() };
}

/** The objects that kubectl accepted. Its output does not contain namespaces, so objects are counted by kind and name. */
function acceptedNames(stdout: string): { take(object: KubeObject): boolean } {
  const left = new Map<string, number>();
  for (const [, name = ''] of stdout.matchAll(/^(\S+) (?:created|configured|unchanged) \(server dry run\)$/gm))
    left.set(name, (left.get(name) ?? 0) + 1);
  return {
    take: ({ apiVersion, kind, metadata }) => {
      const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
      const name = `${kind.toLowerCase()}${group}/${metadata.name}`;
      const count = left.get(name) ?? 0;
      left.set(name, count - 1);
      return count > 0;
    },
  };
}

async function reasonOf(object: KubeObject): Promise<string> {
  const { code, stderr } = await kubectl(cluster, ['apply', '--dry-run=server', '-f', '-'], JSON.stringify(object));
  return code === 0 ? 'rejected only together with the other objects of the chart' : stderr.trim();
}

async function createNamespace({ call }: Cluster, name = 'default'): Promise<void> {
  if (namespaces.has(name)) return;
  namespaces.add(name);
  await call('POST', '/api/v1/namespaces', { metadata: { name } });
}

/** Creates the custom resource definitions of the chart. Returns their paths. */
async function createDefinitions(objects: readonly KubeObject[]): Promise<string[]> {
  const used = new Set(objects.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]} ${kind}`));
  const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const paths: string[] = [];
  for (const object of objects) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const { group, names } = object.spec as { readonly group: string; readonly names: { readonly kind: string } };
    if (!used.has(`${group} ${names.kind}`)) continue;
    const response = await cluster.call('POST', collection, object);
    if (rejectionOf(response) === '') paths.push(`${collection}/${object.metadata.name}`);
  }
  for (const path of paths) await waitUntilEstablished(path);
  return paths;
}

async function waitUntilEstablished(path: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await cluster.call('GET', path);
    const { status } = body as { status?: { conditions?: readonly { type: string; status: string }[] } };
    if (status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// Rejections that a schema cannot predict. Any other difference is a bug in drydock.
const beyondSchemas: readonly (readonly [what: string, reason: RegExp])[] = [
  [
    'custom kinds that the cluster does not have',
    /no matches for kind "\w+" in version "(?!v\d)(?:(?:keda|autoscaling)\.k8s\.io|[\w-]+\.(?!k8s\.io\/)[\w.-]+)\//,
  ],
  ['the size of the annotation that kubectl adds', /metadata\.annotations: Too long/],
  ['an empty name, for which kubectl cannot look', /resource name may not be empty/],
  ['the name of a definition, which follows from its other fields', /must be spec\.names\.plural/],
  [
    'values and rules between fields that only the server checks',
    /is invalid: (?!metadata\.)|is invalid:\s+\*(?! metadata\.)/,
  ],
  ['admission rules of the cluster', /is forbidden:/],
];

async function report(): Promise<void> {
  const both = verdicts.filter(({ ours, server }) => ours.length > 0 && server !== '');
  const onlyOurs = verdicts.filter(({ ours, server }) => ours.length > 0 && server === '');
  const onlyServer = verdicts.filter(({ ours, server }) => ours.length === 0 && server !== '');
  const { charts, objects, accepted, broken, generated } = counts;
  console.log(`${charts} charts with ${objects} objects, ${accepted} accepted by the server; ${broken} broken objects`);
  if (flags.search !== '0')
    console.log(
      `${generated} generated cases; ${reported.length} rejections reported, ${falselyReported.length} of them falsely`,
    );
  for (const line of falselyReported) console.log(`FAIL ${line}: the server accepts it`);
  if (falselyReported.length > 0) process.exitCode = 1;
  console.log(
    `rejected by both: ${both.length}, only by drydock: ${onlyOurs.length}, only by the server: ${onlyServer.length}`,
  );
  const differences = [...onlyOurs];
  const reasons = new Map<string, number>();
  for (const verdict of onlyServer) {
    const [what] = beyondSchemas.find(([, reason]) => reason.test(verdict.server)) ?? [];
    if (what === undefined) differences.push(verdict);
    else reasons.set(what, (reasons.get(what) ?? 0) + 1);
  }
  for (const [what, count] of reasons) console.log(`  ${count} for ${what}`);
  for (const { id, object, ours, server } of differences)
    console.log(
      `FAIL ${id}, ${object.kind}/${object.metadata?.name}\n  drydock: ${ours.join('; ')}\n  server: ${server}`,
    );
  console.log(`validation: ${differences.length} unexpected differences`);
  if (differences.length > 0) process.exitCode = 1;
}

try {
  const selection = {
    folders: chartFolders(positionals),
    workspace,
  };
  for await (const { id, objects } of renderedCases(selection)) {
    verdicts.push(...(await compareChart(id, objects)));
    counts.charts++;
  }
  const seconds = Number(flags.search);
  if (seconds > 0) {
    for await (const { id, objects, rejections } of generatedCases(selection, seconds)) {
      const found = await compareChart(id, objects);
      verdicts.push(...found);
      counts.generated++;
      for (const issue of rejections) {
        reported.push(`${id}: ${objectIssueText(issue)}`);
        // An object without metadata is not sent.
        const sent = objects.filter(({ read }) => objectLabel(read) === issue.object);
        const isRejected = sent.some(({ json }) =>
          found.some(({ object, server }) => object === json && server !== ''),
        );
        if (sent.length > 0 && !isRejected) falselyReported.push(`${id}: ${objectIssueText(issue)}`);
      }
    }
  }
  for (const { what, object } of brokenObjects(Number(flags.broken))) {
    verdicts.push(await compareBroken(what, object));
    counts.broken++;
  }
} finally {
  await cluster.stop();
}
await report();
