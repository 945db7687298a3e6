// Writes generated files of the product: `npm run generate [-- NAME…]` for config, report, samples and templates. `--check` compares instead,
// and fails if a file is out of date.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compileTemplates } from './templates.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the program of a report's page, bundled into a string of the product. */
export async function reportScriptFile(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'render/provenance/report/main.browser.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
  });
  const [script = ''] = outputFiles.map(({ text }) => text.trim());
  if (/<\/script|<!--/i.test(script)) throw new Error('the program would end the element that it stands in');
  const quoted = script.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n');
  return `// The program of a report's page, generated from main.browser.ts by \`npm run generate\`.

/** The program as the content of a \`script\` element. */
export const reportScript = '${quoted}';
`;
}

/** The fixture charts that ship with the emulator. */
const sampleCharts = ['backup', 'crds-and-hooks', 'postgres', 'redis', 'web'];

/** Returns the charts of the sample Orders as data, so that an emulator in a page has them too: chart to path to content. */
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

/** The generated files by name. */
const generated: Readonly<Record<string, readonly [file: string, make: () => Promise<string>]>> = {
  config: [
    'emulator/cli/config-type.generated.ts',
    async () => (await import('../../../emulator/cli/describe-config.node.ts')).configType(),
  ],
  report: ['render/provenance/report/script.generated.ts', reportScriptFile],
  samples: ['fixtures/sample-charts.json', formatSampleCharts],
  templates: ['render/scripts/templates.generated.ts', compileTemplates],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  for (const name of names.length > 0 ? names : Object.keys(generated)) {
    const [file, make] = generated[name] ?? [];
    if (file === undefined || make === undefined)
      throw new Error(`no generated file is called ${JSON.stringify(name)}`);
    const text = await make();
    if (!process.argv.includes('--check')) await writeFile(join(root, file), text);
    else if ((await readFile(join(root, file), 'utf8').catch(() => '')) !== text) {
      console.error(`${file} is out of date: run npm run generate -- ${name}`);
      process.exitCode = 1;
    }
  }
}
