// The platform's words for what a script calls: addresses have them, and nothing within says them.

import type { ScriptTool } from '../rendering/renderer.ts';

const words: ReadonlyMap<string, ScriptTool> = new Map([
  ['pkgmgr3', 'helm'],
  ['yaml', 'kubectl'],
]);

/** Returns the tool that a part of an address names; undefined where it names none. */
export function toolOf(word: string): ScriptTool | undefined {
  return words.get(word);
}

/** Returns a tool's word in addresses. */
export function toolName(tool: ScriptTool): string {
  return tool === 'helm' ? 'pkgmgr3' : 'yaml';
}
