// Bundles the script of a report's page into a string of the product: `npm run generate`, `-- --check` to compare.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('../../../render/provenance/report/main.browser.ts', import.meta.url));
const target = fileURLToPath(new URL('../../../render/provenance/report/script.generated.ts', import.meta.url));

/** Returns the content of render/provenance/report/script.generated.ts. */
export async function reportScriptFile(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
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
  return `// The program of a report's page, generated from main.browser.ts by \`npm run generate\`.

/** The program as the content of a \`script\` element. */
export const reportScript = ${quoted(script)};
`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = await reportScriptFile();
  if (!process.argv.includes('--check')) await writeFile(target, wanted);
  else if ((await readFile(target, 'utf8').catch(() => '')) !== wanted) {
    console.error('render/provenance/report/script.generated.ts is not what its sources give: run npm run generate');
    process.exitCode = 1;
  }
}
