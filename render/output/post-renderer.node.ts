// `--post-renderer`: a program that filters the manifests.
// Mirrors: helm.sh/helm/v3/pkg/postrender, exec.go, v3.17.3.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { checkArguments, filled, kind, listOf, optionsOf, text } from '../core/arguments.ts';
import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { quote } from '../go/number.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';

/** The working directory and environment of a program. */
interface ProgramIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the path of a program, located like by a shell. Throws GoError. */
export function findProgram(word: string, io: Pick<ProgramIo, 'cwd' | 'env'>): string {
  const fault = (reason: string): GoError =>
    new GoError(`unable to find binary at ${word}: exec: ${quote(word)}: ${reason}`);
  if (!word.includes('/')) {
    const found = (io.env.PATH ?? '').split(delimiter).find((folder) => refusal(join(folder, word)) === undefined);
    if (found === undefined) throw fault('executable file not found in $PATH');
    return join(found, word);
  }
  const path = resolve(io.cwd, word);
  const reason = refusal(path);
  if (reason !== undefined) throw fault(reason === 'absent' ? `stat ${word}: no such file or directory` : reason);
  return path;
}

function refusal(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'absent';
  if (stats.isDirectory()) return 'is a directory';
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return 'permission denied';
  }
}

/** Filters manifests: the option `postRender` of a view. */
export type PostRenderer = (manifests: string) => string;

/** Options of `createPostRenderer`. */
export interface PostRendererOptions extends Partial<ProgramIo> {
  /** The arguments of the program. Default none. */
  readonly args?: readonly string[] | undefined;
}

const postRendererOptions = optionsOf<PostRendererOptions>({
  args: listOf(text),
  cwd: filled,
  env: kind('an object', (value) => typeof value === 'object' && value !== null),
});

/**
 * Returns a post-renderer that runs a program, located like by a shell: it reads the manifests from standard input and writes what replaces
 * them. The post-renderer throws PostRenderError. Throws ARGUMENT_INVALID, also if there is no such program.
 * @example
 * const postRender = createPostRenderer('./add-labels.sh', { args: ['team=web'] });
 * const text = renderRelease(chart).text({ postRender });
 */
export function createPostRenderer(program: string, options: PostRendererOptions = {}): PostRenderer {
  checkArguments('createPostRenderer', ['program', program, filled], ['options', options, postRendererOptions]);
  const { args = [], cwd = process.cwd(), env = process.env } = options;
  const path = convertGoError(
    () => findProgram(program, { cwd, env }),
    (cause) => new RenderError('ARGUMENT_INVALID', cause.message, { cause, hint: 'Give the path of a program.' }),
  );
  return (manifests) => postRender(path, args, manifests, { cwd });
}

/** The failure of a post-renderer, with Helm's message. */
export class PostRenderError extends Error {
  override readonly name = 'PostRenderError';
  /** What went wrong, without Helm's prefix for the step. */
  readonly reason: string;

  constructor(reason: string) {
    super(`error while running post render on files: ${reason}`);
    this.reason = reason;
  }
}

/** Returns the program's output for the manifests. Throws PostRenderError. */
export function postRender(
  program: string,
  args: readonly string[],
  manifests: string,
  io: Pick<ProgramIo, 'cwd'>,
): string {
  // Loaded here, because few renderings start a program.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const result = spawnSync(program, args, { cwd: io.cwd, input: encodeUtf8(manifests), maxBuffer: 1 << 30 });
  if (result.status === 0) return decodeUtf8(result.stdout);
  // A program that ends without reading its input causes an EPIPE; its exit status is what counts.
  const reason =
    result.status === null ? (result.error?.message ?? `signal: ${result.signal}`) : `exit status ${result.status}`;
  const output = decodeUtf8(result.stderr ?? new Uint8Array());
  throw new PostRenderError(`error while running command ${program}. error output:\n${output}: ${reason}`);
}
