// Runs generated scripts in real shells with fake tools that record every call.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

/** One call of a fake tool. */
export interface Call {
  readonly tool: string;
  /** The requested context. */
  readonly context: string;
  readonly words: readonly string[];
  /** The document from standard input, if one was requested. */
  readonly document: string;
}

/** The result of a script. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: readonly Call[];
}

/** Options for `runScript`. */
export interface RunOptions {
  readonly args?: readonly string[];
  /** The number of the call, from 1, that fails with exit code 7. */
  readonly failAt?: number;
  /** Shell code that a fake tool runs before it succeeds; "$@" is its arguments without those for the context. */
  readonly behavior?: string;
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files next to the script, by name. */
  readonly files?: ReadonlyMap<string, string>;
}

const available = [['dash'], ['bash', '--norc'], ['busybox', 'sh'], ['zsh', '-f']].filter(([name]) =>
  hasTool(name as string),
);

/** The shells of this machine in which scripts are tested. */
export const shells: readonly { readonly name: string; readonly command: readonly string[] }[] = available.map(
  (command) => ({ name: command.filter((word) => !word.startsWith('-')).join(' '), command }),
);

/** Reports whether a tool is in PATH. */
function hasTool(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

/** Whether a missing tool is a failure, as in CI; otherwise tests that need it are skipped. */
export const needsTools = process.env.DRYDOCK_TEST_TOOLS === 'all';

const fake = `#!/bin/sh
number=$(($(cat "$FAKE_HOME/count") + 1))
echo "$number" >"$FAKE_HOME/count"
{
  printf '%s' "\${0##*/}"
  for word in "$@"; do printf '\\037%s' "$word"; done
  printf '\\n'
} >>"$FAKE_HOME/log"
previous=
for word in "$@"; do
  if [ "$previous" = -f ] && [ "$word" = - ]; then cat >"$FAKE_HOME/$number.in"; fi
  case "$previous $word" in '-f '*/crds) cat "$word" >"$FAKE_HOME/$number.in" ;; esac
  previous=$word
done
if [ "$number" = "$FAKE_FAIL" ]; then
  echo boom >&2
  exit 7
fi
case $1 in --context | --kube-context) shift 2 ;; esac
# The Jobs and Pods of hooks have succeeded.
case "$*" in get*status.conditions*) echo Complete ;; esac
`;

/** Runs a script with fake tools first in PATH, in a folder whose name contains spaces and non-ASCII characters. */
export function runScript(script: string, shell: readonly string[] = ['sh'], options: RunOptions = {}): Run {
  const home = mkdtempSync(join(tmpdir(), 'drydock script ü-'));
  try {
    mkdirSync(join(home, 'bin'));
    for (const tool of ['helm', 'kubectl']) {
      writeFileSync(join(home, 'bin', tool), `${fake}${options.behavior ?? ''}\n`);
      chmodSync(join(home, 'bin', tool), 0o755);
    }
    writeFileSync(join(home, 'count'), '0\n');
    writeFileSync(join(home, 'log'), '');
    for (const [name, text] of options.files ?? []) {
      mkdirSync(join(home, name, '..'), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    writeFileSync(join(home, 'install.sh'), script);
    const [command = 'sh', ...words] = shell;
    const env = { ...process.env, PATH: `${join(home, 'bin')}:${process.env.PATH}`, FAKE_HOME: home };
    const result = spawnSync(command, [...words, join(home, 'install.sh'), ...(options.args ?? [])], {
      cwd: home,
      env: { ...env, ...options.env, FAKE_FAIL: String(options.failAt ?? '') },
      encoding: 'utf8',
      // Thousands of calls take a minute on a busy machine.
      timeout: 300_000,
    });
    return { code: result.status ?? -1, stdout: result.stdout, stderr: result.stderr, calls: readCalls(home) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function readCalls(home: string): Call[] {
  const lines = readFileSync(join(home, 'log'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const [tool = '', ...all] = line.split('\u001f');
    const isPinned = /^--(?:kube-)?context$/.test(all[0] ?? '');
    const [context = '', words] = isPinned ? [all[1], all.slice(2)] : ['', all];
    const document = join(home, `${index + 1}.in`);
    return { tool, context, words, document: existsSync(document) ? readFileSync(document, 'utf8') : '' };
  });
}

/** Reports whether a call changes the cluster. */
export function isMutating({ tool, words }: Call): boolean {
  const verb = words[0] ?? '';
  return tool === 'helm'
    ? ['install', 'uninstall', 'upgrade'].includes(verb)
    : ['apply', 'create', 'delete', 'patch', 'replace'].includes(verb);
}

/** Returns a shell's syntax errors in a script; empty if there are none. */
export function syntaxErrors(script: string, shell: readonly string[]): string {
  const [command = 'sh', ...words] = shell;
  const result = spawnSync(command, [...words, '-n'], { input: script, encoding: 'utf8' });
  return result.status === 0 ? '' : result.stderr || `exit code ${result.status}`;
}

/** Tests that ShellCheck reports nothing for a script, if it is installed. Within another test, pass its context. */
export function testShellCheck(
  name: string,
  script: () => string | Promise<string>,
  exclude: readonly string[] = [],
  context: Pick<TestContext, 'test'> = { test },
): Promise<void> {
  const skip = hasTool('shellcheck') || needsTools ? false : 'shellcheck is not installed';
  return context.test(`ShellCheck reports nothing for ${name}`, { skip }, async () => {
    assert.equal(shellCheck(await script(), exclude), '');
  });
}

// Returns ShellCheck's findings on a script, as POSIX sh, at every severity; empty if there are none.
function shellCheck(script: string, exclude: readonly string[]): string {
  try {
    return execFileSync('shellcheck', ['-s', 'sh', '-f', 'gcc', ...exclude.map((code) => `--exclude=${code}`), '-'], {
      input: script,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}
