// The entry point `drydock/language-server`: the language server as a function.

import { checkArguments, filled, optionsOf } from '../core/arguments.ts';
import { type RunOptions, runChecks, runContext } from '../inputs/run-options.node.ts';
import { startLanguageServer } from './server.node.ts';

export type { RenderSettings } from '../inputs/settings.ts';

/** Options of `serveEditor`. */
export type EditorOptions = Pick<RunOptions, 'cwd' | 'env' | 'settings'>;

const editorOptions = optionsOf<EditorOptions>({ cwd: filled, env: runChecks.env, settings: runChecks.settings });

/**
 * Serves an editor by the Language Server Protocol on standard input and output, until it ends the session. Resolves with 0, or with 1 if
 * it exited without a shutdown request. Throws ARGUMENT_INVALID.
 */
export function serveEditor(options: EditorOptions = {}): Promise<number> {
  checkArguments('serveEditor', ['options', options, editorOptions]);
  const { settings, io } = runContext(options);
  return startLanguageServer(settings, io);
}
