// Files of other engines to an Order: Applications of Argo CD, HelmReleases of Flux, a helmfile, a kustomization.

import { checkArguments, listOf, membersOf, text } from '../../arguments.ts';
import { plainValue } from '../../codec/plain.ts';
import { parseYaml } from '../../codec/yaml/parse.ts';
import { RenderError } from '../../errors.ts';
import { GoError } from '../../go/value.ts';
import { splitStream } from '../../manifest/objects.ts';
import type { Order } from '../../order/document.ts';
import { type JsonObject, ORDER_API_VERSION } from '../../order/order.ts';
import { importApplications } from './argocd.ts';
import { importHelmReleases } from './flux.ts';
import { importHelmfile } from './helmfile.ts';
import { importKustomization } from './kustomize.ts';
import { listAt, objectsIn, textAt } from './members.ts';

/** A text to import, and what errors call it. */
export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

/** What was read, as an Order of one's own. */
export interface ImportedOrder {
  readonly order: Order;
  /** What an Order cannot carry, one sentence each. */
  readonly left: readonly string[];
}

/**
 * Gives the Order behind files of another engine; which one, they tell themselves. Packages are in the order in which the
 * engine installs them. Throws ORDER_INVALID where a file is not YAML, or where nothing in it installs a chart;
 * ARGUMENT_INVALID.
 * @example
 * const { order, left } = importOrder([{ name: 'helmfile.yaml', text }]);
 */
export function importOrder(files: readonly ImportFile[]): ImportedOrder {
  checkArguments('importOrder', ['files', files, fileList]);
  const documents = files.flatMap(readDocuments);
  const found = [
    ...importApplications(documents),
    ...importHelmReleases(documents),
    ...documents.flatMap(importHelmfile),
    ...documents.flatMap(importKustomization),
  ];
  const packages = found.filter(({ chart }) => chart.name !== undefined && chart.releaseName !== undefined);
  const unknown = found.filter((item) => !packages.includes(item) && item.unknown !== undefined);
  if (packages.length === 0) {
    const [first] = unknown;
    const why =
      first === undefined ? '' : ` that can be told: ${first.chart.releaseName ?? 'a release'}: ${first.unknown}`;
    throw new RenderError('ORDER_INVALID', `nothing in it installs a chart${why}`, {
      place: { file: files[0]?.name ?? '' },
      mend:
        first !== undefined
          ? 'Give the file that says it, too, or write the package by hand.'
          : 'Give an Application of Argo CD, a HelmRelease of Flux, a helmfile or a kustomization with helmCharts.',
    });
  }
  return {
    order: {
      apiVersion: ORDER_API_VERSION,
      kind: 'Order',
      metadata: { name: packages[0]?.chart.releaseName ?? '' },
      spec: { packages: packages.map(({ chart }) => ({ chart })) },
    },
    left: [
      ...packages.flatMap(({ chart, left }) => left.map((sentence) => `${chart.releaseName}: ${sentence}`)),
      ...unknown.map(({ chart, unknown: why }) => `${chart.releaseName ?? 'a release'} is left out: ${why}`),
    ],
  };
}

const fileList = listOf(membersOf<ImportFile>({ name: text, text }, ['name', 'text']));

function readDocuments({ name, text: content }: ImportFile): JsonObject[] {
  return splitStream(content).flatMap((document) => {
    try {
      const value = plainValue(parseYaml(document)) as JsonObject | null;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      return textAt(value, 'kind') === 'List' ? objectsIn(listAt(value, 'items')) : [value];
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      const line = content.slice(0, content.indexOf(document)).split('\n').length - 1;
      const at = error.place.line === undefined ? {} : { ...error.place, line: line + error.place.line };
      throw new RenderError('ORDER_INVALID', error.message, {
        place: { file: name, ...at },
        cause: error,
        mend: content.includes('{{')
          ? 'Fill in the template first; of a helmfile: helmfile build > filled.yaml'
          : 'Mend the YAML.',
      });
    }
  });
}
