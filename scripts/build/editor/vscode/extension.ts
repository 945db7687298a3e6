// The VS Code extension: starts `drydock language-server` and connects VS Code to it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

/** Called by VS Code when a file of a chart or an Order is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(commands.registerCommand('drydock.restart', restart));
  await start();
}

/** Called by VS Code on shutdown. */
export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

async function start(): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const settings = workspace.getConfiguration('drydock');
  const command = settings.get<string>('path') || installedIn(folder) || 'drydock';
  const args = ['language-server', '--stdio', ...(settings.get<string[]>('arguments') ?? [])];
  // On Windows, npm commands are batch files, which need a shell.
  const options = { shell: process.platform === 'win32', ...(folder !== undefined && { cwd: folder }) };
  client = new LanguageClient(
    'drydock',
    'drydock',
    { command, args, options },
    {
      documentSelector: [
        { scheme: 'file', pattern: '**/templates/**' },
        { scheme: 'file', pattern: '**/*.{yaml,yml,tpl}' },
        { scheme: 'file', language: 'json', pattern: '**/*order*.json' },
      ],
    },
  );
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`drydock could not be started: ${reason}. Install it, or set "drydock.path".`);
  }
}

function installedIn(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const command = join(folder, 'node_modules/.bin', process.platform === 'win32' ? 'drydock.cmd' : 'drydock');
  return existsSync(command) ? command : undefined;
}
