// Step 6: a script for Helm or kubectl as text, printed by us or by a template of the user's own.

import type { RenderedPackages } from '../packages.ts';
import { fillTemplate } from './fill.ts';
import { helmScriptOf, viewHelmOrder } from './helm-script.ts';
import { kubectlScriptOf } from './kubectl-script.ts';
import { type KubectlScriptView, viewKubectlOrder } from './kubectl-views.ts';
import { printPowerShell } from './powershell.ts';
import { dialectOf, type ScriptOptions, type ScriptTool, scriptName } from './script.ts';
import { printShell } from './sh.ts';
import type { ScriptView } from './views.ts';

/** Gives the script that installs or uninstalls an Order with Helm. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function formatHelmScript(rendered: RenderedPackages, options: ScriptOptions = {}): string {
  return formatScript('helm', viewHelmOrder(rendered, options), options);
}

/** Gives the script that installs or uninstalls an Order with kubectl. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function formatKubectlScript(rendered: RenderedPackages, options: ScriptOptions = {}): string {
  return formatScript('kubectl', viewKubectlOrder(rendered, options), options);
}

/** Gives the text of the script that a view stands for. */
export function formatScript(tool: ScriptTool, view: ScriptView, options: ScriptOptions): string {
  const dialect = dialectOf(options.os);
  const template = options.templates?.[scriptName(tool, options)];
  if (template !== undefined) return withMark(fillTemplate(dialect, view, template), options);
  const action = options.action ?? 'install';
  const script = tool === 'helm' ? helmScriptOf(view, action) : kubectlScriptOf(view as KubectlScriptView, action);
  return withMark(dialect === 'sh' ? printShell(script) : printPowerShell(script), options);
}

// Windows PowerShell takes a file for the code page of the machine unless a mark says that it is UTF-8.
function withMark(text: string, { os }: ScriptOptions): string {
  return os === 'windows' && /[^\0-\u007f]/.test(text) ? `\ufeff${text}` : text;
}
