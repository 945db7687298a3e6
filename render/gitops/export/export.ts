// Exports an Order for a tool that installs by itself: Argo CD, Flux, helmfile, kustomize.

import { isNested } from '../../core/arguments.ts';
import { RenderError } from '../../core/errors.ts';
import type { RenderedPackage, RenderedPackages } from '../../engine/packages.ts';
import type { GoMap } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { orderInvalid } from '../../order/validate.ts';
import { formatObject } from '../../output/documents.ts';
import { valueOfJson } from '../../values/patch.ts';
import { argocdDocuments } from './argocd.ts';
import { fluxDocuments } from './flux.ts';
import { helmfileDocuments } from './helmfile.ts';
import { kustomizeDocuments, leftByKustomize } from './kustomize.ts';
import { type ExportedPackage, type ExportOptions, readPackages } from './package.ts';

/** The tools that an Order can be exported for. */
export type Engine = 'argocd' | 'flux' | 'helmfile' | 'kustomize';

/** An exported Order. */
export interface ExportedOrder {
  /** The file name that the tool looks for, or a descriptive one. */
  readonly fileName: string;
  /** One or more YAML documents. */
  readonly text: string;
  /** What the format cannot represent, one sentence each. */
  readonly left: readonly string[];
  /** One line, such as `3 packages: 2 exported, 1 exported with notes`. */
  readonly summary: string;
}

interface Form {
  readonly fileName: string;
  readonly documents: (
    packages: readonly ExportedPackage[],
    rendered: RenderedPackages,
    options: ExportOptions,
  ) => JsonObject[];
  /** Whether it supports a values file of the chart in addition to values. */
  readonly hasValuesFiles: boolean;
  /** What it does instead of the waits of an Order. */
  readonly waits: string;
  /** What else is lost. */
  readonly left?: (rendered: RenderedPackages) => string[];
}

const forms: Readonly<Record<Engine, Form>> = {
  argocd: {
    fileName: 'applications.yaml',
    documents: argocdDocuments,
    hasValuesFiles: true,
    waits: 'Argo CD goes on when an Application is healthy',
  },
  flux: {
    fileName: 'releases.yaml',
    documents: fluxDocuments,
    hasValuesFiles: true,
    waits: 'Flux goes on when a release is ready',
  },
  helmfile: {
    fileName: 'helmfile.yaml',
    documents: helmfileDocuments,
    hasValuesFiles: false,
    waits: "helmfile goes on when Helm's own wait ends",
  },
  kustomize: {
    fileName: 'kustomization.yaml',
    documents: kustomizeDocuments,
    hasValuesFiles: false,
    waits: 'kustomize has no order and no waits',
    left: leftByKustomize,
  },
};

/**
 * Exports an Order for a tool. Values are exported as in the Order; if a patch, or a values file that the format does not support,
 * overrides them, the result is exported. Throws ORDER_INVALID for each chart that the tool cannot reach, such as a path without its
 * repository.
 */
export function exportOrder(rendered: RenderedPackages, engine: Engine, options: ExportOptions = {}): ExportedOrder {
  const form = forms[engine];
  const packages = readPackages(rendered, { hasValuesFiles: form.hasValuesFiles });
  const documents = orInvalid(() => form.documents(packages, rendered, options));
  const text = documents
    .map((document) => formatObject(valueOfJson(withoutAbsent(document) as JsonObject) as GoMap))
    .join('---\n');
  const left = [...(form.left?.(rendered) ?? []), ...rendered.packages.flatMap((item) => leftOut(item, form))];
  return {
    ...(engine === 'helmfile' ? asHelmfile(text) : { fileName: form.fileName, text }),
    left,
    summary: summaryOf(rendered, left),
  };
}

function summaryOf({ packages }: RenderedPackages, left: readonly string[]): string {
  const noted = packages.filter(({ selection }) => left.some((sentence) => sentence.startsWith(`${selection.path}:`)));
  const count = `${packages.length} ${packages.length === 1 ? 'package' : 'packages'}`;
  return `${count}: ${packages.length - noted.length} exported, ${noted.length} exported with notes`;
}

// helmfile before 1.0 renders every file as a template, and 1.0 those with this ending: braces in values are escaped for both.
function asHelmfile(text: string): Pick<ExportedOrder, 'fileName' | 'text'> {
  if (!text.includes('{{')) return { fileName: 'helmfile.yaml', text };
  return { fileName: 'helmfile.yaml.gotmpl', text: text.replaceAll('{{', '{{`{{`}}') };
}

function orInvalid<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RenderError) || error.issues.length === 0) throw error;
    throw orderInvalid(error.issues);
  }
}

function leftOut({ selection }: RenderedPackage, form: Form): string[] {
  const { path, chart } = selection;
  return [
    ...(chart.waitFors.length === 0 ? [] : [`${path}: its waits are left out: ${form.waits}`]),
    ...(chart.valuesPatch.length === 0 ? [] : [`${path}: the result of valuesPatch is part of the values`]),
    ...(chart.valuesFile === '' || form.hasValuesFiles
      ? []
      : [`${path}: the content of valuesFile is part of the values`]),
  ];
}

function withoutAbsent(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return Array.from(value, withoutAbsent);
  if (!isNested<JsonValue>(value)) return value ?? null;
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(present.map(([key, item]) => [key, withoutAbsent(item)]));
}
