// Proves what an Order becomes for kustomize: the real kustomize in kubectl, with the real Helm, renders the objects of the Order's
// manifest from it. `npm run proofs`

import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execa } from 'execa';
import { parseAllDocuments } from 'yaml';
import { directoryRegistry } from '../../render/chart/registry.node.ts';
import { seededHost } from '../../render/host.ts';
import { renderOrder } from '../../render/rendered-order.ts';
import { chartsDirectory } from '../../test/support/orders.ts';
import { helmBinary } from '../tools/helm-binary.ts';
import { Findings, inFolder } from './findings.ts';

type Thing = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
};

const keyOf = ({ kind, metadata }: Thing): string => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`;

/** Gives the objects of a text by kind, namespace and name. */
const objectsIn = (text: string): Map<string, Thing> =>
  new Map(
    parseAllDocuments(text).flatMap((document) => {
      const value = document.toJS() as (Thing & { readonly items?: readonly Thing[] }) | null;
      // Kustomize takes lists apart.
      const things = value === null ? [] : (value.items ?? [value]);
      return things.map((thing) => [keyOf(thing), thing] as const);
    }),
  );

/** Gives how two sets of objects differ. Kustomize has the hooks of upgrades, deletions and tests too. */
function differences(wanted: ReadonlyMap<string, Thing>, found: ReadonlyMap<string, Thing>): string {
  const lines: string[] = [];
  for (const [key, value] of wanted) {
    if (!found.has(key)) lines.push(`missing: ${key}`);
    else if (!isDeepStrictEqual(found.get(key), value)) lines.push(`differs: ${key}`);
  }
  for (const [key, { metadata }] of found) {
    if (!wanted.has(key) && metadata.annotations?.['helm.sh/hook'] === undefined) lines.push(`too much: ${key}`);
  }
  return lines.join('\n');
}

const charts = ['web', 'umbrella', 'crds-and-hooks'];
const findings = new Findings();
await inFolder(async (home) => {
  const { helm } = await helmBinary(3);
  for (const chart of charts) {
    const folder = join(home, chart);
    await cp(join(chartsDirectory, chart), join(folder, chart), { recursive: true });
    const selection = {
      name: chart,
      sourceRef: { kind: 'Local', name: `./${chart}` },
      releaseName: 'r',
      namespace: 'there',
    };
    const registry = directoryRegistry([chartsDirectory]);
    const resolve: typeof registry.resolve = (asked) =>
      registry.resolve({ ...asked, sourceRef: { kind: 'Embed', name: chart, apiGroup: '', namespace: '' } });
    const order = await renderOrder(
      { spec: { packages: [{ chart: selection }] } },
      { registry: { resolve }, host: seededHost() },
    );
    await writeFile(join(folder, 'kustomization.yaml'), order.exportTo('kustomize').text);
    const crds = order.resources().flatMap((list) => list.crds.map(({ data }) => data));
    const wanted = objectsIn([...crds, order.manifest()].join('\n---\n'));
    for (const major of [3, 4] as const) {
      const { kubectl } = await helmBinary(major);
      const words = ['kustomize', '--enable-helm', '--helm-command', helm, folder];
      const { stdout, stderr, exitCode } = await execa(kubectl, words, { reject: false, env: { HOME: home } });
      const fault = exitCode === 0 ? differences(wanted, objectsIn(stdout)) : stderr;
      findings.report(
        `kustomize of kubectl ${major === 3 ? '1.31' : '1.36'} renders ${chart}: ${wanted.size} objects`,
        fault,
      );
    }
  }
});
findings.end('engines');
