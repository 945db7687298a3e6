// How PowerShell runs a tool on Windows: the words become one command line, which the tool takes apart again.
// Mirrors: PowerShell, NativeCommandParameterBinder.cs, `NeedQuotes` and `appendOneNativeArgument` (5.1: as ArgumentPassing
// Legacy); about_Parsing, "Passing arguments to native commands" (7.3: Windows and Standard); CommandLineToArgvW;
// about_Character_Encoding, "Changing the default encoding" ([Console]::OutputEncoding decodes what native programs say).

import { spawnSync } from 'node:child_process';
import { errorRecord, type NetObject, PowerShellError, textOf } from './values.ts';

/** Names a PowerShell: Windows PowerShell, which hands words on as they stand, or one that escapes them. */
export type Edition = '5.1' | '7.4';

/** Gives the words that a tool is handed where PowerShell has these. */
export function argumentsOf(words: readonly unknown[], edition: Edition): string[] {
  const texts = words
    .flatMap((word) => (Array.isArray(word) ? word : [word]))
    .filter((word) => word != null)
    .map(textOf);
  return edition === '7.4' ? texts : takeApart(texts.map(legacyWord).join(' '));
}

// Words with blanks outside of quotes get quotes around them; nothing inside is escaped, and what is empty is lost.
function legacyWord(word: string): string {
  let quotes = 0;
  let isQuoted = false;
  for (const [at, unit] of [...word].entries()) {
    if (unit === '"' && word[at - 1] !== '\\') quotes++;
    else if (/\s/.test(unit) && quotes % 2 === 0) isQuoted = true;
  }
  return isQuoted ? `"${word}"` : word;
}

// Backslashes escape where a quote follows them, and nowhere else.
function takeApart(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; ) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    const next = line[at + slashes];
    if (slashes > 0 || next === '"') {
      word = (word ?? '') + '\\'.repeat(next === '"' ? Math.floor(slashes / 2) : slashes);
      at += slashes;
      if (next !== '"') continue;
      if (slashes % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
    } else if (/[ \t]/.test(next ?? '') && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (next ?? '');
    at++;
  }
  return word === undefined ? words : [...words, word];
}

/** What a tool is run with. */
export interface NativeCall {
  readonly tool: string;
  readonly words: readonly unknown[];
  /** What is piped into it, one item a line. */
  readonly input: readonly unknown[] | undefined;
  /** Whether what it says on standard error goes where its output goes. */
  readonly isMerged: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly edition: Edition;
  /** Whether its output is read as UTF-8, and not as the code page of the console. */
  readonly isUtf8: boolean;
  /** What $ErrorActionPreference says. */
  readonly onError: string;
}

/**
 * Runs a tool; gives its lines, what it said on standard error, and its exit code. Where that is merged, its lines are records of
 * errors before the lines of its output. Throws where PowerShell would.
 */
export function runNative(call: NativeCall): {
  readonly lines: (string | NetObject)[];
  readonly said: string;
  readonly code: number;
} {
  const { tool, words, input, isMerged, cwd, env, edition } = call;
  // Every line that is piped ends as lines do on Windows.
  const text = input?.map((item) => `${textOf(item)}\r\n`).join('');
  const { stdout, stderr, status, error } = spawnSync(
    'sh',
    ['-c', 'exec "$@"', 'sh', tool, ...argumentsOf(words, edition)],
    {
      cwd,
      env: env as NodeJS.ProcessEnv,
      // Any code page of Windows will do that is not UTF-8.
      encoding: call.isUtf8 ? 'utf8' : 'latin1',
      stdio: [text === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      timeout: 300_000,
      maxBuffer: 1e9,
      ...(text === undefined ? {} : { input: Buffer.from(text) }),
    },
  );
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE')
    throw new PowerShellError(error.message);
  // Windows PowerShell makes errors of what is redirected, and stops at them where it is to stop at errors.
  if (
    isMerged &&
    stderr !== '' &&
    edition === '5.1' &&
    call.onError !== 'Continue' &&
    call.onError !== 'SilentlyContinue'
  ) {
    throw new PowerShellError(`NativeCommandError: ${stderr}`);
  }
  const [given, told] = [stdout, stderr].map(linesOf) as [string[], string[]];
  const lines = isMerged ? [...told.map(errorRecord), ...given] : given;
  return { lines, said: isMerged ? '' : stderr, code: status ?? -1 };
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
