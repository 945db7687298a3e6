// What every script shares: the names of scripts by system, tool and action, and the options of whoever asks for one.

import type { ScriptName, ScriptTemplate } from './fill.ts';
import type { ViewOptions } from './views.ts';

/** Names an operating system that scripts are made for. */
export type ScriptOs = 'linux' | 'darwin' | 'windows';

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

/** Gives the name of a script. */
export function scriptName(tool: 'helm' | 'yaml', options: ScriptOptions): ScriptName {
  return `${tool}-${options.action ?? 'install'}.${options.os === 'windows' ? 'ps1' : 'sh'}`;
}
