// What every script shares: the names of scripts by system, tool and action, and the options of whoever asks for one.

import type { ScriptTemplate } from './fill.ts';
import type { ViewOptions } from './views.ts';
import type { Dialect } from './words.ts';

/** Names an operating system that scripts are made for. */
export type ScriptOs = 'linux' | 'darwin' | 'windows';

/** The program that a script calls. */
export type ScriptTool = 'helm' | 'kubectl';

/** Says what a script does. */
export type ScriptAction = 'install' | 'uninstall';

/** Says which script to make. */
export interface ScriptOptions extends ViewOptions {
  /** POSIX sh for `linux` and `darwin`, PowerShell for `windows`. Default `linux`. */
  readonly os?: ScriptOs | undefined;
  /** Default `install`. */
  readonly action?: ScriptAction | undefined;
  /** The caller's own templates, compiled; the others are ours. */
  readonly templates?: ScriptTemplates | undefined;
}

/** Templates by the name of the script that they replace. */
export type ScriptTemplates = { readonly [name in ScriptName]?: ScriptTemplate };

/** Names a script: what it does, with which tool (the platform calls kubectl's `yaml`), in which language. */
export type ScriptName = `${'helm' | 'yaml'}-${'install' | 'uninstall'}.${'sh' | 'ps1'}`;

/** Gives the name by which a caller's own template stands for a script. */
export function scriptName(tool: ScriptTool, options: ScriptOptions): ScriptName {
  return `${tool === 'kubectl' ? 'yaml' : 'helm'}-${scriptFile(options)}`;
}

/** Gives the name of a script's file. */
export function scriptFile({ os, action = 'install' }: ScriptOptions): `${ScriptAction}.${'sh' | 'ps1'}` {
  return `${action}.${os === 'windows' ? 'ps1' : 'sh'}`;
}

/** Gives the language of a system's scripts. */
export function dialectOf(os: ScriptOs | undefined): Dialect {
  return os === 'windows' ? 'powershell' : 'sh';
}
