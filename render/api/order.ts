// Renders an Order: validates the document, renders its packages (packages.ts), and formats each output.

import {
  callback,
  checkArguments,
  flag,
  having,
  kind,
  membersOf,
  type OptionChecks,
  oneOf,
  optionsOf,
  text,
} from '../core/arguments.ts';
import type { Issue } from '../core/errors.ts';
import {
  type OrderOptions,
  orderChecks,
  type RenderedPackages,
  renderPackages,
  tryPackages,
} from '../engine/packages.ts';
import { type Engine, type ExportedOrder, type ExportOptions, exportOrder } from '../gitops/export.ts';
import type { Order } from '../order/document.ts';
import { validateOrder } from '../order/validate.ts';
import { formatManifest, formatNotes, type ManifestOptions } from '../output/manifest.ts';
import { listResources, type ResourceList, type ResourceOptions } from '../output/resources.ts';
import type { TracedObjects } from '../provenance/trace/explanation.ts';
import { orderObjects } from '../provenance/trace/objects.ts';
import { formatScript, formatScriptFolder } from '../scripts/print.ts';
import {
  type ModelOptions,
  type ScriptName,
  type ScriptOptions,
  type ScriptOs,
  type ScriptTemplate,
  type ScriptTemplates,
  scriptSystems,
} from '../scripts/script.ts';
import type { SecretSource } from '../scripts/secrets.ts';
import { checkOrder, issueOf } from '../validation/checks/checks.ts';
import { checkRandom } from '../validation/checks/random.ts';
import { checkUnread } from '../validation/checks/unread.ts';

/** Options for rendering an Order and formatting its outputs. */
export interface RenderOrderOptions extends OrderOptions, ModelOptions {
  /** Compiled script templates by the name of the built-in template that they replace, such as `helm.sh`. */
  readonly scriptTemplates?: ScriptTemplates | undefined;
  /** Whether the packages record the origin of each line, for `traces` and `explain`. Default false. */
  readonly trace?: boolean | undefined;
  /** Whether the packages record which values templates read, for `issues`. Default false. */
  readonly watch?: boolean | undefined;
}

/** A rendered Order: its packages as data, and a function for each output. Each function throws ARGUMENT_INVALID. */
export interface RenderedOrder extends RenderedPackages {
  /** Errors and warnings of the document and the rendering; they do not prevent any output. */
  readonly warnings: readonly Issue[];
  /** Whether any package contains a Secret: then only the owner should be able to read written outputs. */
  readonly hasSecrets: boolean;
  /** The issues that `inspectOrder` finds, without rendering again, if requested with `watch: true`. */
  readonly issues: readonly Issue[] | undefined;
  /** The documents of each package with the origin of each line, if requested with `trace: true`. */
  readonly traces: readonly TracedObjects[] | undefined;
  /** Returns the whole Order as one YAML text. */
  manifest(options?: ManifestOptions): string;
  /** Returns a list of resources for each package. Throws MANIFEST_INVALID if a CRD file is not YAML. */
  resources(options?: ResourceOptions): ResourceList[];
  /** Returns the script that installs, upgrades and uninstalls with Helm. Default: for `linux`. */
  helmScript(os?: ScriptOs, options?: ScriptOptions): string;
  /** Returns the script that installs, compares and uninstalls with kubectl. Default: for `linux`. */
  yamlScript(os?: ScriptOs, options?: ScriptOptions): string;
  /** Returns the rendered NOTES.txt of the charts, each under a heading; empty if there are none. */
  notes(): string;
  /**
   * Exports the Order for another tool: Applications of Argo CD, HelmReleases of Flux, a helmfile, a kustomization. Throws ORDER_INVALID
   * for charts that the tool cannot reach.
   */
  exportTo(engine: Engine, options?: ExportOptions): ExportedOrder;
  /** Returns the scripts with their values or manifests and checksums as files. */
  scriptFolder(tool: 'helm' | 'yaml', options?: ScriptOptions): ReadonlyMap<string, string>;
}

