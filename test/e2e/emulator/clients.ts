// Tests the emulator with third-party tools: a linter accepts its OpenAPI documents, and the validating proxy Prism reports no violation
// for any row of the API document. The typed client of `drydock/client` is generated from the document by openapi-typescript.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../../../emulator/emulator.ts';
import { type EmulatorServer, startServer } from '../../../emulator/server.node.ts';
import { check, freePort, installTools, type Tools, until } from '../../../scripts/dev/tools/tools.ts';
import { apiRows } from '../../support/api-rows.ts';
import { type ApiRow, runRow, type Send, titleOfRow } from '../../support/api-run.ts';
import { sendHttp } from '../../support/send-http.ts';

const tools = await installTools('clients', ['@redocly/cli@2.77.0', '@stoplight/prism-cli@5.14.2']);

async function lint(server: EmulatorServer): Promise<void> {
  for (const [name, path] of [
    ['API', '/swagger.v1.json'],
    ['control', '/__drydock/openapi.json'],
  ] as const) {
    const file = join(tools.folder, `${name}.json`);
    await writeFile(file, await (await fetch(server.url + path)).text());
    const flags = ['lint', '--extends', 'recommended', '--format', 'json', file];
    const { stdout } = await execa(tools.bin('redocly'), flags, { cwd: tools.folder, reject: false });
    const report = JSON.parse(stdout) as {
      totals: { errors: number; warnings: number };
      problems: { ruleId: string; severity: string; message: string }[];
    };
    for (const { ruleId, severity, message } of report.problems) console.log(`    ${severity} ${ruleId}: ${message}`);
    check(
      `redocly: the ${name} document has no errors (${report.totals.warnings} warnings)`,
      report.totals.errors === 0,
    );
  }
}

interface Violation {
  readonly location: readonly string[];
  readonly severity: string;
  readonly message: string;
}

// The proxy may only report errors in requests that are intentionally invalid.
function isInvalidRequest(row: ApiRow): boolean {
  return row.status >= 400;
}

// Excludes unknown paths and methods, the emulator's own method override, and redirects, which the proxy follows itself.
function isInDocument(row: ApiRow): boolean {
  const unknown = row.row.startsWith('PATCH') || row.row.includes('nowhere');
  return row.hosted !== false && row.status !== 302 && !unknown && !row.headers?.['X-HTTP-Method-Override'];
}

// Like a page, the proxy cannot send a GET with a body, so the fields are sent as a query.
function withoutBodyOfGet(row: ApiRow): ApiRow {
  if (row.method !== 'GET' || row.body === undefined) return row;
  const { body: _, ...rest } = row;
  return { ...rest, ...row.inPage };
}

async function prism(server: EmulatorServer, { folder, bin }: Tools): Promise<void> {
  const port = await freePort();
  const document = join(folder, 'API.json');
  const flags = ['--port', String(port), '--host', '127.0.0.1', '--verboseLevel', 'fatal'];
  const proxy = execa(bin('prism'), ['proxy', document, `${server.url}/api/v1`, ...flags], {
    reject: false,
    stdout: 'ignore',
    stderr: 'inherit',
  });
  try {
    await until('prism accepts requests', async () => (await fetch(`http://127.0.0.1:${port}/version`)).ok, 60);
    const { store } = server.emulator.world();
    const run = {
      tokens: new Map(server.emulator.users().map(({ login, token }) => [login, token])),
      orders: new Map(store.order.all().map((row) => [store.user.get(row.owner)?.login ?? '', row.id])),
    };
    const [direct, proxied] = [sendHttp(server.url), sendHttp(`http://127.0.0.1:${port}`)];
    const found: string[] = [];
    let count = 0;
    for (const [at, documented] of apiRows.entries()) {
      if (!isInDocument(documented)) continue;
      const row = withoutBodyOfGet(documented);
      let violations: readonly Violation[] = [];
      const through: Send = async (method, path, headers, body) => {
        if (path.startsWith('/__drydock')) return direct(method, path, headers, body);
        // The proxy only knows the paths of the document, which have no trailing slash.
        const documentedPath = path.replace(/^\/api\/v1/, '').replace(/\/$/, '');
        const answer = await proxied(method, documentedPath, headers, body);
        violations = JSON.parse(answer.header('sl-violations') ?? '[]') as readonly Violation[];
        return answer;
      };
      await runRow(row, `prism-${at}`, { ...run, send: through });
      count++;
      const bad = violations.filter(({ location }) => location[0] === 'response' || !isInvalidRequest(row));
      for (const { location, message } of bad) found.push(`${titleOfRow(row)}: ${location.join('.')}: ${message}`);
    }
    for (const line of found) console.log(`    ${line}`);
    check(`prism: no violations in ${count} rows of the API document`, found.length === 0);
  } finally {
    proxy.kill();
    await proxy;
  }
}

const emulator = createEmulator({ hosted: true, strict: true });
const server = await startServer(emulator);
try {
  await lint(server);
  await prism(server, tools);
} finally {
  await server.close();
}
