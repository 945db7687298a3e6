// `drydock import`: files of Argo CD, Flux, helmfile or kustomize to an Order.

import { stringify } from 'yaml';
import { writeJson } from '../../../render/codec/json-text.ts';
import { helmYaml } from '../../../render/codec/yaml/document-options.ts';
import { RenderError } from '../../../render/errors.ts';
import { type ImportFile, importOrder } from '../../../render/gitops/import/import.ts';
import { isStackOverflow } from '../../../render/go/steps.ts';
import { GoError } from '../../../render/go/value.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { askMeantPath, expandPatterns } from '../inputs.node.ts';
import type { CommandContext } from '../io.ts';
import { tellFailure } from './order-input.node.ts';
import { readTextFile } from './read.node.ts';

/** Prints the Order behind files of another engine. Gives 0, or 1 where they hold none. Throws UsageError. */
export async function importCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0 || flags.args.includes('')) {
    throw new UsageError(
      '"drydock import" takes files of Argo CD, Flux, helmfile or kustomize, or - for standard input',
    );
  }
  try {
    const files: ImportFile[] = [];
    for (const name of await expandPatterns(flags.args, io.cwd)) files.push(await readInput(name, io));
    const { order, left } = importOrder(files);
    if (flags.on('json')) io.stdout(`${unlessDeep(() => JSON.stringify({ order, left }, null, 2), { order, left })}\n`);
    else {
      // As readOrder takes it: words that YAML 1.1 reads as something else stand in quotes.
      io.stdout(unlessDeep(() => stringify(order, { ...helmYaml, lineWidth: 0 }), order));
      if (!io.quiet) for (const sentence of left) io.stderr(`${io.err.yellow('left:')} ${sentence}\n`);
    }
    return 0;
  } catch (error) {
    return tellFailure(error, undefined, io);
  }
}

// What nests deeper than the stack is written as JSON in one line, which is YAML too.
function unlessDeep(write: () => string, value: unknown): string {
  try {
    return write();
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    return writeJson(value);
  }
}

async function readInput(name: string, io: CommandContext): Promise<ImportFile> {
  if (name === '-') return { name: '<stdin>', text: await io.stdin() };
  try {
    return { name, text: readTextFile(name, io.cwd) };
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new RenderError('ORDER_INVALID', `${error.message}${askMeantPath(name, io.cwd)}`, {
      cause: error,
      mend: 'Name a file that can be read, or - for standard input.',
    });
  }
}
