// Tests that an editor knows Orders. A real YAML language server opens files that name the schema, as the sample Orders do,
// and completes members, tells what they mean, and underlines what is wrong where it stands. `npm run test:e2e -- editor`

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeSchemas } from '../../../scripts/generate/schemas.ts';
import { installTools, prove } from '../../../scripts/tools/tools.ts';

const tools = await installTools('editor', ['yaml-language-server@1.15.0']);
const folder = await mkdtemp(join(tmpdir(), 'drydock-editor-'));

type Json = Readonly<Record<string, unknown>>;

/** A session with the server: JSON-RPC over its streams, each message behind a header with its length. */
class Session {
  readonly #server = spawn(tools.bin('yaml-language-server'), ['--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  readonly #answers = new Map<number, (result: never) => void>();
  readonly #diagnoses = new Map<string, (found: readonly Json[]) => void>();
  #input = Buffer.alloc(0);
  #last = 0;

  constructor() {
    this.#server.stdout.on('data', (chunk: Buffer) => {
      this.#input = Buffer.concat([this.#input, chunk]);
      this.#read();
    });
  }

  #read(): void {
    for (;;) {
      const end = this.#input.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#input.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || this.#input.length < end + 4 + length) return;
      const message = JSON.parse(this.#input.subarray(end + 4, end + 4 + length).toString()) as Json;
      this.#input = this.#input.subarray(end + 4 + length);
      this.#hear(message);
    }
  }

  #hear({ id, method, params, result }: Json): void {
    if (method === undefined) this.#answers.get(id as number)?.(result as never);
    else if (id !== undefined) this.#send({ id, result: method === 'workspace/configuration' ? [{}] : null });
    else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { readonly uri: string; readonly diagnostics: readonly Json[] };
      this.#diagnoses.get(uri)?.(diagnostics);
    }
  }

  #send(message: Json): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  tell(method: string, params: Json): void {
    this.#send({ method, params });
  }

  ask<Result>(method: string, params: Json): Promise<Result> {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  /** Opens a text and returns what the server has to say about it. */
  open(uri: string, text: string): Promise<readonly Json[]> {
    const found = new Promise<readonly Json[]>((resolve) => this.#diagnoses.set(uri, resolve));
    this.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return found;
  }

  close(): void {
    this.#server.kill();
  }
}

const head = '# yaml-language-server: $schema=dist/schemas/order.schema.json\n';
const good = `${head}spec:
  packages:
    - chart:
        name: web
        sourceRef: {kind: Local, name: charts/web}
        releaseName: shop
        namespace: shop
        `;
const bad = `${head}spec:
  packages:
    - chart:
        name: web
        sourceRef: {kind: Git, name: charts/web}
        releaseName: Shop
`;

const session = new Session();
try {
  await mkdir(join(folder, 'dist'));
  await writeSchemas(join(folder, 'dist/schemas'));
  const rootUri = pathToFileURL(folder).href;
  const capabilities = { textDocument: { completion: { completionItem: { documentationFormat: ['markdown'] } } } };
  await session.ask('initialize', {
    processId: process.pid,
    rootUri,
    capabilities,
    workspaceFolders: [{ uri: rootUri, name: 'x' }],
  });
  session.tell('initialized', {});
  const settings = { yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false } } };
  session.tell('workspace/didChangeConfiguration', { settings });

  const [goodUri, badUri] = [`${rootUri}/good.yaml`, `${rootUri}/bad.yaml`];
  prove('a good Order has no fault', (await session.open(goodUri, good)).length === 0);
  const lines = good.split('\n');
  const { items } = await session.ask<{ items: readonly { label: string; documentation?: unknown }[] }>(
    'textDocument/completion',
    { textDocument: { uri: goodUri }, position: { line: lines.length - 1, character: 8 } },
  );
  const labels = items.map(({ label }) => label);
  prove(
    'members are completed',
    ['values', 'valuesPatch', 'waitFors', 'version'].every((name) => labels.includes(name)),
  );
  prove('members that stand there are not', !labels.includes('releaseName'));
  const hover = await session.ask<{ contents: { value: string } } | null>('textDocument/hover', {
    textDocument: { uri: goodUri },
    position: { line: lines.findIndex((line) => line.includes('releaseName')), character: 10 },
  });
  prove('a member is explained', /The name of the release, unique in its namespace/.test(hover?.contents.value ?? ''));
  const faults = await session.open(badUri, bad);
  const told = faults.map(({ range }) => (range as { start: { line: number } }).start.line);
  const wanted = ['Git', 'Shop'].map((word) => bad.split('\n').findIndex((line) => line.includes(word)));
  prove(
    'faults are underlined in their lines',
    wanted.every((line) => told.includes(line)) && told.length === wanted.length,
  );
  if (told.length !== wanted.length) console.error(JSON.stringify(faults, null, 1));
} finally {
  session.close();
  await rm(folder, { recursive: true, force: true });
}
