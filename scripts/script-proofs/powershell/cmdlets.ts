// The cmdlets that our scripts use, each with the parameters they use.

import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { newObject } from './net.ts';
import { type Block, itemsOf, NetObject, numberOf, operate, PowerShellError, textOf, truthOf } from './values.ts';

/** A call of a cmdlet: parameters by their names in lower case, the other words, and what comes through the pipeline. */
export interface CmdletCall {
  readonly named: ReadonlyMap<string, unknown>;
  readonly words: readonly unknown[];
  readonly input: readonly unknown[];
}

/** What cmdlets change of the script that runs. */
export interface Shell {
  cwd: string;
  readonly folders: string[];
  readonly env: Record<string, string | undefined>;
  /** Every pause, in seconds; nobody waits for it. */
  readonly pauses: number[];
  setScriptVariable(name: string, value: unknown): void;
  write(stream: 1 | 2, text: string): void;
  startScript(words: readonly string[]): NetObject;
}

type Cmdlet = (call: CmdletCall, shell: Shell) => unknown[];

/** Gives the program that a name stands for; undefined where PATH has none. */
export function findTool(name: string, { env }: Pick<Shell, 'env'>): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const at = (shell: Shell, path: unknown): string =>
  isAbsolute(textOf(path)) ? textOf(path) : resolve(shell.cwd, textOf(path));
const first = ({ words, named }: CmdletCall, name: string): unknown => named.get(name) ?? words[0];
const eachWith = ({ words, input }: CmdletCall, use: (item: unknown, given: unknown[]) => unknown[]): unknown[] =>
  input.flatMap((item) => use(item, (words[0] as Block).run(item)));

// The order of texts here is that of their units where case counts; only our own lower-case words are sorted.
function sortUnique({ input }: CmdletCall): unknown[] {
  return [...new Set(input.map(textOf))].sort();
}

function selectObject({ named, input }: CmdletCall): unknown[] {
  const skipped = input.slice(named.has('skip') ? numberOf(named.get('skip')) : 0);
  if (named.has('first')) return skipped.slice(0, numberOf(named.get('first')));
  return named.has('last') ? skipped.slice(-numberOf(named.get('last'))) : [...skipped];
}

function jsonOf(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries([...value].map(([key, item]) => [key, jsonOf(item)])) : value;
}

/** The cmdlets by their names in lower case. */
export const cmdlets: Readonly<Record<string, Cmdlet>> = {
  'set-strictmode': () => [],
  'set-variable': ({ named }, shell) => {
    shell.setScriptVariable(textOf(named.get('name')), named.get('value'));
    return [];
  },
  'foreach-object': (call) => eachWith(call, (_item, given) => given),
  'where-object': (call) =>
    eachWith(call, (item, given) => (given.length > 0 && truthOf(given.length > 1 ? given : given[0]) ? [item] : [])),
  'select-object': selectObject,
  'sort-object': sortUnique,
  'out-null': () => [],
  'out-host': ({ input }, shell) => {
    for (const item of input) shell.write(1, `${textOf(item)}\n`);
    return [];
  },
  'out-string': ({ input }) => [input.map((item) => `${textOf(item)}\r\n`).join('')],
  'write-host': (call, shell) => {
    shell.write(1, `${call.words.map(textOf).join(' ')}\n`);
    return [];
  },
  'get-command': (call, shell) => {
    const tool = findTool(textOf(first(call, 'name')), shell);
    return tool === undefined ? [] : [new NetObject('ApplicationInfo', { source: tool })];
  },
  'get-process': () => [new NetObject('Process', { path: 'powershell' })],
  'start-process': ({ named }, shell) => [shell.startScript(itemsOf(named.get('argumentlist')).map(textOf))],
  'start-sleep': ({ named }, shell) => {
    shell.pauses.push(numberOf(named.get('seconds')));
    return [];
  },
  'join-path': ({ words }) => [`${textOf(words[0]).replace(/[\\/]$/, '')}/${textOf(words[1]).replace(/^[\\/]/, '')}`],
  'new-item': ({ named }, shell) => {
    mkdirSync(at(shell, named.get('path')), { recursive: true });
    return [new NetObject('DirectoryInfo', {})];
  },
  'push-location': (call, shell) => {
    shell.folders.push(shell.cwd);
    shell.cwd = at(shell, first(call, 'literalpath'));
    return [];
  },
  'pop-location': (_call, shell) => {
    shell.cwd = shell.folders.pop() ?? shell.cwd;
    return [];
  },
  'remove-item': (call, shell) => {
    rmSync(at(shell, first(call, 'literalpath')), { recursive: true });
    return [];
  },
  'resolve-path': (call, shell) => {
    const path = at(shell, first(call, 'literalpath'));
    accessSync(path);
    return [new NetObject('PathInfo', { providerpath: path, text: path })];
  },
  'get-content': (call, shell) =>
    readFileSync(at(shell, first(call, 'literalpath')), 'utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/),
  'get-filehash': ({ named }, shell) => {
    const content = readFileSync(at(shell, named.get('literalpath')));
    return [new NetObject('FileHashInfo', { hash: createHash('sha256').update(content).digest('hex').toUpperCase() })];
  },
  'get-childitem': (call, shell) => {
    const folder = at(shell, first(call, 'literalpath'));
    return readdirSync(folder).map((name) => new NetObject('FileInfo', { fullname: join(folder, name), text: name }));
  },
  'move-item': ({ named, input }, shell) => {
    for (const item of input)
      renameSync(textOf((item as NetObject).members.fullname), at(shell, named.get('destination')));
    return [];
  },
  'convertto-json': ({ named }) => [JSON.stringify(jsonOf(named.get('inputobject')))],
  'new-object': ({ words }) => [newObject(textOf(words[0]), words.length > 1 ? itemsOf(words[1]) : [])],
};

/** Parameters of cmdlets that take no value. */
export const switches = new Set(
  'passthru nonewwindow recurse force compress unique casesensitive assecurestring'.split(' '),
);

/** Tells whether the version of a PowerShell is at least another. */
export function isAtLeast(version: string, wanted: string): boolean {
  const none = { setMatches: () => undefined };
  return truthOf(operate('-ge', new NetObject('version', { text: version }), wanted, none));
}

/** The failure of a name that nothing has. */
export const unknownCommand = (name: string): PowerShellError =>
  new PowerShellError(
    `the term '${name}' is not recognized as a name of a cmdlet, function, script file, or executable program`,
  );
