// Step 6: an Order as a script that installs it with Helm; values travel as one JSON document each.

import type { OrderPlan } from '../plan.ts';
import { fillTemplate } from './fill.ts';
import { type ScriptOptions, scriptName } from './script.ts';
import { viewOrder } from './views.ts';

/** Gives the script that installs or uninstalls an Order with Helm. */
export function formatHelmScript(plan: OrderPlan, options: ScriptOptions = {}): string {
  const name = scriptName('helm', options);
  const view = viewOrder(plan, options);
  // An uninstallation reads no charts.
  const fitting = options.action === 'uninstall' ? { ...view, hasLocalCharts: false, flags: uninstallFlags } : view;
  return fillTemplate(name, fitting, options.templates?.[name]);
}

/** Are the options that an uninstall script has beside the common ones. */
export const uninstallFlags: readonly { readonly flag: string; readonly variable: string }[] = [
  { flag: '--delete-pvcs', variable: 'delete_pvcs' },
  { flag: '--delete-crds', variable: 'delete_crds' },
  { flag: '--delete-namespaces', variable: 'delete_namespaces' },
];
