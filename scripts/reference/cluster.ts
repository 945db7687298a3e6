// A real Kubernetes cluster on loopback: etcd, API server, controller manager, scheduler, and kwok for simulated nodes.

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from '../dev/tools/tools.ts';
import { kwokStages, reference } from './programs.ts';

/** A response of the API server. */
export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A running cluster. */
export interface Cluster {
  /** The path of a kubeconfig with full access. */
  readonly kubeconfig: string;
  /** Sends a request to the API server, such as `call('GET', '/api/v1/namespaces')`. */
  call(method: string, path: string, body?: unknown, contentType?: string): Promise<ApiResponse>;
  /** Stops all programs and removes their data. */
  stop(): Promise<void>;
}

/** Options for `startCluster`. */
interface ClusterOptions {
  /** Whether controllers act on objects and pods run on a simulated node. Default true; otherwise objects are only stored. */
  readonly controllers?: boolean;
  /** More flags for the API server. Default none. */
  readonly apiServerFlags?: readonly string[];
}

/** Starts a cluster with its own data directory. Its programs are built on first use. */
export async function startCluster({
  controllers = true,
  apiServerFlags: more = [],
}: ClusterOptions = {}): Promise<Cluster> {
  const home = await mkdtemp(join(tmpdir(), 'drydock-cluster-'));
  const running: Running[] = [];
  let stopCloud = async (): Promise<void> => {};
  const stop = async (): Promise<void> => {
    await stopCloud();
    for (const one of [...running].reverse()) await one.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const start = async (name: Parameters<typeof reference>[0], args: readonly string[]): Promise<void> => {
      running.push(startProgram(await reference(name as 'etcd'), args, join(home, `${name}.log`)));
    };
    const ports = { client: await freePort(), peer: await freePort(), api: await freePort() };
    await start('etcd', etcdFlags(home, ports));
    const credentials = await writeCredentials(home, ports.api);
    await start('kube-apiserver', [...apiServerFlags(home, ports), ...more]);
    const call = callerOf(ports.api);
    await waitUntil('the API server starts', running, async () => (await call('GET', '/readyz')).status === 200);
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    if (controllers) {
      await start('kube-controller-manager', controllerFlags(home, credentials));
      await start('kube-scheduler', ['--kubeconfig', credentials, '--leader-elect=false', '--secure-port=0']);
      const stages = (await kwokStages()).flatMap((file) => ['--config', file]);
      await start('kwok', ['--kubeconfig', credentials, '--manage-all-nodes=true', ...stages]);
      await call('POST', '/api/v1/nodes', node);
      stopCloud = await startCloud(call);
    }
    // Pods are admitted to a namespace only once its service account exists.
    const isAdmitting = async (): Promise<boolean> => {
      if (!controllers) await call('POST', accounts, { metadata: { name: 'default' } });
      return (await call('GET', `${accounts}/default`)).status === 200;
    };
    await waitUntil('pods are admitted', running, isAdmitting);
    return { kubeconfig: credentials, call, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs a command with a cluster of its own: KUBECONFIG is set, and its kubectl is first in PATH. Returns the exit code. */
export async function withCluster([command = '', ...args]: readonly string[]): Promise<number> {
  const cluster = await startCluster();
  try {
    const kubectl = await reference('kubectl');
    const env = { KUBECONFIG: cluster.kubeconfig, PATH: `${join(kubectl, '..')}:${process.env.PATH ?? ''}` };
    const { exitCode } = await execa(command, args, { env, stdio: 'inherit', reject: false });
    return exitCode ?? 1;
  } finally {
    await cluster.stop();
  }
}

interface Running {
  /** The exit code of the program; undefined while it runs. */
  ended(): Promise<string | undefined>;
  stop(): Promise<void>;
}

function startProgram(path: string, args: readonly string[], log: string): Running {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  const exit = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  return {
    ended: async () => {
      if (isRunning(child)) return undefined;
      const lines = (await readFile(log, 'utf8')).trimEnd().split('\n').slice(-5);
      return `${path} ended with exit code ${child.exitCode}:\n${lines.join('\n')}`;
    },
    stop: async () => {
      if (isRunning(child)) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exit;
      clearTimeout(timer);
      file.end();
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function waitUntil(what: string, running: readonly Running[], test: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 300_000;
  while (!(await test().catch(() => false))) {
    for (const one of running) {
      const reason = await one.ended();
      if (reason !== undefined) throw new Error(`${what}: ${reason}`);
    }
    if (Date.now() > end) throw new Error(`${what}: not within five minutes`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Ports {
  readonly client: number;
  readonly peer: number;
  readonly api: number;
}

const token = 'reference';

// Nothing outlives the cluster, so data need not be written to disk.
function etcdFlags(home: string, { client, peer }: Ports): string[] {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  return [
    ...['--data-dir', join(home, 'etcd'), '--unsafe-no-fsync', '--log-level', 'warn'],
    ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl, '--listen-peer-urls', peerUrl],
    ...['--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`],
  ];
}

function apiServerFlags(home: string, { client, api }: Ports): string[] {
  const key = join(home, 'service-account.key');
  return [
    ...[`--etcd-servers=http://127.0.0.1:${client}`, `--secure-port=${api}`, '--bind-address=127.0.0.1'],
    ...[`--cert-dir=${join(home, 'certificates')}`, `--token-auth-file=${join(home, 'tokens.csv')}`],
    ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/16', '--allow-privileged=true'],
    ...['--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${key}`],
    `--service-account-signing-key-file=${key}`,
  ];
}

function controllerFlags(home: string, kubeconfig: string): string[] {
  const key = join(home, 'service-account.key');
  return [
    ...['--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0'],
    // On a busy machine kwok renews the lease of its node late, and pods of a node that is not ready are not ready either.
    '--node-monitor-grace-period=24h',
    ...['--service-account-private-key-file', key, '--use-service-account-credentials=true'],
  ];
}

async function writeCredentials(home: string, port: number): Promise<string> {
  await mkdir(join(home, 'certificates'));
  await writeFile(join(home, 'tokens.csv'), `${token},admin,admin,system:masters\n`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(home, 'service-account.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const path = join(home, 'kubeconfig');
  await writeFile(
    path,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'reference',
      contexts: [{ name: 'reference', context: { cluster: 'reference', user: 'admin' } }],
      clusters: [
        { name: 'reference', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'admin', user: { token } }],
    }),
  );
  return path;
}

// The server has just created its own certificate.
function callerOf(port: number): Cluster['call'] {
  return (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
      const options = { host: '127.0.0.1', port, path, method, headers, rejectUnauthorized: false };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

const capacity = { cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '1000' };

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'node',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': 'node' },
  },
  status: { capacity, allocatable: capacity },
};

// The cloud provider of a cluster: provisions volumes for claims and assigns addresses to load balancers.

interface Thing {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
}

interface Claim extends Thing {
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly accessModes: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly phase?: string };
}

interface Service extends Thing {
  readonly spec: { readonly type?: string };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: unknown } };
}

const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'kubernetes.io/no-provisioner',
};

/** Provides volumes and addresses; returns a function that stops it. */
async function startCloud(call: Cluster['call']): Promise<() => Promise<void>> {
  await call('POST', '/apis/storage.k8s.io/v1/storageclasses', storageClass);
  const list = async <T>(path: string): Promise<readonly T[]> =>
    ((await call('GET', path)).body as { readonly items?: readonly T[] }).items ?? [];
  const provide = async (): Promise<void> => {
    for (const claim of await list<Claim>('/api/v1/persistentvolumeclaims')) {
      if (claim.status?.phase === 'Pending') await call('POST', '/api/v1/persistentvolumes', volumeFor(claim));
    }
    for (const { metadata, spec, status } of await list<Service>('/api/v1/services')) {
      if (spec.type !== 'LoadBalancer' || status?.loadBalancer?.ingress !== undefined) continue;
      const path = `/api/v1/namespaces/${metadata.namespace}/services/${metadata.name}/status`;
      const body = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
      await call('PATCH', path, body, 'application/merge-patch+json');
    }
  };
  let isOver = false;
  const work = (async (): Promise<void> => {
    while (!isOver) {
      // A server that is shutting down no longer responds.
      await provide().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  })();
  return async () => {
    isOver = true;
    await work;
  };
}

function volumeFor({ metadata: { name, namespace, uid }, spec }: Claim): object {
  return {
    metadata: { name: `volume-${uid}` },
    spec: {
      ...(spec.storageClassName === undefined ? {} : { storageClassName: spec.storageClassName }),
      volumeMode: spec.volumeMode ?? 'Filesystem',
      accessModes: spec.accessModes,
      capacity: { storage: spec.resources?.requests?.storage ?? '1Gi' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      hostPath: { path: '/tmp/volume' },
    },
  };
}