const compiled = having<ScriptTemplate>('a compiled template, as returned by compileScriptTemplate', {
  compiler: kind('the version of a compiler', (value) => Array.isArray(value) && typeof value[0] === 'number'),
  main: callback,
});
const systems = oneOf(scriptSystems);
const scriptTemplates = optionsOf<Record<ScriptName, ScriptTemplate>>({
  'helm.sh': compiled,
  'helm.ps1': compiled,
  'kubectl.sh': compiled,
  'kubectl.ps1': compiled,
});
const modelChecks: OptionChecks<ModelOptions> = {
  context: kind('a string without a NUL character', (value) => typeof value === 'string' && !value.includes('\0')),
  chartPath: callback,
  secrets: oneOf(['keep', 'env'] satisfies readonly SecretSource[]),
};

const inspectOptions = membersOf<OrderOptions>(orderChecks, ['registry']);
const renderOptions = membersOf<RenderOrderOptions>(
  { ...orderChecks, ...modelChecks, scriptTemplates, trace: flag, watch: flag },
  ['registry'],
);
const manifestOptions = optionsOf<ManifestOptions>({ skipCRDs: flag });
const engines = oneOf(['argocd', 'flux', 'helmfile', 'kustomize'] satisfies readonly Engine[]);
const exportOptions = optionsOf<ExportOptions>({ repoUrl: text, revision: text, folder: text });
const resourceOptions = optionsOf<ResourceOptions>({ skipCRDs: flag, format: oneOf(['yaml', 'json']) });
const scriptOptions = optionsOf<ScriptOptions>({
  ...modelChecks,
  os: systems,
  templates: scriptTemplates,
});

/**
 * Renders an Order: a document of type `Order`, a result of `readOrder`, or the `order` of `validateOrder`. Rejects with ORDER_INVALID and
 * all issues of the document, or with a PackageError for the first package that fails; with ARGUMENT_INVALID for invalid options.
 * @example
 * const order: Order = {
 *   spec: {
 *     packages: [
 *       {
 *         chart: {
 *           name: 'web',
 *           sourceRef: { kind: 'Local', name: 'charts/web' },
 *           releaseName: 'shop',
 *           namespace: 'shop',
 *           values: { replicaCount: 2 },
 *         },
 *       },
 *     ],
 *   },
 * };
 * const rendered = await renderOrder(order, { registry: directoryRegistry(['.']) });
 * console.log(rendered.manifest());
 */
export function renderOrder(order: Order, options: RenderOrderOptions): Promise<RenderedOrder>;
export function renderOrder(order: unknown, options: RenderOrderOptions): Promise<RenderedOrder>;
export async function renderOrder(input: unknown, options: RenderOrderOptions): Promise<RenderedOrder> {
  checkArguments('renderOrder', ['options', options, renderOptions]);
  const { order, warnings } = validateOrder(input);
  const rendered = await renderPackages(order, options, {
    isTraced: options.trace === true,
    isWatched: options.watch === true,
  });
  const { scriptTemplates: templates, chartPath, context, secrets } = options;
  return formsOf(rendered, warnings, { templates, chartPath, context, secrets });
}

