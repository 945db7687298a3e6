// Checks that linked files and headings exist. Web addresses are not requested.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Page, proseOf, root } from './pages.ts';

/** Returns an error for every broken link. */
export function brokenLinks(pages: readonly Page[]): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  const broken: string[] = [];
  for (const page of pages) {
    for (const { target, line } of linksOf(page)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(path));
      const where = `${page.path}:${line}: ${target}`;
      if (!existsSync(join(root, file))) broken.push(`${where}: there is no ${file}`);
      else if (anchor !== undefined && anchors.get(file)?.has(anchor) !== true)
        broken.push(`${where}: ${file} has no heading for #${anchor}`);
    }
  }
  return broken;
}

interface Link {
  readonly target: string;
  readonly line: number;
}

/** Returns the links of a page into the repository. */
function linksOf(page: Page): Link[] {
  return proseOf(page).flatMap((text, i) =>
    [...text.replace(/`[^`]*`/g, '``').matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href)="([^"]+)"/g)]
      .map((match) => ({ target: match[1] ?? match[2] ?? '', line: i + 1 }))
      .filter(({ target }) => !/^(https?|mailto):/.test(target)),
  );
}

/** Returns the ids of a page's headings, as GitHub and the site generate them. */
export function anchorsOf(page: Page): Set<string> {
  const ids = new Set<string>();
  for (const text of proseOf(page)) {
    const heading = /^#{1,6} +(.*)$/.exec(text)?.[1];
    if (heading === undefined) continue;
    const id = headingId(heading);
    let unique = id;
    for (let n = 1; ids.has(unique); n++) unique = `${id}-${n}`;
    ids.add(unique);
  }
  return ids;
}

/** Returns the id of a heading: lower case, blanks to hyphens, everything but letters, digits, `_` and `-` removed. */
export function headingId(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
