// Tests the code blocks of the pages. `npm run docs -- blocks [WORD…]` for pages whose path contains a word.
// Commands run with the packed package, and their output is compared; TypeScript is checked and run; JSON and YAML are parsed.
// `--update` writes the output of the commands into the pages. `unrun=REASON` after a block's language skips it.

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { parseAllDocuments } from 'yaml';
import { installProject, packProduct } from '../dev/tools/product.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { type Block, blocksOf, type Page, readPages, root } from './pages.ts';
import { openSession, type Session } from './session.ts';

/** Packages that pages may import beside the product, in the versions of the examples. */
const companions = [
  'msw@2.15.0',
  'vitest@3.2.4',
  '@playwright/test@1.65.1',
  '@types/node@20',
  'tsx@4.23.15',
  'openapi-fetch@0.17',
];

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const update = process.argv.includes('--update');

/** The state of checking one page. */
interface PageCheck {
  readonly folder: string;
  readonly session: Session;
  readonly errors: string[];
  /** The current output of outdated blocks, by the line of the command (from 1). */
  readonly updates: Map<number, { readonly shown: readonly string[]; readonly output: string }>;
  /** The output of the last program, for an `output` block after it. */
  printed: string;
  blocks: number;
}

const workspace = temporaryFolder('drydock-docs-');
process.exitCode = (await checkPages()) ? 0 : 1;

async function checkPages(): Promise<boolean> {
  const pages = (await readPages()).filter(
    ({ path }) => words.length === 0 || words.some((word) => path.includes(word)),
  );
  await installProject(workspace, [await packProduct(workspace), ...companions]);
  const errors: string[] = [];
  let blocks = 0;
  for (const page of pages) {
    const check = await checkPage(page);
    errors.push(...check.errors);
    blocks += check.blocks;
    if (check.errors.length === 0 && check.blocks > 0) console.log(`ok  ${page.path}: ${check.blocks} blocks`);
  }
  errors.push(...(await checkTypes()));
  for (const error of errors) console.error(error);
  console.log(`${blocks} blocks on ${pages.length} pages, ${errors.length} errors`);
  return errors.length === 0;
}

