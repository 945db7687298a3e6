// Tests the code blocks of the pages. `npm run docs -- blocks [WORD…]` for pages whose path contains a word.
// Commands run with the packed package, and their output is compared; TypeScript is checked and run; JSON and YAML are parsed.
// `--update` writes the output of the commands into the pages. `unrun=REASON` after a block's language skips it.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { parseAllDocuments } from 'yaml';
import { installProject, packProduct } from '../dev/tools/product.ts';
import { type Block, blocksOf, type Page, readPages, root } from './pages.ts';
import { openSession, type Session } from './session.ts';
import { type Exchange, exchangesOf, isAsShown } from './transcript.ts';

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

/** The state of one page: where it runs, and its errors so far. */
interface Reading {
  readonly folder: string;
  readonly session: Session;
  readonly faults: string[];
  /** Line of a command (from 1) to the exchange as it should be. */
  readonly fresh: Map<number, { readonly shown: readonly string[]; readonly output: string }>;
  /** The output of the last program, for an `output` block after it. */
  printed: string;
  blocks: number;
}

const place = await mkdtemp(join(tmpdir(), 'drydock-docs-'));
try {
  process.exitCode = (await checkPages()) ? 0 : 1;
} finally {
  await rm(place, { recursive: true, force: true });
}

async function checkPages(): Promise<boolean> {
  const pages = (await readPages()).filter(
    ({ path }) => words.length === 0 || words.some((word) => path.includes(word)),
  );
  await installProject(place, [await packProduct(place), ...companions]);
  const faults: string[] = [];
  let blocks = 0;
  for (const page of pages) {
    const reading = await readPage(page);
    faults.push(...reading.faults);
    blocks += reading.blocks;
    if (reading.faults.length === 0 && reading.blocks > 0) console.log(`ok  ${page.path}: ${reading.blocks} blocks`);
  }
  faults.push(...(await checkTypes()));
  for (const fault of faults) console.error(fault);
  console.log(`${blocks} blocks on ${pages.length} pages, ${faults.length} at fault`);
  return faults.length === 0;
}

