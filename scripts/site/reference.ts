// Generates the parts of the pages between `<!-- made: NAME -->` and `<!-- end -->`. `npm run docs -- reference` writes them, `-- --check`
// fails if they are out of date.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program } from '../../emulator/cli/program.node.ts';
import { allSpecs } from '../../render/cli/program.ts';
import { formatReference } from '../../render/cli/reference.ts';
import { overviewFlags } from '../../render/cli/table/shared.ts';
import { riskRules } from '../../render/diff/risk-rules.ts';
import { orderSchema } from '../../render/index.ts';
import { type Page, readPages, root } from './pages.ts';
import {
  formatControlRoutes,
  formatExampleCoverage,
  formatPeople,
  formatRoutes,
  formatScenarios,
  formatSettings,
} from './reference-emulator.ts';
import { formatErrors } from './reference-errors.ts';
import { formatSchema, type SchemaNode } from './reference-schema.ts';

const specs = await allSpecs(program);

/** Every part by its name. */
const parts: Readonly<Record<string, () => string>> = {
  command: () => formatReference(specs, overviewFlags, 2),
  order: () => formatSchema(orderSchema() as SchemaNode),
  routes: formatRoutes,
  'control-routes': formatControlRoutes,
  settings: formatSettings,
  scenarios: formatScenarios,
  people: formatPeople,
  'example-coverage': formatExampleCoverage,
  risks: formatRisks,
  'render-errors': () => formatErrors('render'),
  'emulator-errors': () => formatErrors('emulator'),
  'other-errors': () => formatErrors('other'),
};

function formatRisks(): string {
  const immutable = {
    meaning: 'The API server refuses the change: the object must be deleted and created anew.',
    rule: 'A field changes that the API server does not let change. Not for a hook, an object of another name or one from `crds/`.',
  };
  const rules = Object.entries({ immutable, ...riskRules });
  return [
    '| risk | meaning | rule |',
    '|---|---|---|',
    ...rules.map(([name, { meaning, rule }]) => `| \`${name}\` | ${meaning} | ${rule} |`),
  ].join('\n');
}

/** Returns a page with its generated parts updated. Throws if a marker has an unknown name or is not closed. */
export function remade({ path, text }: Page): string {
  return text.replace(/<!-- made: (.*) -->\n([\s\S]*?)(<!-- end -->|$(?![\s\S]))/g, (_whole, name, _old, end) => {
    const make = parts[name];
    if (make === undefined) throw new Error(`${path}: nothing makes ${JSON.stringify(name)}`);
    if (end === '') throw new Error(`${path}: <!-- made: ${name} --> is never closed`);
    return `<!-- made: ${name} -->\n\n${make().trim()}\n\n<!-- end -->`;
  });
}

/** Returns the pages with outdated generated parts, updated. */
export async function stalePages(): Promise<Page[]> {
  const pages = await readPages();
  return pages.map((page) => ({ ...page, text: remade(page) })).filter(({ text }, i) => text !== pages[i]?.text);
}

if (process.argv[1] === import.meta.filename) {
  const stale = await stalePages();
  for (const { path, text } of stale) {
    if (!process.argv.includes('--check')) await writeFile(join(root, path), text);
    else console.error(`${path}: out of step: run npm run docs -- reference`);
  }
  process.exitCode = stale.length > 0 && process.argv.includes('--check') ? 1 : 0;
}