function formsOf(rendered: RenderedPackages, warnings: readonly Issue[], own: ScriptOptions): RenderedOrder {
  let issues: readonly Issue[] | undefined;
  let every: readonly Issue[] | undefined;
  let traces: readonly TracedObjects[] | undefined;
  const script = (call: string, os: unknown, chosen: unknown): void =>
    checkArguments(call, ['os', os, systems], ['options', chosen, scriptOptions]);
  return {
    ...rendered,
    // Computed lazily, because the checks read every object.
    get warnings() {
      issues ??= [...warnings, ...checkOrder(rendered).filter(({ severity }) => severity !== 'note')];
      return issues;
    },
    get issues() {
      if (rendered.packages.some(({ isWatched, isVast }) => !isWatched && !isVast)) return undefined;
      every ??= [...warnings, ...everyIssue(rendered)];
      return every;
    },
    get hasSecrets() {
      return rendered.packages.some(({ release }) =>
        [...release.manifests, ...release.hooks].some(({ kind }) => kind === 'Secret' || kind.endsWith('List')),
      );
    },
    get traces() {
      if (rendered.packages.every(({ trace }) => trace === undefined)) return undefined;
      traces ??= orderObjects(rendered.packages);
      return traces;
    },
    manifest: (chosen = {}) => {
      checkArguments('manifest', ['options', chosen, manifestOptions]);
      return formatManifest(rendered, chosen);
    },
    resources: (chosen = {}) => {
      checkArguments('resources', ['options', chosen, resourceOptions]);
      return listResources(rendered, chosen);
    },
    helmScript: (os = 'linux', chosen = {}) => {
      script('helmScript', os, chosen);
      return formatScript(rendered, 'helm', { ...own, os, ...chosen });
    },
    yamlScript: (os = 'linux', chosen = {}) => {
      script('yamlScript', os, chosen);
      return formatScript(rendered, 'kubectl', { ...own, os, ...chosen });
    },
    notes: () => formatNotes(rendered),
    exportTo: (engine, chosen = {}) => {
      checkArguments('exportTo', ['engine', engine, engines], ['options', chosen, exportOptions]);
      return exportOrder(rendered, engine, chosen);
    },
    scriptFolder: (tool, chosen = {}) => {
      checkArguments('scriptFolder', ['tool', tool, oneOf(['helm', 'yaml'])], ['options', chosen, scriptOptions]);
      return formatScriptFolder(rendered, tool === 'yaml' ? 'kubectl' : tool, { ...own, ...chosen });
    },
  };
}

/**
 * Returns all issues of an Order: of the document, of packages that fail to render, and of the rendered objects. Rejects with ORDER_INVALID
 * and the document's issues if nothing can be rendered; with ARGUMENT_INVALID for invalid options.
 * @example
 * const { value, placeOf } = readOrder(text, 'order.yaml');
 * for (const issue of await inspectOrder(value, { registry })) console.log(formatIssue(issue, placeOf(issue.path)));
 */
export function inspectOrder(order: Order, options: OrderOptions): Promise<readonly Issue[]>;
export function inspectOrder(order: unknown, options: OrderOptions): Promise<readonly Issue[]>;
export async function inspectOrder(input: unknown, options: OrderOptions): Promise<readonly Issue[]> {
  checkArguments('inspectOrder', ['options', options, inspectOptions]);
  return inspectWith(input, options);
}

/** Returns all issues of an Order, including those that `more` finds in the rendered packages. */
export async function inspectWith(
  input: unknown,
  options: OrderOptions,
  more: (rendered: RenderedPackages) => readonly Issue[] | Promise<readonly Issue[]> = () => [],
): Promise<readonly Issue[]> {
  const { order, warnings } = validateOrder(input);
  const { rendered, failures } = await tryPackages(order, options, { isWatched: true });
  const found = await more(rendered);
  // Schema validation reports the same problems with their lines.
  const isTold = (issue: Issue): boolean =>
    found.some(({ code, path }) => code !== undefined && code === issue.code && path === issue.path);
  return [...warnings, ...failures.map(issueOf), ...everyIssue(rendered, found, isTold)];
}

function everyIssue(
  rendered: RenderedPackages,
  found: readonly Issue[] = [],
  isTold: (issue: Issue) => boolean = () => false,
): readonly Issue[] {
  return [
    ...checkOrder(rendered).filter((issue) => !isTold(issue)),
    ...found,
    ...checkUnread(rendered),
    ...checkRandom(rendered),
  ];
}
