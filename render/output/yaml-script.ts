// Step 6: an Order as a script that installs it with kubectl, in Helm's phases: CRDs, namespace, hooks before, resources
// in install order, hooks after, waits.

import type { OrderPlan } from '../plan.ts';
import { fillTemplate } from './fill.ts';
import { uninstallFlags } from './helm-script.ts';
import { type ScriptOptions, scriptName } from './script.ts';
import { viewYamlOrder } from './yaml-views.ts';

/** Are the options that the install script has beside the common ones. */
export const yamlFlags: readonly { readonly flag: string; readonly variable: string }[] = [
  { flag: '--skip-crds', variable: 'skip_crds' },
  { flag: '--skip-hooks', variable: 'skip_hooks' },
  { flag: '--force-conflicts', variable: 'force_conflicts' },
];

/**
 * Gives the script that installs or uninstalls an Order with kubectl.
 * Throws MANIFEST_INVALID where a CRD file is not YAML.
 */
export function formatYamlScript(plan: OrderPlan, options: ScriptOptions = {}): string {
  const name = scriptName('yaml', options);
  const flags = options.action === 'uninstall' ? uninstallFlags : yamlFlags;
  return fillTemplate(name, { ...viewYamlOrder(plan, options), flags }, options.templates?.[name]);
}