async function checkPage(page: Page): Promise<PageCheck> {
  const folder = join(workspace, 'pages', page.path.replace(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'));
  const session = openSession(folder, environment(folder));
  const check: PageCheck = { folder, session, errors: [], updates: new Map(), printed: '', blocks: 0 };
  try {
    for (const block of blocksOf(page)) {
      if (block.language !== 'setup') check.blocks++;
      await checkBlock(block, check).catch((error: Error) =>
        check.errors.push(`${page.path}:${block.line}: ${error.message}`),
      );
    }
  } finally {
    await session.close();
  }
  if (update && check.updates.size > 0) await writeFile(join(root, page.path), rewritten(page, check));
  return check;
}

function environment(folder: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LANG, npm_config_registry } = process.env;
  return {
    PATH: `${join(workspace, 'node_modules/.bin')}:${PATH}`,
    HOME: folder,
    LANG: LANG ?? 'C.UTF-8',
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
    COLUMNS: '120',
    TZ: 'UTC',
    // For the hidden commands of pages about the repository itself.
    REPOSITORY: root,
    PACKAGE: join(workspace, 'node_modules/drydock'),
    ...(TMPDIR && { TMPDIR }),
    ...(npm_config_registry && { npm_config_registry }),
  };
}

async function checkBlock(block: Block, check: PageCheck): Promise<void> {
  const file = block.words.get('file');
  const text = `${block.lines.join('\n')}\n`;
  if (file !== undefined) {
    await mkdir(dirname(join(check.folder, file)), { recursive: true });
    await writeFile(join(check.folder, file), text);
  }
  if (block.words.has('unrun')) return;
  switch (block.language) {
    case 'setup':
    case 'sh':
      return runScript(block, text, check);
    case 'console':
      return runConsole(block, check);
    case 'ts':
    case 'js':
      return runProgram(block, text, check);
    case 'json':
      JSON.parse(text);
      return;
    case 'yaml':
      for (const { errors } of parseAllDocuments(text)) if (errors[0] !== undefined) throw errors[0];
      return;
    case 'text':
      if (!block.words.has('output') || isAsShown(block.lines, check.printed)) return;
      if (!update) throw new Error(`the program printed\n${check.printed}`);
      check.updates.set(block.line, { shown: block.lines, output: check.printed });
      return;
    default:
      if (file === undefined && !['diff', 'html', 'dockerfile', 'lua', 'elisp'].includes(block.language))
        throw new Error(`no check for code blocks of language ${block.language}`);
  }
}

async function runScript(block: Block, text: string, { session }: PageCheck): Promise<void> {
  if (block.words.has('file')) return;
  const { output, exitCode } = await session.run(`set -e; ${text}set +e`);
  if (exitCode !== 0) throw new Error(`the commands exited with code ${exitCode}\n${output}`);
}

async function runConsole(block: Block, check: PageCheck): Promise<void> {
  const exchanges = exchangesOf(block);
  for (const exchange of exchanges) {
    if (block.words.has('server')) {
      await startServer(exchange, check);
      continue;
    }
    const { command, line, shown } = exchange;
    const answer = await check.session.run(command);
    const output = plain(answer.output, check);
    const expected = exchange === exchanges.at(-1) ? Number(block.words.get('exit') ?? 0) : 0;
    const where = `${block.page}:${line}`;
    if (answer.exitCode !== expected)
      check.errors.push(`${where}: exit code ${answer.exitCode}, not ${expected}: ${command}\n${output}`);
    else if (isAsShown(shown, output)) continue;
    else if (update) check.updates.set(line, { shown, output });
    else check.errors.push(`${where}: $ ${command}\nprints\n${output}`);
  }
}

/** Starts a long-running command. It is ready when its output matches the page, or for an update when it is quiet. */
async function startServer({ command, line, shown }: Exchange, check: PageCheck): Promise<void> {
  const isExpected = (output: string): boolean => isAsShown(shown, plain(output, check));
  const output = await check.session.serve(command, update ? undefined : isExpected);
  if (!isExpected(output)) check.updates.set(line, { shown, output: plain(output, check) });
}

/** Returns output without the folder names of this run. */
function plain(output: string, { folder }: PageCheck): string {
  return output.replaceAll(folder, '/home/you/project').replaceAll(workspace, '/home/you');
}

async function runProgram(block: Block, text: string, check: PageCheck): Promise<void> {
  const named = block.words.get('file');
  if (named !== undefined) return;
  const file = join(check.folder, `block-${block.line}.${block.language}`);
  await writeFile(file, text);
  if (block.words.has('check')) return;
  const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const { exitCode, all } = await execa(process.execPath, ['--import', tsx, file], {
    cwd: check.folder,
    env: environment(check.folder),
    extendEnv: false,
    all: true,
    reject: false,
    timeout: 60_000,
  });
  if (exitCode !== 0) throw new Error(`the program exited with code ${exitCode}\n${all}`);
  check.printed = plain(all, check);
}

/** Type-checks the TypeScript of all pages together, in strict mode. */
async function checkTypes(): Promise<string[]> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    moduleDetection: 'force',
  };
  const config = join(workspace, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({ compilerOptions, include: ['pages/*/**/*.ts'], exclude: ['pages/*/node_modules'] }),
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { exitCode, stdout } = await execa(tsc, ['--project', config], { cwd: workspace, reject: false });
  if (exitCode === 0 || stdout.includes('TS18003')) return []; // no page has TypeScript
  return stdout.split('\n');
}

function rewritten(page: Page, check: PageCheck): string {
  const lines = page.text.split('\n');
  for (const [line, { shown, output }] of [...check.updates].reverse()) {
    const text = output.replace(/\n+$/, '');
    lines.splice(line, shown.length, ...(text === '' ? [] : text.split('\n')));
  }
  return lines.join('\n');
}

// Console blocks: commands after `$ `, each with the output that the page shows.

/** A command of a console block and the output shown below it. */
interface Exchange {
  /** The line of the command, from 1. */
  readonly line: number;
  readonly command: string;
  readonly shown: readonly string[];
}

/** Returns the exchanges of a console block. A line after `> ` continues its command. */
function exchangesOf(block: Block): Exchange[] {
  const exchanges: { line: number; command: string; shown: string[] }[] = [];
  block.lines.forEach((text, i) => {
    const last = exchanges.at(-1);
    if (text.startsWith('$ ')) exchanges.push({ line: block.line + 1 + i, command: text.slice(2), shown: [] });
    else if (last === undefined)
      throw new Error(`${block.page}:${block.line + 1 + i}: a console block must start with "$ "`);
    else if (text.startsWith('> ') && last.shown.length === 0) last.command += `\n${text.slice(2)}`;
    else last.shown.push(text);
  });
  return exchanges;
}

/** Reports whether output matches the page. A line `…` matches any lines, `…` within a line any text. */
function isAsShown(shown: readonly string[], output: string): boolean {
  const pattern = shown.map((line) => {
    if (line.trim() === '…') return '(?:.*\n)*';
    const parts = line.trimEnd().split('…');
    return `${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}\n`;
  });
  const text = output.replace(/[^\S\n]+$/gm, '').replace(/\n*$/, '\n');
  return new RegExp(`^${pattern.join('')}$`).test(text === '\n' ? '' : text);
}
