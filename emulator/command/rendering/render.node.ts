// `drydock render`: an Order to its manifest, its resource lists or its install scripts.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RenderError } from '../../../render/errors.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import type { ScriptName } from '../../../render/output/fill.ts';
import { dialectOf } from '../../../render/output/fill.ts';
import { type ScriptOs, type ScriptTemplates, scriptName } from '../../../render/output/script.ts';
import { compileScriptTemplate } from '../../../render/output/user-template.node.ts';
import { type RenderedOrder, renderOrder } from '../../../render/rendered-order.ts';
import { type FlagSpec, type ParsedFlags, parseFlags, UsageError } from '../flags.ts';
import { formatHelp } from '../help.ts';
import type { CommandIo } from '../io.ts';
import { type OrderInput, orderFlags, readInput, tellFailure, tellIssues } from './order-input.node.ts';

const renderFlags: readonly FlagSpec[] = [
  {
    name: 'output',
    short: 'o',
    type: 'string',
    help: 'manifest (default), resources, pkgmgr3 (Helm script) or yaml (kubectl script)',
  },
  { name: 'format', type: 'string', help: 'form of resources: yaml (default) or json' },
  { name: 'skip-crds', type: 'bool', help: "leave out the CRDs of the charts' crds/ folders (manifest, resources)" },
  { name: 'out', type: 'string', help: 'write files into this folder instead of printing' },
  { name: 'os', type: 'string', help: 'system of a script: linux (default), darwin or windows' },
  { name: 'uninstall', type: 'bool', help: 'the script that uninstalls' },
  { name: 'context', type: 'string', help: 'the one context of the kubeconfig that a script may work with' },
  { name: 'layout', type: 'string', help: 'inline (default): one script; files: scripts, data and checksums in --out' },
  { name: 'script-template', type: 'string', help: 'Handlebars file in place of our script template' },
  ...orderFlags,
];

/** Renders an Order. Gives 0, or 1 where the Order or a chart is at fault. Throws UsageError. */
export async function renderCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = parseFlags(renderFlags, argv);
  if (flags.help) {
    io.stdout(helpText());
    return 0;
  }
  const choice = readChoice(flags);
  let input: OrderInput | undefined;
  try {
    const scriptTemplates = readTemplate(flags, choice, io);
    input = await readInput('render', flags, io);
    const rendered = await renderOrder(input.text.value, {
      ...input.options,
      chartPath: input.pathOf,
      scriptTemplates,
      context: flags.text('context'),
    });
    tellIssues(rendered.warnings, input.text, io);
    const files = filesOf(rendered, choice);
    if (choice.out === undefined) io.stdout([...files.values()][0] ?? '');
    else writeFiles(resolve(io.cwd, choice.out), files);
    return 0;
  } catch (error) {
    return tellFailure(error, input?.text, io);
  }
}

/** Is what the command line asks for, checked. */
interface Choice {
  readonly output: 'manifest' | 'resources' | 'pkgmgr3' | 'yaml';
  readonly format: 'yaml' | 'json';
  readonly skipCRDs: boolean;
  readonly os: ScriptOs;
  readonly action: 'install' | 'uninstall';
  readonly layout: 'inline' | 'files';
  readonly out: string | undefined;
}

function readChoice(flags: ParsedFlags): Choice {
  const choice: Choice = {
    output: oneOf(flags, 'output', ['manifest', 'resources', 'pkgmgr3', 'yaml']),
    format: oneOf(flags, 'format', ['yaml', 'json']),
    skipCRDs: flags.on('skip-crds'),
    os: oneOf(flags, 'os', ['linux', 'darwin', 'windows']),
    action: flags.on('uninstall') ? 'uninstall' : 'install',
    layout: oneOf(flags, 'layout', ['inline', 'files']),
    out: flags.text('out'),
  };
  const isScript = choice.output === 'pkgmgr3' || choice.output === 'yaml';
  if (choice.layout === 'files' && (!isScript || choice.out === undefined)) {
    throw new UsageError('--layout files goes with --output pkgmgr3 or yaml, and needs --out DIR');
  }
  for (const name of ['script-template', 'context']) {
    if (flags.has(name) && !isScript) throw new UsageError(`--${name} goes with --output pkgmgr3 or yaml`);
  }
  return choice;
}

function oneOf<const T extends string>(flags: ParsedFlags, name: string, words: readonly [T, ...T[]]): T {
  const text = flags.text(name) ?? words[0];
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError(`--${name} takes ${words.join(', ')}, not "${text}"`);
  return found;
}

function scriptOf({ output, os, action }: Choice): ScriptName {
  return scriptName(output === 'yaml' ? 'yaml' : 'helm', { os, action });
}

function readTemplate(flags: ParsedFlags, choice: Choice, io: CommandIo): ScriptTemplates | undefined {
  const file = flags.text('script-template');
  if (file === undefined) return undefined;
  const name = scriptOf(choice);
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new RenderError('VALUES_INVALID', `the script template ${file} cannot be read: ${(error as Error).message}`, {
      place: { file },
      cause: error,
      mend: 'Name a Handlebars file.',
    });
  }
  return { [name]: compileScriptTemplate(text, file, dialectOf(name)) };
}

function filesOf(rendered: RenderedOrder, choice: Choice): ReadonlyMap<string, string> {
  const { output, format, skipCRDs, os, action } = choice;
  if (output === 'manifest') return new Map([['manifest.yaml', rendered.manifest({ skipCRDs })]]);
  if (output === 'resources') return resourceFiles(rendered, { format, skipCRDs }, choice.out !== undefined);
  if (choice.layout === 'files') return rendered.scriptFolder(output === 'yaml' ? 'yaml' : 'helm');
  const name = scriptOf(choice);
  const file = name.slice(name.indexOf('-') + 1);
  const text = output === 'yaml' ? rendered.yamlScript(os, { action }) : rendered.helmScript(os, { action });
  return new Map([[file, text]]);
}

function resourceFiles(
  rendered: RenderedOrder,
  options: { readonly format: 'yaml' | 'json'; readonly skipCRDs: boolean },
  isFolder: boolean,
): ReadonlyMap<string, string> {
  const lists = rendered.resources(options);
  const files = new Map<string, string>();
  if (!isFolder) return files.set('resources.json', `${JSON.stringify(lists, null, 2)}\n`);
  for (const list of lists) {
    for (const [folder, resources] of [
      ['crds', list.crds],
      ['resources', list.resources],
    ] as const) {
      for (const { filename, data } of resources) {
        files.set(
          `${list.namespace}/${list.releaseName}/${folder}/${filename}`,
          data.endsWith('\n') ? data : `${data}\n`,
        );
      }
    }
  }
  return files;
}

function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [name, text] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeUtf8(text));
    if (name.endsWith('.sh')) chmodSync(path, 0o755);
  }
}

function helpText(): string {
  return formatHelp({
    usage: 'drydock render ORDER [flags]',
    about: [
      'Renders an Order (a JSON or YAML file, - for standard input): all of its packages as one manifest, as',
      'lists of resources, or as a script that installs them with Helm or with kubectl. All mean the same.',
      "Charts are looked for in --charts, beside the Order's file and in the current folder; nothing is fetched.",
    ],
    flags: renderFlags,
    examples: [
      'drydock render order.yaml',
      'drydock render order.json --charts ./charts --output resources --format json',
      'drydock render order.yaml --output pkgmgr3 > install.sh && sh install.sh --dry-run',
      'drydock render order.yaml --output yaml --layout files --out ./install',
    ],
    notes: ['Exit codes: 0 fine, 1 the Order, a chart or its values are at fault, 2 wrong usage.'],
  });
}
