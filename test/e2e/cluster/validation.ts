// Compares `check --validate` with `kubectl apply --dry-run=server`, for the objects of public charts and for objects that are broken in
// known ways. `npm run test:e2e -- cluster-validation [FOLDER...] [--broken N]`

import { parseArgs } from 'node:util';
import type { GoMap } from '../../../render/go/value.ts';
import { readObjects } from '../../../render/manifest/objects.ts';
import { createValidator } from '../../../render/validation/kubernetes/validate.ts';
import { temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';
import { startCluster } from '../../../scripts/reference/cluster.ts';
import { kubernetesVersion } from '../../../scripts/reference/programs.ts';
import { brokenObjects } from './broken.ts';
import { type ChartObject, chartFolders, type KubeObject, renderedCases } from './charts.ts';
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
  options: { broken: { type: 'string', default: '300' } },
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
const counts = { charts: 0, objects: 0, accepted: 0, broken: 0 };

async function compareChart(id: string, all: readonly ChartObject[]): Promise<Verdict[]> {
  // kubectl only applies named objects.
  const objects = all.filter(({ json }) => json.metadata.name !== undefined);
  const definitions = objects.filter(({ json }) => json.kind === 'CustomResourceDefinition');
  const validator = createValidator(
    kubernetesVersion,
    definitions.map(({ read }) => read),
  );
  for (const name of new Set(objects.map(({ json }) => json.metadata.namespace ?? 'default')))
    await cluster.call('POST', '/api/v1/namespaces', { metadata: { name } });
  const created = await createDefinitions(objects.map(({ json }) => json));
  const text = objects.map(({ json }) => `---\n${JSON.stringify(json)}\n`).join('');
  const { stdout } = await kubectl(cluster, ['apply', '--dry-run=server', '-f', '-'], text);
  const accepted = acceptedNames(stdout);
  const verdicts: Verdict[] = [];
  for (const { read, json } of objects) {
    const ours = issuesOf(validator, read);
    const isAccepted = accepted.take(json);
    counts.objects++;
    if (isAccepted) counts.accepted++;
    if (isAccepted && ours.length === 0) continue;
    const alone = 'rejected only together with the other objects of the chart';
    const server = isAccepted ? '' : (await reasonOf(json)) || alone;
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
  const objects = readObjects({ path: '', content: JSON.stringify(object) });
  const ours = objects.flatMap((read) => issuesOf(validator, read));
  return { id: `broken: ${what}`, object, ours, server: await reasonOf(object) };
}

/** Returns the messages of drydock for an object. */
function issuesOf(validator: ReturnType<typeof createValidator>, object: GoMap): readonly string[] {
  const issues = validator.check(object).filter(({ kind }) => kind !== 'deprecated');
  return issues.map(({ message }) => message);
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

/** Returns the server's reason to reject an object; empty if it accepts it. */
async function reasonOf(object: KubeObject): Promise<string> {
  const { code, stderr } = await kubectl(cluster, ['apply', '--dry-run=server', '-f', '-'], JSON.stringify(object));
  return code === 0 ? '' : stderr.trim();
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
  if (paths.length > 0) {
    const names = paths.map((path) => path.replace(`${collection}/`, 'crd/'));
    await kubectl(cluster, ['wait', '--for=condition=Established', '--timeout=60s', ...names]);
  }
  return paths;
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
    'the name of an IPAddress, or of an indexed Job',
    /metadata\.name: .*(?:must be a valid IP address|invalid DNS label)/,
  ],
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
  const { charts, objects, accepted, broken } = counts;
  console.log(`${charts} charts with ${objects} objects, ${accepted} accepted by the server; ${broken} broken objects`);
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
  for await (const { id, objects } of renderedCases({ folders: chartFolders(positionals), workspace })) {
    verdicts.push(...(await compareChart(id, objects)));
    counts.charts++;
  }
  for (const { what, object } of brokenObjects(Number(flags.broken))) {
    verdicts.push(await compareBroken(what, object));
    counts.broken++;
  }
} finally {
  await cluster.stop();
}
await report();
