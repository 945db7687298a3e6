// `drydock language-server`: help for charts and Orders in editors.

import { serveEditor } from '../../language-server/serve.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';

/** Serves an editor until it ends the session. Returns 0, or 1 if it exited without a shutdown request. Throws UsageError. */
export function languageServerCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError('"drydock language-server" takes no files: an editor opens them');
  return serveEditor({ cwd: io.cwd, env: io.env, settings: renderSettings(flags) });
}
