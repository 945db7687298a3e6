// The pages of the documentation and their code blocks.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** One Markdown file, by its path from the repository's root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A code block, or a comment `<!-- setup … -->` with commands that readers do not see. */
export interface Block {
  readonly page: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language: `file=NAME`, `exit=1`, `server`, `output`, `check`, `unrun=REASON`. */
  readonly words: ReadonlyMap<string, string>;
  readonly lines: readonly string[];
}

const folders = [
  '.',
  'render/docs',
  'emulator/docs',
  'scripts/docs',
  'test',
  'fixtures',
  'fixtures/vectors',
  'fixtures/examples',
];

/** Returns every page, sorted by path. */
export async function readPages(): Promise<Page[]> {
  const paths = new Set<string>();
  for (const folder of folders) {
    const recursive = folder.endsWith('docs') || folder.endsWith('examples');
    const names = await readdir(join(root, folder), { recursive }).catch(() => []);
    for (const name of names) {
      if (name.endsWith('.md') && !name.includes('node_modules')) paths.add(posix.join(folder, name));
    }
  }
  return Promise.all([...paths].sort().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}

/** Returns the blocks of a page in order, without generated ones. Throws if a fence is not closed or has no language. */
export function blocksOf(page: Page, forProse = false): Block[] {
  const blocks: Block[] = [];
  const lines = page.text.split('\n');
  let isMade = false;
  for (let at = 0; at < lines.length; at++) {
    if (/^<!-- (made: .*|end) -->$/.test(lines[at] ?? '')) isMade = lines[at] !== '<!-- end -->';
    const opening = /^( *)(`{3,}|<!-- (?=setup\b))(.*)$/.exec(lines[at] ?? '');
    if (opening === null) continue;
    const [, indent = '', mark = '', info = ''] = opening;
    const closing = mark.startsWith('<') ? '-->' : mark;
    const end = lines.findIndex((line, i) => i > at && line.trim() === closing);
    const where = `${page.path}:${at + 1}`;
    if (end === -1) throw new Error(`${where}: the code block is not closed`);
    const [language = '', ...words] = info.trim().split(/\s+/);
    if (language === '') throw new Error(`${where}: the code block has no language`);
    if (!isMade || forProse)
      blocks.push({
        page: page.path,
        line: at + 1,
        language,
        words: new Map(words.map((word) => [word.split('=')[0] ?? '', word.split('=').slice(1).join('=')])),
        lines: lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
      });
    at = end;
  }
  return blocks;
}

/** Returns the prose of a page: its lines without code blocks and comments. */
export function proseOf(page: Page): string[] {
  const lines = page.text.split('\n');
  for (const { line, lines: inside } of blocksOf(page, true)) lines.fill('', line - 1, line + inside.length + 1);
  return lines;
}
