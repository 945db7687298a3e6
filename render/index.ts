// The front door: charts and Orders in, texts out. Runs in Node and in browsers.

import type { Chart } from './chart/chart.ts';
import type { Host } from './host.ts';
import { formatTemplate, type TemplateView } from './output/template.ts';
import { renderRelease } from './release.ts';
import { createCapabilities } from './values/capabilities.ts';
import { mergeUserValues } from './values/user.ts';

/** Says how `template` renders a chart. Every option but the names is a flag of `helm template`. */
export interface TemplateOptions extends TemplateView {
  /** Default `release-name`. */
  readonly releaseName?: string;
  /** Default `default`. */
  readonly namespace?: string;
  /** YAML texts, the later over the earlier; with a name, errors call the file by it. */
  readonly valuesFiles?: readonly (string | { readonly name: string; readonly text: string })[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setJson?: readonly string[];
  readonly setLiteral?: readonly string[];
  readonly setFile?: readonly string[];
  /** Reads the files of `setFile`. */
  readonly readFile?: (path: string) => string;
  /** Default 1.32. */
  readonly kubeVersion?: string;
  /** Added to the API versions that Helm knows. */
  readonly apiVersions?: readonly string[];
  readonly isUpgrade?: boolean;
  readonly skipSchemaValidation?: boolean;
  /** Default: the real clock and real random bytes. */
  readonly host?: Host;
  /** Hears of each line that Helm would print on standard error. */
  readonly onWarning?: (line: string) => void;
}

/** Gives exactly what `helm template` prints for a chart. Throws RenderError: any code but ORDER_INVALID. */
export function template(chart: Chart, options: TemplateOptions = {}): string {
  const capabilities = createCapabilities(options);
  const valuesFiles = (options.valuesFiles ?? []).map((file, i) =>
    typeof file === 'string' ? { name: `valuesFiles[${i}]`, text: file } : file,
  );
  const values = mergeUserValues({ ...options, valuesFiles });
  const release = renderRelease(chart, { ...options, name: options.releaseName, values, capabilities });
  return formatTemplate(release, options);
}

export type { Chart } from './chart/chart.ts';
export { loadArchive, loadChart } from './chart/load.ts';
export { type ChartRef, chainRegistries, memoryRegistry, type Registry } from './chart/registry.ts';
export { type Issue, type Place, RenderError, type RenderErrorCode } from './errors.ts';
export { type Host, realHost, type SeededHostOptions, seededHost } from './host.ts';
export {
  type ChartSelection,
  type JsonObject,
  type JsonValue,
  ORDER_API_VERSION,
  type Order,
  type PackageSelection,
} from './order/order.ts';
export { formatIssue, type OrderText, readOrder } from './order/read.ts';
export { type ValidatedOrder, validateOrder } from './order/validate.ts';
export type { ScriptName, ScriptTemplate } from './output/fill.ts';
export type { Resource, ResourceFormat, ResourceList } from './output/resources.ts';
export type { ScriptAction, ScriptOptions, ScriptOs, ScriptTemplates } from './output/script.ts';
export { PackageError, type RenderedPackage } from './plan.ts';
export { inspectOrder, type RenderedOrder, type RenderOrderOptions, renderOrder } from './rendered-order.ts';
