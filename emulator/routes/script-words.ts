// The platform's names for tools in URLs.

import type { OrderScript } from '../rendering/renderer.ts';

const words: ReadonlyMap<string, OrderScript> = new Map([
  ['pkgmgr3', 'helm'],
  ['yaml', 'kubectl'],
]);

/** Returns the tool for a URL segment, or undefined. */
export function toolOf(word: string): OrderScript | undefined {
  return words.get(word);
}

/** Returns the URL segment for a tool. */
export function toolName(tool: OrderScript): string {
  return tool === 'helm' ? 'pkgmgr3' : 'yaml';
}
