// Builds one searchable site from the pages: `npm run docs [-- --out DIR] [--preview]`. Fails on broken links.

import { existsSync } from 'node:fs';
import { access, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { execa } from 'execa';
import manifest from '../../package.json' with { type: 'json' };
import { entryPoints } from '../build/entry-points.ts';
import { buildProduct } from '../dev/tools/product.ts';
import { installTools } from '../dev/tools/tools.ts';
import { outline } from './outline.ts';
import { type Page, proseOf, readPages, root } from './pages.ts';

// The tools of the site, installed when it is built and not with `npm ci`. typedoc needs an older TypeScript than ours.
const generator = [
  ...['vitepress@1.6.4', 'vitepress-plugin-mermaid@2.0.17', 'mermaid@11.12.1'],
  ...['typedoc@0.28.20', 'typedoc-plugin-markdown@4.14.1', 'typescript@5.9.3'],
];
const { folder: site, bin } = await installTools('site', generator);
const pagesFolder = join(site, 'pages');
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** The layout of the API pages: one page per entry point, options as tables. */
const typedoc = {
  plugin: ['typedoc-plugin-markdown'],
  outputFileStrategy: 'modules',
  skipErrorChecking: true,
  disableSources: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  readme: 'none',
  logLevel: 'Error',
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
};

const pages = await readPages();
const errors = [...brokenLinks(pages), ...outlineErrors(pages)];
if (errors.length > 0) {
  for (const error of errors) console.error(error);
  process.exit(1);
}
await rm(pagesFolder, { recursive: true, force: true });
await writePages(pages);
const api = await writeApiPages();
await writeConfig(pages, api);
await run('vitepress', 'build', site);
for (const { path } of pages) await access(join(site, 'out', pathOnSite(path).replace(/md$/, 'html')));
const flag = process.argv.indexOf('--out');
const out = flag === -1 ? join(site, 'out') : resolve(process.argv[flag + 1] ?? 'site');
if (flag !== -1) await cp(join(site, 'out'), out, { recursive: true });
console.log(`site: ${join(out, 'index.html')}`);
if (process.argv.includes('--preview')) await run('vitepress', 'preview', site);

/** Returns an error for every page that the outline lacks, and for every outline entry that does not exist. */
function outlineErrors(all: readonly Page[]): string[] {
  const listed = new Set(outline.flatMap((part) => part.pages));
  const existing = new Set(all.map(({ path }) => path));
  return [
    ...[...existing].filter((path) => !listed.has(path)).map((path) => `${path}: missing from scripts/docs/outline.ts`),
    ...[...listed]
      .filter((path) => !existing.has(path))
      .map((path) => `${path}: listed in scripts/docs/outline.ts, but does not exist`),
  ];
}

/** Copies the pages without markup that only the checks need. Links to other files point to the repository. */
async function writePages(all: readonly Page[]): Promise<void> {
  const known = new Set(all.map(({ path }) => path));
  for (const { path, text } of all) {
    const target = join(pagesFolder, pathOnSite(path));
    await mkdir(dirname(target), { recursive: true });
    const shown = text
      .replace(/<!-- setup\n[\s\S]*?-->\n?/g, '')
      .replace(/^( *`{3,}\w+) .*$/gm, '$1')
      // Vite treats a bare path in HTML as a package.
      .replace(/ src="(?!\w+:|[./])/g, ' src="./')
      .replace(/(\]\()([^)\s#]+)((?:#[^)]*)?\))/g, (whole, open, link, rest) => {
        if (/^\w+:/.test(link)) return whole;
        const file = posix.join(posix.dirname(path), link);
        if (known.has(file)) return `${open}/${pathOnSite(file).replace(/(index)?\.md$/, '')}${rest}`;
        return /\.(svg|png)$/.test(file) ? whole : `${open}${repository}/blob/main/${file}${rest}`;
      });
    await writeFile(target, shown);
    for (const match of text.matchAll(/\]\(([^)\s]+\.(?:svg|png))\)|src="([^"]+\.(?:svg|png))"/g)) {
      const picture = posix.join(posix.dirname(path), match[1] ?? match[2] ?? '');
      await cp(join(root, picture), join(pagesFolder, picture));
    }
  }
}

function pathOnSite(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Creates the API pages from the declarations, one per entry point; returns their names. */
async function writeApiPages(): Promise<string[]> {
  await buildProduct();
  const folder = join(pagesFolder, 'api');
  const declarations = entryPoints.map((entry) => join(root, `dist/${entry.name}.d.ts`));
  const names = entryPoints.map(({ subpath }) => `${manifest.name}${subpath.slice(1)}`);
  const compilerOptions = {
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  await writeFile(join(site, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: declarations }));
  for (const [i, name] of names.entries()) {
    const options = {
      ...typedoc,
      tsconfig: join(site, 'tsconfig.json'),
      entryPoints: [declarations[i]],
      entryFileName: `${fileOf(name)}.md`,
      out: join(folder, fileOf(name)),
    };
    await writeFile(join(site, 'typedoc.json'), JSON.stringify(options));
    await run('typedoc', '--options', join(site, 'typedoc.json'));
    const text = await readFile(join(folder, fileOf(name), `${fileOf(name)}.md`), 'utf8');
    await rm(join(folder, fileOf(name)), { recursive: true });
    await writeFile(join(folder, `${fileOf(name)}.md`), text.replace(/^# .*$/m, `# ${name}`));
  }
  return names.map((name) => `${fileOf(name)}.md`);
}

function fileOf(entry: string): string {
  return entry.replaceAll('/', '-');
}

/** Writes the VitePress configuration with the sidebar from the outline. */
async function writeConfig(all: readonly Page[], api: readonly string[]): Promise<void> {
  const titles = new Map(all.map((page) => [page.path, titleOf(page.text)]));
  const item = (path: string) => ({
    text: titles.get(path) ?? path,
    link: `/${pathOnSite(path).replace(/(index)?\.md$/, '')}`,
  });
  const sidebar = outline.map(({ title, pages: paths }) => ({ text: title, collapsed: false, items: paths.map(item) }));
  const items = await Promise.all(
    api.map(async (name) => ({
      text: titleOf(await readFile(join(pagesFolder, 'api', name), 'utf8')),
      link: `/api/${name.replace(/\.md$/, '')}`,
    })),
  );
  sidebar.splice(-2, 0, { text: 'API reference', collapsed: true, items });
  await mkdir(join(site, '.vitepress'), { recursive: true });
  await writeFile(join(site, '.vitepress', 'sidebar.json'), JSON.stringify({ sidebar, repository: repository }));
  await cp(join(import.meta.dirname, 'config.mjs'), join(site, '.vitepress', 'config.mjs'));
}

function titleOf(text: string): string {
  return (/^#+ (.*)$/m.exec(text)?.[1] ?? '').replace(/[`\\]/g, '');
}

async function run(command: string, ...argv: readonly string[]): Promise<void> {
  // Without CI, VitePress redraws its progress in the log.
  await execa(bin(command), argv, { cwd: site, stdio: 'inherit', env: { CI: 'true' } });
}

// Checks that linked files and headings exist. Web addresses are not requested.

/** Returns an error for every broken link. */
function brokenLinks(pages: readonly Page[]): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  const broken: string[] = [];
  for (const page of pages) {
    for (const { target, line } of linksOf(page)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(path));
      const where = `${page.path}:${line}: ${target}`;
      if (!existsSync(join(root, file))) broken.push(`${where}: ${file} does not exist`);
      else if (anchor !== undefined && anchors.get(file)?.has(anchor) !== true)
        broken.push(`${where}: ${file} has no heading #${anchor}`);
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
function anchorsOf(page: Page): Set<string> {
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
function headingId(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
