// What the proofs against the API server share: running scripts with a real Helm and kubectl, and saying what held.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { type HelmMajor, helmBinary } from '../tools/helm-binary.ts';
import type { ApiServer } from './api-server.ts';

/** How a run of a script ended. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
}

/** Runs a script in a folder of its own, with the tools of one Helm, against a server. */
export type RunScript = (script: string, server: ApiServer, args?: readonly string[]) => Promise<Outcome>;

/** The faults of a proof so far. */
export class Findings {
  count = 0;

  /** Says that a thing holds, or what is at fault. */
  readonly report = (title: string, fault: string): void => {
    if (fault !== '') this.count++;
    console.log(`${fault === '' ? 'ok  ' : 'FAIL'} ${title}${fault === '' ? '' : `\n${fault}`}`);
  };

  /** Ends the process with what the proof came to. */
  end(proof: string): void {
    console.log(this.count === 0 ? `${proof}: all hold` : `${proof}: ${this.count} do not hold`);
    process.exitCode = this.count === 0 ? 0 : 1;
  }
}

/** Gives a folder for scripts and charts, which is gone when `work` is done. */
export async function inFolder(work: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'drydock-cluster-'));
  try {
    await work(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Gives what runs scripts in a folder with a Helm and the kubectl that comes with it. */
export async function scriptRunner(home: string, major: HelmMajor): Promise<RunScript> {
  const { helm } = await helmBinary(major);
  return async (script, server, args = []) => {
    const file = join(home, 'script.sh');
    await writeFile(file, script);
    const cluster = {
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: {} }],
    };
    const kubeconfig = join(home, 'kubeconfig');
    await writeFile(
      kubeconfig,
      JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', ...cluster }),
    );
    const { exitCode, all } = await execa('sh', [file, ...args], {
      all: true,
      reject: false,
      timeout: 120_000,
      cwd: home,
      env: {
        PATH: `${join(helm, '..')}:${process.env.PATH}`,
        KUBECONFIG: kubeconfig,
        HOME: home,
        HELM_CACHE_HOME: join(home, 'helm'),
        HELM_CONFIG_HOME: join(home, 'helm'),
        HELM_DATA_HOME: join(home, 'helm'),
      },
    });
    return { code: exitCode ?? -1, text: String(all) };
  };
}

/** Gives a document of a Kubernetes object. */
export const object = (apiVersion: string, kind: string, name: string, more = ''): string =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n${more}`;

/** Gives the document of a definition in the group x.io. */
export const crd = (plural: string, kind: string, labels = ''): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `${plural}.x.io${labels === '' ? '' : `, labels: {${labels}}`}`,
    `spec: {group: x.io, scope: Namespaced, names: {plural: ${plural}, kind: ${kind}, singular: ${kind.toLowerCase()}}, versions: [{name: v1, served: true, storage: true}]}\n`,
  );
