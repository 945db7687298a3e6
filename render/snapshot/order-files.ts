// A rendered Order as the files of a snapshot: one per output and one per resource, so that a diff shows what changed.

import type { RenderedOrder } from '../api/order.ts';
import { digestChart } from '../chart/digest.ts';
import type { OrderOutput } from '../inputs/settings.ts';

// The files of each output, by path.
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
  pkgmgr3: (rendered) => [['scripts/helm.sh', withoutDigests(rendered.helmScript(), rendered)]],
  yaml: (rendered) => [['scripts/kubectl.sh', withoutDigests(rendered.yamlScript(), rendered)]],
};

/** Returns the selected outputs of an Order as files by path. Throws MANIFEST_INVALID if a CRD file is not YAML. */
export function orderFiles(rendered: RenderedOrder, outputs: readonly OrderOutput[]): ReadonlyMap<string, string> {
  return new Map(outputs.flatMap((output) => writers[output](rendered)));
}

// Scripts contain digests of their inputs, which change with a README too. What affects an installation is in the other files.
function withoutDigests(script: string, { packages }: RenderedOrder): string {
  let text = script;
  for (const { chart } of packages) text = text.replaceAll(digestChart(chart), '<digest of the chart>');
  const [, order, mark = ''] = /spec of the order has (sha256:([0-9a-f]{16})[0-9a-f]{48})/.exec(text) ?? [];
  if (order === undefined) return text;
  return text.replaceAll(order, '<digest of the order>').replaceAll(`secret-${mark}-`, 'secret-');
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
