// The whole walk of an Order: unknown JSON in (step 1), its packages rendered (packages.ts), each of its forms out (step 6).

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
import { type Engine, type ExportedOrder, exportOrder } from '../gitops/export/export.ts';
import type { ExportOptions } from '../gitops/export/package.ts';
import type { Order } from '../order/document.ts';
import { validateOrder } from '../order/validate.ts';
import { formatManifest, type ManifestOptions } from '../output/manifest.ts';
import { formatNotes } from '../output/notes.ts';
import { listResources, type ResourceList, type ResourceOptions } from '../output/resources.ts';
import type { TracedObjects } from '../provenance/trace/explanation.ts';
import { orderObjects } from '../provenance/trace/objects.ts';
import type { ScriptTemplate } from '../scripts/fill.ts';
import { formatScript } from '../scripts/print.ts';
import type { ModelOptions, ScriptName, ScriptOptions, ScriptOs, ScriptTemplates } from '../scripts/script.ts';
import { formatScriptFolder } from '../scripts/script-folder.ts';
import type { SecretSource } from '../scripts/secrets.ts';
import { checkOrder, issueOf } from '../validation/checks/checks.ts';
import { checkRandom } from '../validation/checks/random.ts';
import { checkUnread } from '../validation/checks/unread.ts';

/** The options of rendering an Order and writing it down. */
export interface RenderOrderOptions extends OrderOptions, ModelOptions {
  /** Compiled script templates by the name of the built-in template that they replace, such as `helm.sh`. */
  readonly scriptTemplates?: ScriptTemplates | undefined;
  /** Whether the packages remember where each line comes from, for `traces` and `explain`. Default false. */
  readonly trace?: boolean | undefined;
  /** Whether the packages remember which values templates read, for `issues`. Default false. */
  readonly watch?: boolean | undefined;
}

/** A rendered Order: its packages as data, and a function for each form it can take. Each throws ARGUMENT_INVALID. */
export interface RenderedOrder extends RenderedPackages {
  /** Errors and warnings, of the document and of what it renders to; none of them stops anything. */
  readonly warnings: readonly Issue[];
  /** Whether any package makes a Secret: then what is written of the Order is for its owner alone to read. */
  readonly hasSecrets: boolean;
  /** Every issue that `inspectOrder` finds, without rendering once more for it, if that was requested with `watch: true`. */
  readonly issues: readonly Issue[] | undefined;
  /** The documents of each package and where each of their lines comes from, if that was requested with `trace: true`. */
  readonly traces: readonly TracedObjects[] | undefined;
  /** Returns everything as one YAML text. */
  manifest(options?: ManifestOptions): string;
  /** Returns a list of resources for each package. Throws MANIFEST_INVALID where a CRD file is not YAML. */
  resources(options?: ResourceOptions): ResourceList[];
  /** Returns the script that installs, upgrades and uninstalls with Helm. Default for `linux`. */
  helmScript(os?: ScriptOs, options?: ScriptOptions): string;
  /** Returns the script that installs, compares and uninstalls with kubectl. Default for `linux`. */
  yamlScript(os?: ScriptOs, options?: ScriptOptions): string;
  /** Returns the rendered NOTES.txt of the charts, each under a heading; empty if there are none. */
  notes(): string;
  /**
   * Returns the Order as another engine takes it: Applications of Argo CD, HelmReleases of Flux, a helmfile, a
   * kustomization. Throws ORDER_INVALID for charts that the engine cannot reach.
   */
  exportTo(engine: Engine, options?: ExportOptions): ExportedOrder;
  /** Returns the scripts, values or manifests, and checksums as the files of one folder. */
  scriptFolder(tool: 'helm' | 'yaml', options?: ScriptOptions): ReadonlyMap<string, string>;
}

const compiled = having<ScriptTemplate>('a compiled template, as compileScriptTemplate gives it', {
  compiler: kind('the version of a compiler', (value) => Array.isArray(value) && typeof value[0] === 'number'),
  main: callback,
});
const systems = oneOf(['linux', 'darwin', 'windows'] satisfies readonly ScriptOs[]);
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
 * Renders an Order: a document of type `Order`, a result of `readOrder`, or the `order` of `validateOrder`.
 * Rejects with ORDER_INVALID and every issue of the document, else with a PackageError for the first package that fails;
 * with ARGUMENT_INVALID where the options are at fault.
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
    // Looked for when they are needed: the checks read every object.
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
 * Returns every issue of an Order: of the document, of each package that does not render, and of what renders.
 * Rejects with ORDER_INVALID and the document's issues where they are so grave that nothing can be rendered; with
 * ARGUMENT_INVALID where the options are at fault.
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

/** Returns every issue of an Order, with those that `more` finds in what renders of it. */
export async function inspectWith(
  input: unknown,
  options: OrderOptions,
  more: (rendered: RenderedPackages) => readonly Issue[] | Promise<readonly Issue[]> = () => [],
): Promise<readonly Issue[]> {
  const { order, warnings } = validateOrder(input);
  const { rendered, failures } = await tryPackages(order, options, { isWatched: true });
  const found = await more(rendered);
  // Validation against schemas reports the same problems with their lines.
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
