// Tests each project of fixtures/examples as a user would: copies it, installs the packed package and runs `npm test`. `npm run docs --
// examples [WORD…]` selects those whose name contains a word. `--record` runs `npm run record` if it exists, and records which part of the API
// the tests exercise; without it, that is compared with the record.

import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type ApiCoverage, mergeCoverage } from '../../emulator/index.ts';
import { chromiumPath } from '../dev/tools/chromium.ts';
import { installDependencies, packProduct } from '../dev/tools/product.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { runCiFiles } from './ci-files.ts';
import { root } from './pages.ts';

const examples = join(root, 'fixtures/examples');
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isRecording = process.argv.includes('--record');

// API coverage for the docs: of each example, and of all together.
const coverageFile = join(root, 'scripts/docs/example-coverage.json');
const coverages = new Map<string, ApiCoverage>();

const workspace = temporaryFolder('drydock-examples-');
let failures = 0;
const archive = await packProduct(workspace);
const names = (await readdir(examples, { withFileTypes: true })).filter((entry) => entry.isDirectory());
for (const { name } of names) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const passed = await runExample(name, archive);
  console.log(`${passed ? 'ok' : 'not ok'}  ${name}`);
  if (!passed) failures++;
}
if (words.length === 0 && failures === 0) await reportCoverage();
process.exitCode = failures === 0 ? 0 : 1;

interface Project {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

async function runExample(name: string, archive: string): Promise<boolean> {
  const folder = join(workspace, name);
  await cp(join(examples, name), folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const project = JSON.parse(text) as Project;
  await writeFile(join(folder, 'package.json'), text.replace('file:drydock.tgz', `file:${archive}`));
  await installDependencies(folder);
  const usesBrowser = Object.keys(project.devDependencies ?? {}).some((dependency) =>
    dependency.includes('playwright'),
  );
  const env = { CI: 'true', ...(usesBrowser && { CHROMIUM: await chromiumPath() }) };
  if (isRecording && project.scripts.record !== undefined) {
    await execa('npm', ['run', '-s', 'record'], { cwd: folder, stdio: 'inherit' });
    await rm(join(examples, name, 'snapshots'), { recursive: true, force: true });
    await cp(join(folder, 'snapshots'), join(examples, name, 'snapshots'), { recursive: true });
  }
  const { exitCode, all } = await execa('npm', ['test'], {
    cwd: folder,
    env,
    all: true,
    reject: false,
    timeout: 180_000,
  });
  if (exitCode !== 0) console.error(all);
  const coverage = join(folder, 'api-coverage.json');
  if (existsSync(coverage)) coverages.set(name, JSON.parse(await readFile(coverage, 'utf8')) as ApiCoverage);
  const errors = existsSync(join(folder, 'ci')) ? await runCiFiles(folder) : [];
  for (const error of errors) console.error(error);
  return exitCode === 0 && errors.length === 0;
}

async function reportCoverage(): Promise<void> {
  const all = [...coverages, ['all of them', mergeCoverage([...coverages.values()])] as const];
  const text = `${JSON.stringify(Object.fromEntries(all.map(([name, { totals }]) => [name, totals])), null, 2)}\n`;
  if (isRecording) await writeFile(coverageFile, text);
  else if ((await readFile(coverageFile, 'utf8')) !== text) {
    console.error(`the coverage of the examples has changed: run npm run docs -- examples --record\n${text}`);
    failures++;
  }
}
