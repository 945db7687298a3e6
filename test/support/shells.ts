// Runs generated scripts in real shells, with fake tools that write down every call.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

/** One call of a fake tool. */
export interface Call {
  readonly tool: string;
  /** The context it was told to use. */
  readonly context: string;
  readonly words: readonly string[];
  /** What it read from standard input, where it was told to read a document. */
  readonly document: string;
}

/** What a run of a script did. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: readonly Call[];
}

/** Describes how to run a script. */
export interface RunOptions {
  readonly args?: readonly string[];
  /** The number of the call, from 1, that fails with exit code 7. */
  readonly failAt?: number;
  /** Shell text that a fake tool runs before it succeeds; it sees its words as "$@", those for the context left out. */
  readonly behavior?: string;
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files beside the script, by name. */
  readonly files?: ReadonlyMap<string, string>;
}

const available = [['dash'], ['bash', '--norc'], ['busybox', 'sh'], ['zsh', '-f']].filter(([name]) =>
  hasTool(name as string),
);

/** The shells of this machine that scripts are proven in. */
export const shells: readonly { readonly name: string; readonly command: readonly string[] }[] = available.map(
  (command) => ({ name: command.filter((word) => !word.startsWith('-')).join(' '), command }),
);

/** Reports whether a tool is in PATH. */
function hasTool(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

/** Reports whether every tool must be here, as in CI: a missing one is then a failure and no reason to skip a test. */
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

/** Runs a script with fake tools first in PATH, in a folder with blanks and letters beyond ASCII in its name. */
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
      // Against what never ends; thousands of calls take a minute on a busy machine.
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

/** Reports whether a call changes a cluster; questions and waits do not. */
export function isMutating({ tool, words }: Call): boolean {
  const verb = words[0] ?? '';
  return tool === 'helm'
    ? ['install', 'uninstall', 'upgrade'].includes(verb)
    : ['apply', 'create', 'delete', 'patch', 'replace'].includes(verb);
}

/** Returns what a shell says of a script's syntax; empty when it is fine. */
export function syntaxFaults(script: string, shell: readonly string[]): string {
  const [command = 'sh', ...words] = shell;
  const result = spawnSync(command, [...words, '-n'], { input: script, encoding: 'utf8' });
  return result.status === 0 ? '' : result.stderr || `exit code ${result.status}`;
}

/** Tests that ShellCheck finds nothing in a script, where there is ShellCheck; within another test, as a part of that. */
export function testShellCheck(
  name: string,
  script: () => string | Promise<string>,
  exclude: readonly string[] = [],
  whole: Pick<TestContext, 'test'> = { test },
): Promise<void> {
  const skip = hasTool('shellcheck') || needsTools ? false : 'shellcheck is not on this machine';
  return whole.test(`ShellCheck finds nothing in ${name}`, { skip }, async () => {
    assert.equal(shellCheck(await script(), exclude), '');
  });
}

// Gives ShellCheck's findings on a script, in the dialect of POSIX sh, at every severity; empty when it is clean.
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
