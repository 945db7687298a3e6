// The command `openapi`: prints the OpenAPI document of the API, with examples from the seed data.

import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandIo } from '../../render/cli/program.ts';
import { openApiDocument } from '../index.ts';
import { readRoutes } from './routes.node.ts';

/** Runs `openapi` and returns the exit code. Throws UsageError, EmulatorError. */
export async function openapiCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  if (flags.args.length > 0) throw new UsageError(`"drydock openapi" takes no arguments, not "${flags.args[0]}"`);
  const routes = await readRoutes(flags.list('routes'), io.cwd);
  const url = flags.text('url');
  if (url !== undefined && !URL.canParse(url))
    throw new UsageError(`--url ${url}: is not a URL; use one such as https://platform.example.com`);
  const document = await openApiDocument({ routes, hosted: flags.on('hosted'), url });
  io.stdout(`${JSON.stringify(document, null, 2)}\n`);
  return 0;
}
