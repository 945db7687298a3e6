// Install scripts as text: the data model of an Order in a template.

import type { RenderedPackages } from '../engine/packages.ts';
import { buildModel } from './build-model.ts';
import { fillTemplate } from './fill.ts';
import type { ScriptModel } from './model.ts';
import { dialectOf, type ScriptOptions, type ScriptTool, scriptName } from './script.ts';
import { builtInTemplates } from './templates.generated.ts';

/** Returns the script that installs an Order with a tool. Throws MANIFEST_INVALID if a CRD file is not valid YAML. */
export function formatScript(rendered: RenderedPackages, tool: ScriptTool, options: ScriptOptions = {}): string {
  return printScript(buildModel(rendered, tool, options), tool, options);
}

/** Returns a model as the text of a script. */
export function printScript(model: ScriptModel, tool: ScriptTool, options: ScriptOptions): string {
  const name = scriptName(tool, options);
  const text = fillTemplate(dialectOf(options.os), model, options.templates?.[name] ?? builtInTemplates[name]);
  // Windows PowerShell reads a file in the code page of the machine unless a mark says that it is UTF-8.
  return options.os === 'windows' && /[^\0-\u007f]/.test(text) ? `\ufeff${text}` : text;
}