async function readPage(page: Page): Promise<Reading> {
  const folder = join(place, 'pages', page.path.replace(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await symlink(join(place, 'node_modules'), join(folder, 'node_modules'));
  const session = openSession(folder, environment(folder));
  const reading: Reading = { folder, session, faults: [], fresh: new Map(), printed: '', blocks: 0 };
  try {
    for (const block of blocksOf(page)) {
      if (block.language !== 'setup') reading.blocks++;
      await readBlock(block, reading).catch((error: Error) => complain(reading, block.line, page, error.message));
    }
  } finally {
    await session.close();
  }
  if (update && reading.fresh.size > 0) await writeFile(join(root, page.path), rewritten(page, reading));
  return reading;
}

function environment(folder: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LANG, npm_config_registry } = process.env;
  return {
    PATH: `${join(place, 'node_modules/.bin')}:${PATH}`,
    HOME: folder,
    LANG: LANG ?? 'C.UTF-8',
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
    COLUMNS: '120',
    TZ: 'UTC',
    // For the hidden commands of pages about the repository itself.
    REPOSITORY: root,
    PACKAGE: join(place, 'node_modules/drydock'),
    ...(TMPDIR && { TMPDIR }),
    ...(npm_config_registry && { npm_config_registry }),
  };
}

function complain(reading: Reading, line: number, page: { readonly path: string }, what: string): void {
  reading.faults.push(`${page.path}:${line}: ${what}`);
}

async function readBlock(block: Block, reading: Reading): Promise<void> {
  const file = block.words.get('file');
  const text = `${block.lines.join('\n')}\n`;
  if (file !== undefined) {
    await mkdir(dirname(join(reading.folder, file)), { recursive: true });
    await writeFile(join(reading.folder, file), text);
  }
  if (block.words.has('unrun')) return;
  switch (block.language) {
    case 'setup':
    case 'sh':
      return runScript(block, text, reading);
    case 'console':
      return runConsole(block, reading);
    case 'ts':
    case 'js':
      return runProgram(block, text, reading);
    case 'json':
      JSON.parse(text);
      return;
    case 'yaml':
      for (const { errors } of parseAllDocuments(text)) if (errors[0] !== undefined) throw errors[0];
      return;
    case 'text':
      if (!block.words.has('output') || isAsShown(block.lines, reading.printed)) return;
      if (!update) throw new Error(`the program printed\n${reading.printed}`);
      reading.fresh.set(block.line, { shown: block.lines, output: reading.printed });
      return;
    default:
      if (file === undefined && !['diff', 'html', 'dockerfile', 'lua', 'elisp'].includes(block.language))
        throw new Error(`nothing checks blocks of ${block.language}`);
  }
}

async function runScript(block: Block, text: string, { session }: Reading): Promise<void> {
  if (block.words.has('file')) return;
  const { output, exitCode } = await session.run(`set -e; ${text}set +e`);
  if (exitCode !== 0) throw new Error(`the commands give ${exitCode}\n${output}`);
}

async function runConsole(block: Block, reading: Reading): Promise<void> {
  const exchanges = exchangesOf(block);
  for (const exchange of exchanges) {
    if (block.words.has('server')) {
      await startServer(exchange, reading);
      continue;
    }
    const { output, exitCode } = await reading.session.run(exchange.command);
    const expected = exchange === exchanges.at(-1) ? Number(block.words.get('exit') ?? 0) : 0;
    judge(block, exchange, { output: plain(output, reading), exitCode, expected }, reading);
  }
}

/** Starts a long-running command. It is ready when its output matches the page, or for an update when it is quiet. */
async function startServer({ command, line, shown }: Exchange, reading: Reading): Promise<void> {
  if (!update) {
    await reading.session.serve(command, (output) => isAsShown(shown, plain(output, reading)));
    return;
  }
  const output = plain(await reading.session.serve(command, 'quiet'), reading);
  if (!isAsShown(shown, output)) reading.fresh.set(line, { shown, output });
}

interface Outcome {
  readonly output: string;
  readonly exitCode: number;
  readonly expected: number;
}

function judge(block: Block, exchange: Exchange, { output, exitCode, expected }: Outcome, reading: Reading): void {
  const page = { path: block.page };
  if (exitCode !== expected)
    complain(reading, exchange.line, page, `exit code ${exitCode}, not ${expected}: ${exchange.command}\n${output}`);
  else if (!isAsShown(exchange.shown, output)) {
    if (update) reading.fresh.set(exchange.line, { shown: exchange.shown, output });
    else complain(reading, exchange.line, page, `$ ${exchange.command}\nprints\n${output}`);
  }
}

/** Returns output without the folder names of this run. */
function plain(output: string, { folder }: Reading): string {
  return output.replaceAll(folder, '/home/you/project').replaceAll(place, '/home/you');
}

async function runProgram(block: Block, text: string, reading: Reading): Promise<void> {
  const named = block.words.get('file');
  if (named !== undefined) return;
  const file = join(reading.folder, `block-${block.line}.${block.language}`);
  await writeFile(file, text);
  if (block.words.has('check')) return;
  const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const { exitCode, all } = await execa(process.execPath, ['--import', tsx, file], {
    cwd: reading.folder,
    env: environment(reading.folder),
    extendEnv: false,
    all: true,
    reject: false,
    timeout: 60_000,
  });
  if (exitCode !== 0) throw new Error(`the program gives ${exitCode}\n${all}`);
  reading.printed = plain(all, reading);
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
  const config = join(place, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({ compilerOptions, include: ['pages/*/**/*.ts'], exclude: ['pages/*/node_modules'] }),
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { exitCode, stdout } = await execa(tsc, ['--project', config], { cwd: place, reject: false });
  if (exitCode === 0 || stdout.includes('TS18003')) return []; // no page has TypeScript
  return stdout.split('\n');
}

function rewritten(page: Page, reading: Reading): string {
  const lines = page.text.split('\n');
  for (const [line, { shown, output }] of [...reading.fresh].reverse()) {
    const fresh = output.replace(/\n+$/, '');
    lines.splice(line, shown.length, ...(fresh === '' ? [] : fresh.split('\n')));
  }
  return lines.join('\n');
}
