// Writes the charts of the sample Orders into one data file, so that an emulator in a page has them too. `--check` fails if the file is out
// of date.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const target = join(root, 'fixtures/sample-charts.json');

/** The fixture charts that ship with the emulator. */
const sampleCharts = ['backup', 'crds-and-hooks', 'postgres', 'redis', 'web'];

/** Returns the content of the file: chart to path to content, ordered by path. */
export async function formatSampleCharts(): Promise<string> {
  const charts: Record<string, Record<string, string>> = {};
  for (const name of sampleCharts) {
    const folder = join(root, 'fixtures/charts', name);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(entry.parentPath.slice(folder.length + 1), entry.name))
      .sort();
    const files: Record<string, string> = {};
    for (const path of paths) files[path] = await readFile(join(folder, path), 'utf8');
    charts[name] = files;
  }
  return `${JSON.stringify(charts, null, 1)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await formatSampleCharts();
  if (!process.argv.includes('--check')) await writeFile(target, text);
  else if ((await readFile(target, 'utf8')) !== text) {
    console.error('fixtures/sample-charts.json is out of step: run npm run generate -- samples');
    process.exitCode = 1;
  }
}
