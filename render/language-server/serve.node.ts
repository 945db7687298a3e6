// The language server as a library function.

import { checkArguments, filled, optionsOf } from '../core/arguments.ts';
import { type RunOptions, runChecks, runContext } from '../inputs/run-options.node.ts';

/** Options of `serveEditor`. */
export type EditorOptions = Pick<RunOptions, 'cwd' | 'env' | 'settings'>;

const editorOptions = optionsOf<EditorOptions>({ cwd: filled, env: runChecks.env, settings: runChecks.settings });

/**
 * Serves an editor by the Language Server Protocol on standard input and output, until it ends the session. Returns 0, or 1 if it exited
 * without a shutdown request. Rejects with ARGUMENT_INVALID.
 */
export async function serveEditor(options: EditorOptions = {}): Promise<number> {
  checkArguments('serveEditor', ['options', options, editorOptions]);
  const { settings, io } = runContext(options);
  // Loaded here, because no other function of the library needs it.
  const { startServer } = await import('./server.node.ts');
  return startServer(settings, io);
}
