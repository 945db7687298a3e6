// The platform's names for tools in URLs.

import type { ScriptTool } from '../rendering/renderer.ts';

const words: ReadonlyMap<string, ScriptTool> = new Map([
  ['pkgmgr3', 'helm'],
  ['yaml', 'kubectl'],
]);

/** Returns the tool for a URL segment, or undefined. */
export function toolOf(word: string): ScriptTool | undefined {
  return words.get(word);
}

/** Returns the URL segment for a tool. */
export function toolName(tool: ScriptTool): string {
  return tool === 'helm' ? 'pkgmgr3' : 'yaml';
}
