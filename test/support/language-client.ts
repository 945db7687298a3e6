// A client of the Language Server Protocol over standard input and output, in place of an editor.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeLens,
  type CompletionItem,
  type CompletionList,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type Location,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';

const program = fileURLToPath(new URL('../../emulator/cli/main.node.ts', import.meta.url));
const loader = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;

/** The command that starts the server from sources. */
export const sourceServer = [process.execPath, '--import', loader, program, 'language-server', '--stdio'];

/** A connection to a separate server. */
export class LanguageClient {
  readonly #cwd: string;
  readonly #server: ChildProcess;
  readonly #connection: ProtocolConnection;
  readonly #texts = new Map<string, { text: string; version: number }>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  #listeners: (() => void)[] = [];

  readonly #uriOf: (file: string) => string;

  /** Starts the server with `command`. Default: from source. `uriOf`: how the editor writes addresses. Default: as Node does. */
  constructor(
    cwd: string,
    command: readonly string[] = sourceServer,
    uriOf: (file: string) => string = (file) => pathToFileURL(file).href,
  ) {
    this.#cwd = cwd;
    this.#uriOf = uriOf;
    const [file = '', ...args] = command;
    this.#server = spawn(file, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#connection = createProtocolConnection(
      new StreamMessageReader(this.#server.stdout!),
      new StreamMessageWriter(this.#server.stdin!),
    );
    this.#connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
      this.#diagnostics.set(uri, diagnostics);
      for (const listener of this.#listeners.splice(0)) listener();
    });
    this.#connection.onRequest('client/registerCapability', () => null);
    this.#connection.onRequest('workspace/codeLens/refresh', () => null);
    this.#connection.onRequest('workspace/configuration', () => [{}]);
    this.#connection.listen();
  }

  /** Initializes the session, optionally with settings of the server. */
  async start(settings?: object): Promise<void> {
    await this.#connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(this.#cwd).href,
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
    });
    await this.#connection.sendNotification('initialized', {});
    if (settings !== undefined) {
      await this.#connection.sendNotification('workspace/didChangeConfiguration', { settings });
    }
  }

  /** Ends the session. Returns the exit code of the server. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#server.once('exit', resolve));
    await this.#connection.sendRequest('shutdown');
    await this.#connection.sendNotification('exit');
    const code = await ended;
    this.#connection.dispose();
    return code;
  }

  open(file: string): Promise<void> {
    return this.openText(this.#uriOf(file), readFileSync(file, 'utf8'));
  }

  openText(uri: string, text: string): Promise<void> {
    this.#texts.set(uri, { text, version: 1 });
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    return this.#connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Replaces the first `old` in the text of an open file. */
  edit(file: string, old: string, text: string): Promise<void> {
    const uri = this.#uriOf(file);
    const known = this.#textOf(uri);
    const at = known.text.indexOf(old);
    if (at < 0) throw new Error(`${file} does not contain ${old}`);
    const range = { start: positionAt(known.text, at), end: positionAt(known.text, at + old.length) };
    known.text = known.text.slice(0, at) + text + known.text.slice(at + old.length);
    known.version++;
    return this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: known.version },
      contentChanges: [{ range, text }],
    });
  }

  /** Waits until `isWanted` accepts the diagnostics of a file. Returns them as `severity line:column-column message`. */
  async diagnostics(file: string, isWanted: (shown: readonly string[]) => boolean): Promise<readonly string[]> {
    const uri = this.#uriOf(file);
    for (;;) {
      const shown = (this.#diagnostics.get(uri) ?? []).map(formatDiagnostic);
      if (this.#diagnostics.has(uri) && isWanted(shown)) return shown;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Returns the completions after the first `marker` in a file. */
  async completion(file: string, marker: string): Promise<readonly CompletionItem[]> {
    const found = await this.#connection.sendRequest<readonly CompletionItem[] | CompletionList>(
      'textDocument/completion',
      this.#at(file, marker),
    );
    return 'items' in found ? found.items : found;
  }

  async hover(file: string, marker: string): Promise<string> {
    const found: Hover | null = await this.#connection.sendRequest('textDocument/hover', this.#at(file, marker));
    return found === null ? '' : (found.contents as { readonly value: string }).value;
  }

  async places(kind: 'definition' | 'references', file: string, marker: string): Promise<readonly Location[]> {
    const params = { ...this.#at(file, marker), context: { includeDeclaration: true } };
    return this.#connection.sendRequest(`textDocument/${kind}`, params);
  }

  async rename(file: string, marker: string, newName: string): Promise<WorkspaceEdit> {
    return this.#connection.sendRequest('textDocument/rename', { ...this.#at(file, marker), newName });
  }

  async lenses(file: string): Promise<readonly string[]> {
    const textDocument = { uri: this.#uriOf(file) };
    const found: CodeLens[] = await this.#connection.sendRequest('textDocument/codeLens', { textDocument });
    return found.map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);
  }

  #textOf(uri: string): { text: string; version: number } {
    const known = this.#texts.get(uri);
    if (known === undefined) throw new Error(`${uri} is not open`);
    return known;
  }

  #at(file: string, marker: string) {
    const uri = this.#uriOf(file);
    const { text } = this.#textOf(uri);
    const at = text.indexOf(marker);
    if (at < 0) throw new Error(`${file} does not contain ${marker}`);
    return { textDocument: { uri }, position: positionAt(text, at + marker.length) };
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

const severities = ['', 'error', 'warning', 'information', 'hint'];

function formatDiagnostic({ severity = 4, range: { start, end }, message }: Diagnostic): string {
  const to = start.line === end.line ? `-${end.character + 1}` : `-${end.line + 1}:${end.character + 1}`;
  return `${severities[severity]} ${start.line + 1}:${start.character + 1}${to} ${message}`;
}
