// A rendered Order as the files of a snapshot: one per output, one per resource, so that a diff names what changed.

import type { RenderedOrder } from '../rendered-order.ts';

/** Names an output of an Order, as `drydock render --output` does. */
export type OrderOutput = 'manifest' | 'resources' | 'pkgmgr3' | 'yaml';

/** Are all outputs. */
export const orderOutputs: readonly OrderOutput[] = ['manifest', 'resources', 'pkgmgr3', 'yaml'];

// Which outputs a file belongs to: each one's files, by path.
const writers: Readonly<Record<OrderOutput, (rendered: RenderedOrder) => readonly (readonly [string, string])[]>> = {
  manifest: (rendered) => [['manifest.yaml', rendered.manifest()]],
  resources: (rendered) =>
    rendered
      .resources()
      .flatMap(({ namespace, releaseName, crds, resources }) =>
        [...crds.map((item) => ['crds', item] as const), ...resources.map((item) => ['resources', item] as const)].map(
          ([folder, { filename, data }]) =>
            [`resources/${namespace}/${releaseName}/${folder}/${filename}`, withLineEnd(data)] as const,
        ),
      ),
  pkgmgr3: (rendered) => [['scripts/helm-install.sh', rendered.helmScript()]],
  yaml: (rendered) => [['scripts/kubectl-install.sh', rendered.yamlScript()]],
};

/** Gives an Order's outputs (default all) as files by path. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function orderFiles(
  rendered: RenderedOrder,
  { outputs = orderOutputs }: { readonly outputs?: readonly OrderOutput[] | undefined } = {},
): ReadonlyMap<string, string> {
  return new Map(outputs.flatMap((output) => writers[output](rendered)));
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
