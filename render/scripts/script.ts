// The names of scripts by system and tool, and the options of a request for one.

import type { RenderedPackage } from '../engine/packages.ts';
import type { SecretSource } from './secrets.ts';
import type { ShellDialect } from './words.ts';

/**
 * A compiled Handlebars template, as `Handlebars.precompile` describes it (evaluated to an object).
 * `compileScriptTemplate` of user-template.node.ts makes one from text, after checking that it prints no word unsafely.
 */
export interface ScriptTemplate {
  readonly compiler: readonly [number, string];
  readonly main: unknown;
}

/** Names an operating system that scripts are made for. */
export type ScriptOs = 'linux' | 'darwin' | 'windows';

/** Every operating system that scripts are made for. */
export const scriptSystems: readonly ScriptOs[] = ['linux', 'darwin', 'windows'];

/** The program that a script calls. */
export type ScriptTool = 'helm' | 'kubectl';

export interface ModelOptions {
  /** The one kubeconfig context that a script may work with. Default: the current one when it runs. */
  readonly context?: string | undefined;
  /** Returns the path to print for a chart on disk, relative to the script. Default: as the Order names it. */
  readonly chartPath?: ((item: RenderedPackage) => string | undefined) | undefined;
  /** Whether a script contains its secrets or reads them from variables of the environment. Default `keep`. */
  readonly secrets?: SecretSource | undefined;
}

export interface ScriptOptions extends ModelOptions {
  /** POSIX sh for `linux` and `darwin`, PowerShell for `windows`. Default `linux`. */
  readonly os?: ScriptOs | undefined;
  /** Templates that replace the built-in ones. */
  readonly templates?: ScriptTemplates | undefined;
}

/** Names a script template: the tool and the language. */
export type ScriptName = `${ScriptTool}.${'sh' | 'ps1'}`;

/** Compiled templates by the name of the built-in template that they replace. */
export type ScriptTemplates = { readonly [name in ScriptName]?: ScriptTemplate };

export function scriptName(tool: ScriptTool, { os }: ScriptOptions): ScriptName {
  return `${tool}.${os === 'windows' ? 'ps1' : 'sh'}`;
}

export function scriptFile({ os }: ScriptOptions): 'install.sh' | 'install.ps1' {
  return os === 'windows' ? 'install.ps1' : 'install.sh';
}

export function dialectOf(os: ScriptOs | undefined): ShellDialect {
  return os === 'windows' ? 'powershell' : 'sh';
}
