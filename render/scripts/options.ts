// The options of generated scripts, as every dialect offers them.

import type { ScriptOption } from './steps.ts';

function option(
  flag: string,
  value: ScriptOption['value'],
  help: string,
  fallback = value === '' ? 'no' : '',
): ScriptOption {
  return { flag, value, help, fallback };
}

/** What every script takes; `direction` is what follows after --from. */
export function commonOptions(contextDefault: string, direction: string): ScriptOption[] {
  return [
    option('--dry-run', '', 'print every command instead of running it; touches nothing'),
    option('--only', 'NAME', 'work on this package alone: RELEASE or NAMESPACE/RELEASE; may be repeated'),
    option('--from', 'NAME', `begin with this package${direction}`),
    option('--context', 'NAME', `use this context of the kubeconfig instead of ${contextDefault}`),
    option('--timeout', 'SECONDS', 'how long each step may take; default: 600', '600'),
    option('--json', '', 'tell what happens as lines of JSON'),
  ];
}

/** What every install script takes. */
export const installOptions: readonly ScriptOption[] = [
  option('--parallel', 'NUMBER', 'install so many packages at once where none needs another', '1'),
];

/** Where the relative paths of charts begin. */
export const chartsOption = option(
  '--charts',
  'DIR',
  'where the relative paths of charts begin; default: the current folder',
  '.',
);

/** What an install script for Helm takes. */
export const helmOptions: readonly ScriptOption[] = [
  option('--unlock', '', 'forget an operation on a release that was interrupted and still counts as running'),
  option(
    '--upgrade-crds',
    '',
    'apply the definitions of crds/ again: Helm itself installs them once and never upgrades them',
  ),
];

const forceConflicts = option('--force-conflicts', '', 'take over fields that another manager owns');

/** What an install script takes for a Helm that applies on the server. */
export const applyingHelmOptions: readonly ScriptOption[] = [...helmOptions, forceConflicts];

/** What an install script for kubectl takes. */
export const kubectlOptions: readonly ScriptOption[] = [
  option('--diff', '', 'print what would change, and change nothing; ends with 1 where something would'),
  option('--skip-crds', '', 'do not apply the custom resource definitions in crds/ of the charts'),
  option('--skip-hooks', '', 'do not run hooks'),
  forceConflicts,
  option('--no-prune', '', 'leave what an earlier run applied and the order no longer has'),
  option('--prune-packages', '', 'delete packages that the order no longer has without asking'),
  option('--prune-data', '', 'delete claims, definitions and namespaces that the order no longer has without asking'),
];

/** What every uninstall script takes. */
export const uninstallOptions: readonly ScriptOption[] = [
  option('--delete-pvcs', '', 'delete the volume claims of the charts too, and those labelled with the release'),
  option(
    '--delete-crds',
    '',
    'delete the custom resource definitions of the charts too, and with them every such object',
  ),
  option(
    '--delete-namespaces',
    '',
    'delete the namespaces too that the order or a chart made, and with them everything inside',
  ),
];

/** What an uninstall script for kubectl takes. */
export const deleteHookOption = option('--skip-hooks', '', 'do not run the hooks before and after the deletion');
