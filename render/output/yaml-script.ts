// Step 6: an Order as a script that installs it with kubectl, in Helm's phases: CRDs, namespace, hooks before, resources
// in install order, hooks after, waits.

import type { OrderPlan } from '../plan.ts';
import { fillTemplate } from './fill.ts';
import { type ScriptFlag, type ScriptOptions, scriptName, uninstallFlags } from './script.ts';
import { viewYamlOrder, type YamlScriptView } from './yaml-views.ts';

/**
 * Gives the script that installs or uninstalls an Order with kubectl.
 * Throws MANIFEST_INVALID where a CRD file is not YAML.
 */
export function formatYamlScript(plan: OrderPlan, options: ScriptOptions = {}): string {
  const name = scriptName('yaml', options);
  return fillTemplate(name, viewYamlScript(plan, options), options.templates?.[name]);
}

/** Gives the view model of the kubectl scripts. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function viewYamlScript(plan: OrderPlan, options: ScriptOptions): YamlScriptView {
  const view = viewYamlOrder(plan, options);
  if (options.action === 'uninstall') return { ...view, flags: uninstallFlags, hasHooks: false };
  return { ...view, flags: installFlags };
}

const installFlags: readonly ScriptFlag[] = [
  { flag: '--skip-crds', variable: 'skip_crds' },
  { flag: '--skip-hooks', variable: 'skip_hooks' },
  { flag: '--force-conflicts', variable: 'force_conflicts' },
];
