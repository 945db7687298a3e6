// The whole walk of an Order: unknown JSON in, and each of its forms out.

import type { Issue } from './errors.ts';
import type { Order } from './order/order.ts';
import { validateOrder } from './order/validate.ts';
import { checkOrder, issueOf } from './output/checks.ts';
import { formatHelmScript } from './output/helm-script.ts';
import { formatManifest, type ManifestOptions } from './output/manifest.ts';
import { listResources, type ResourceList, type ResourceOptions } from './output/resources.ts';
import type { ScriptOptions, ScriptOs, ScriptTemplates } from './output/script.ts';
import { formatScriptFolder } from './output/script-folder.ts';
import type { ViewOptions } from './output/views.ts';
import { formatYamlScript } from './output/yaml-script.ts';
import { type PlanOptions, planOrder, type RenderedPackage, tryOrder } from './plan.ts';

/** Says how to render an Order. */
export interface RenderOrderOptions extends PlanOptions, ViewOptions {
  /** The caller's own script templates, compiled, by the name of the script they replace. */
  readonly scriptTemplates?: ScriptTemplates | undefined;
}

/** Is a rendered Order: its packages as data, and a function for each form it can take. */
export interface RenderedOrder {
  readonly order: Order;
  /** In install order. */
  readonly packages: readonly RenderedPackage[];
  /** The Kubernetes version everything was rendered for, such as `v1.32.0`. */
  readonly kubeVersion: string;
  /** What stands out without stopping anything, of the document and of what it renders to. */
  readonly warnings: readonly Issue[];
  /** Gives everything as one YAML text. */
  manifest(options?: ManifestOptions): string;
  /** Gives a list of resources for each package. */
  resources(options?: ResourceOptions): ResourceList[];
  /** Gives the script that installs (or uninstalls) with Helm. Default for `linux`. */
  helmScript(os?: ScriptOs, options?: ScriptOptions): string;
  /** Gives the script that installs (or uninstalls) with kubectl. Default for `linux`. */
  yamlScript(os?: ScriptOs, options?: ScriptOptions): string;
  /** Gives scripts, values, manifests and checksums as the files of one folder. */
  scriptFolder(tool: 'helm' | 'yaml', options?: ScriptOptions): ReadonlyMap<string, string>;
}

/**
 * Renders an Order. Throws ORDER_INVALID with every issue of the document, else PackageError with the first failure.
 * `input` is JSON; `readOrder` gives it for a text.
 */
export async function renderOrder(input: unknown, options: RenderOrderOptions): Promise<RenderedOrder> {
  const { order, warnings } = validateOrder(input);
  const plan = await planOrder(order, options);
  const { scriptTemplates: templates, chartPath, context } = options;
  const own: ScriptOptions = { templates, chartPath, context };
  let issues: readonly Issue[] | undefined;
  return {
    ...plan,
    // Looked for when they are asked for: the checks read every object.
    get warnings() {
      issues ??= [...warnings, ...checkOrder(plan)];
      return issues;
    },
    manifest: (chosen) => formatManifest(plan, chosen),
    resources: (chosen) => listResources(plan, chosen),
    helmScript: (os = 'linux', chosen = {}) => formatHelmScript(plan, { ...own, os, ...chosen }),
    yamlScript: (os = 'linux', chosen = {}) => formatYamlScript(plan, { ...own, os, ...chosen }),
    scriptFolder: (tool, chosen = {}) => formatScriptFolder(plan, tool, { ...own, ...chosen }),
  };
}

/**
 * Gives every issue of an Order: of the document, of each package that does not render, and of what renders.
 * Throws ORDER_INVALID with the document's issues where they are so grave that nothing can be rendered.
 */
export async function inspectOrder(input: unknown, options: PlanOptions): Promise<readonly Issue[]> {
  const { order, warnings } = validateOrder(input);
  const { plan, failures } = await tryOrder(order, options);
  return [...warnings, ...failures.map(issueOf), ...checkOrder(plan)];
}
