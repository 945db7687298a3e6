// Access to a real API server: kubectl, and the paths of objects.

import { readFile, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import type { ApiResponse, Cluster } from '../../../scripts/reference/cluster.ts';
import { reference } from '../../../scripts/reference/programs.ts';
import type { KubeObject } from './charts.ts';

/** The exit code and the output of a program. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl against a cluster. Objects without a namespace are in `namespace`. */
export async function kubectl(
  cluster: Pick<Cluster, 'kubeconfig'>,
  args: readonly string[],
  input = '',
  namespace = 'default',
): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await execa(await reference('kubectl'), args, {
    env: { KUBECONFIG: await kubeconfigOf(cluster, namespace) },
    input,
    reject: false,
    timeout: 120_000,
    maxBuffer: 1e9,
  });
  return { code: exitCode ?? 1, stdout, stderr };
}

// With `--namespace`, kubectl rejects objects in another one.
async function kubeconfigOf({ kubeconfig }: Pick<Cluster, 'kubeconfig'>, namespace: string): Promise<string> {
  const path = `${kubeconfig}-${namespace}`;
  const config = JSON.parse(await readFile(kubeconfig, 'utf8')) as { contexts: { context: { namespace?: string } }[] };
  for (const { context } of config.contexts) context.namespace = namespace;
  await writeFile(path, JSON.stringify(config));
  return path;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Finds the API path of a kind. Reads each API version from the server once, until the cache is cleared. */
export class Resources {
  readonly #cluster: Cluster;
  readonly #versions = new Map<string, readonly Resource[]>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Returns the resource of a kind; undefined if the server does not have it. */
  async find(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const known = this.#versions.get(apiVersion) ?? (await this.#ask(apiVersion));
    this.#versions.set(apiVersion, known);
    return known.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  }

  /** Returns the collection path of an object; undefined if the server does not have its kind. */
  async collection({ apiVersion, kind, metadata }: KubeObject, namespace = 'default'): Promise<string | undefined> {
    const resource = await this.find(apiVersion, kind);
    if (resource === undefined) return undefined;
    const place = resource.namespaced ? `/namespaces/${metadata.namespace ?? namespace}` : '';
    return `${base(apiVersion)}${place}/${resource.name}`;
  }

  /** Clears the cache. */
  forget(): void {
    this.#versions.clear();
  }

  async #ask(apiVersion: string): Promise<readonly Resource[]> {
    const { status, body } = await this.#cluster.call('GET', base(apiVersion));
    return status === 200 ? (body as { readonly resources: readonly Resource[] }).resources : [];
  }
}

function base(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** Returns the reason why the server rejected a request; empty if it accepted it. */
export function rejectionOf({ status, body }: ApiResponse): string {
  if (status < 400) return '';
  const { message } = body as { readonly message?: string };
  return message ?? `status ${status}`;
}
