// Step 6: an Order as a script that installs it with Helm; values travel as one JSON document each.

import type { OrderPlan } from '../plan.ts';
import { fillTemplate } from './fill.ts';
import { type ScriptOptions, scriptName, uninstallFlags } from './script.ts';
import { type ScriptView, viewOrder } from './views.ts';

/** Gives the script that installs or uninstalls an Order with Helm. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function formatHelmScript(plan: OrderPlan, options: ScriptOptions = {}): string {
  const name = scriptName('helm', options);
  return fillTemplate(name, viewHelmOrder(plan, options), options.templates?.[name]);
}

/** Gives the view model of the Helm scripts. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function viewHelmOrder(plan: OrderPlan, options: ScriptOptions): ScriptView {
  const view = viewOrder(plan, options);
  if (options.action !== 'uninstall') return view;
  // An uninstallation reads no charts and waits for nothing but Helm.
  return { ...view, hasLocalCharts: false, needsKubectl: false, flags: uninstallFlags };
}
