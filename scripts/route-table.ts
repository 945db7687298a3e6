// Writes the table of the emulator's routes into the README, between its two marks. `--check` tells whether it is in step.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOf } from '../emulator/http/answers.ts';
import { addressOf, type Route } from '../emulator/http/route.ts';
import { serviceRoutes } from '../emulator/routes/index.ts';

const [begin, end] = ['<!-- routes: begin -->', '<!-- routes: end -->'];

/** Gives the routes of the service as a Markdown table: route, who may call, answers, and how it is emulated. */
function formatRouteTable(routes: readonly Route[]): string {
  const rows = routes.map((route) => {
    const address = `\`${route.method} ${addressOf(route).replace(/^\/api\/v1/, '') || '/'}\``;
    const where = (route.space ?? 'api') === 'api' ? '' : ' (at the root)';
    const statuses = Object.keys(answersOf(route)).join(' ');
    return `| ${address} | ${route.access} | ${statuses} | ${route.summary}${where} | ${route.emulation.replaceAll('|', '\\|')} |`;
  });
  return ['| route | access | answers | what | how, and where it differs |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

if (process.argv[1] === import.meta.filename) {
  const file = join(import.meta.dirname, '..', 'README.md');
  const text = await readFile(file, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error(`README.md lacks ${begin} and ${end}`);
  const fresh = `${before}${begin}\n\n${formatRouteTable(serviceRoutes)}\n\n${end}${after}`;
  if (!process.argv.includes('--check')) await writeFile(file, fresh);
  else if (fresh !== text) {
    console.error('README.md: the table of routes is out of step: run npm run routes');
    process.exitCode = 1;
  }
}
