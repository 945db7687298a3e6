// `drydock render`: renders an Order to its manifest, its resource lists or its install scripts.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type RenderedOrder, renderOrder } from '../../api/order.ts';
import { formatDocument } from '../../api/yaml.ts';
import { messageOf, RenderError } from '../../core/errors.ts';
import { findGitRoot } from '../../core/git-root.node.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { expandPatterns } from '../../core/paths.node.ts';
import { PackageError } from '../../engine/packages.ts';
import type { Engine } from '../../gitops/export.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { explainOrderFailures } from '../../inputs/explain.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import type { ScriptOs, ScriptTemplates } from '../../scripts/script.ts';
import type { SecretSource } from '../../scripts/secrets.ts';
import { compileScriptTemplate } from '../../scripts/user-template.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure, printIssues } from '../output.ts';
import type { CommandContext, CommandIo } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { engines } from '../table/orders.ts';

/** Renders an Order. Returns 0, or 1 if the Order or a chart is invalid; what renders is printed even then. Throws UsageError. */
export async function renderCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const choice = readChoice(flags);
  let input: OrderInput | undefined;
  try {
    const scriptTemplates = await readTemplate(flags, choice, io);
    input = await readOrderFile(await onlyInput(flags, io), renderSettings(flags), io);
    const rendered = await renderOrder(input.text.value, {
      ...input.options,
      chartPath: (item) => scriptPath(input?.pathOf(item), resolve(io.cwd, choice.out ?? '.')),
      scriptTemplates,
      context: choice.output === 'script' ? flags.text('context') : undefined,
      secrets: choice.output === 'script' ? choice.secrets : undefined,
    });
    const errors = rendered.warnings.filter(({ severity }) => severity === 'error');
    printIssues(io.quiet ? errors : rendered.warnings, input.text, io);
    const folder = folderInGit(baseOf(rendered, input, flags.args[0], io));
    const files = filesOf(rendered, { ...choice, folder }, (kind, message) => {
      if (!io.quiet) io.stderr(kind === 'summary' ? `${message}\n` : `${io.err.yellow(`${kind}:`)} ${message}\n`);
    });
    if (choice.out === undefined) io.stdout([...files.values()][0] ?? '');
    else {
      // Only users with access to the Secrets in a script may read it.
      const isPrivate = choice.output === 'script' && choice.secrets === 'keep' && rendered.hasSecrets;
      writeFiles(resolve(io.cwd, choice.out), files, isPrivate);
    }
    return errors.length === 0 ? 0 : 1;
  } catch (error) {
    if (flags.on('explain') && input !== undefined && error instanceof PackageError) {
      error.explanation = (await explainOrderFailures(input)).get(error.path);
    }
    return printFailure(error, input?.text, io);
  }
}

// A script locates charts relative to its own folder, on any machine.
function scriptPath(path: string | undefined, folder: string): string | undefined {
  return path === undefined ? undefined : relative(folder, path).split(sep).join('/') || '.';
}

// The folder that the Order's paths were found in: its own, the current one, or one of --charts.
function baseOf({ packages }: RenderedOrder, { folders, pathOf }: OrderInput, name = '-', io: CommandIo): string {
  const isBase = (folder: string): boolean =>
    packages.every((item) => {
      const { kind, name: path } = item.selection.chart.sourceRef;
      const found = kind === 'Local' || kind === 'Legacy' ? pathOf(item) : undefined;
      return found === undefined || (found + sep).startsWith(resolve(folder, path) + sep);
    });
  return folders.find(isBase) ?? (name === '-' ? io.cwd : dirname(resolve(io.cwd, name)));
}

// Argo CD and Flux name charts relative to the root of the Git repository.
function folderInGit(folder: string): string {
  const root = findGitRoot(folder);
  return root === undefined ? '' : relative(root, folder).split(sep).join('/');
}

async function onlyInput(flags: ParsedFlags, io: CommandIo): Promise<string> {
  const [name = '', ...more] = await expandPatterns(flags.args, io.cwd);
  if (name !== '' && more.length === 0) return name;
  throw new UsageError('"drydock render" takes one argument: the file of an Order, or - for standard input');
}

interface Choice {
  readonly output: 'manifest' | 'resources' | 'script' | 'notes' | Engine;
  readonly tool: 'helm' | 'kubectl';
  readonly repoUrl: string | undefined;
  readonly revision: string | undefined;
  readonly format: 'yaml' | 'json';
  readonly skipCRDs: boolean;
  readonly os: ScriptOs;
  /** Undefined: a single script while it is readable. */
  readonly layout: 'inline' | 'files' | undefined;
  readonly secrets: SecretSource;
  readonly out: string | undefined;
}

function readChoice(flags: ParsedFlags): Choice {
  // The platform's names of scripts.
  const word = flags.text('output') ?? 'manifest';
  const script = word === 'pkgmgr3' || word === 'yaml';
  const choice: Choice = {
    // The flag table has the allowed values of each.
    output: script ? 'script' : (word as Exclude<Choice['output'], 'script'>),
    tool: word === 'yaml' ? 'kubectl' : 'helm',
    format: (flags.text('format') ?? 'yaml') as Choice['format'],
    skipCRDs: flags.on('skip-crds'),
    os: (flags.text('os') ?? 'linux') as ScriptOs,
    layout: flags.text('layout') as Choice['layout'],
    secrets: (flags.text('secrets') ?? 'keep') as SecretSource,
    out: flags.text('out'),
    repoUrl: flags.text('repo-url'),
    revision: flags.text('revision'),
  };
  const scripts = '--output pkgmgr3 or yaml';
  // Configured options for scripts do not conflict with a manifest.
  const partners: readonly (readonly [flag: string, fits: boolean, output: string])[] = [
    ['format', choice.output === 'resources' || isEngine(choice.output), '--output resources or that of an engine'],
    ['skip-crds', choice.output === 'manifest' || choice.output === 'resources', '--output manifest or resources'],
    ...['repo-url', 'revision'].map(
      (flag) => [flag, ['argocd', 'flux'].includes(choice.output), '--output argocd or flux'] as const,
    ),
    ...['layout', 'script-template', 'context', 'secrets', 'os'].map((flag) => [flag, script, scripts] as const),
  ];
  const alone = partners.find(([flag, fits]) => flags.isGiven(flag) && !fits);
  if (alone !== undefined) throw new UsageError(`--${alone[0]} goes with ${alone[2]}`);
  if (script && choice.layout === 'files' && choice.out === undefined) {
    throw new UsageError('--layout files needs --out DIR');
  }
  return choice;
}

function isEngine(output: Choice['output']): output is Engine {
  return engines.some((engine) => engine === output);
}

async function readTemplate(flags: ParsedFlags, choice: Choice, io: CommandIo): Promise<ScriptTemplates | undefined> {
  const file = flags.text('script-template');
  if (file === undefined || choice.output !== 'script') return undefined;
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new RenderError('VALUES_INVALID', `the script template ${file} cannot be read: ${messageOf(error)}`, {
      place: { file },
      cause: error,
      hint: 'Name a Handlebars file.',
    });
  }
  const name = `${choice.tool}.${extensionOf(choice.os)}` as const;
  return { [name]: await compileScriptTemplate(text, file, choice.os) };
}

function extensionOf(os: ScriptOs): 'sh' | 'ps1' {
  return os === 'windows' ? 'ps1' : 'sh';
}

/** Prints notes: settings that a tool does not support, another layout, or a summary. */
type Print = (kind: 'left' | 'note' | 'summary', message: string) => void;

// Larger files are hard to read, and slow down editors and reviews.
const readableSize = 1_000_000;

function filesOf(
  rendered: RenderedOrder,
  choice: Choice & { readonly folder: string },
  print: Print,
): ReadonlyMap<string, string> {
  const { output, tool, format, skipCRDs, os } = choice;
  if (output === 'manifest') return new Map([['manifest.yaml', rendered.manifest({ skipCRDs })]]);
  if (output === 'resources') return resourceFiles(rendered, { format, skipCRDs }, choice.out !== undefined);
  if (output === 'notes') return new Map([['NOTES.txt', rendered.notes()]]);
  if (output !== 'script') {
    const { repoUrl, revision, folder } = choice;
    const { fileName, text, left, summary } = rendered.exportTo(output, { repoUrl, revision, folder });
    for (const sentence of left) print('left', sentence);
    print('summary', summary);
    if (format === 'yaml') return new Map([[fileName, text]]);
    const json = JSON.stringify({ fileName, text, left, summary }, null, 2);
    return new Map([[`${fileName}.json`, `${json}\n`]]);
  }
  const folder = (): ReadonlyMap<string, string> => rendered.scriptFolder(tool === 'kubectl' ? 'yaml' : 'helm');
  if (choice.layout === 'files') return folder();
  const text = tool === 'kubectl' ? rendered.yamlScript(os) : rendered.helmScript(os);
  if (text.length > readableSize && choice.layout === undefined) {
    const size = `the script has ${(text.length / 1e6).toFixed(1)} MB`;
    if (choice.out === undefined) print('note', `${size}: --out DIR writes its documents to separate files`);
    else {
      print('note', `${size}, so its documents are written to separate files: --layout inline writes one file`);
      return folder();
    }
  }
  return new Map([[`install.${extensionOf(os)}`, text]]);
}

function resourceFiles(
  rendered: RenderedOrder,
  options: { readonly format: 'yaml' | 'json'; readonly skipCRDs: boolean },
  isFolder: boolean,
): ReadonlyMap<string, string> {
  const lists = rendered.resources(options);
  const files = new Map<string, string>();
  if (!isFolder) {
    if (options.format === 'json') return files.set('resources.json', `${JSON.stringify(lists, null, 2)}\n`);
    return files.set('resources.yaml', formatDocument(lists));
  }
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

function writeFiles(folder: string, files: ReadonlyMap<string, string>, isPrivate: boolean): void {
  for (const [name, text] of files) {
    const path = join(folder, name);
    makeFolder(dirname(path));
    writeFileSync(path, encodeUtf8(text));
    if (isPrivate) chmodSync(path, 0o600);
    else if (name.endsWith('.sh')) chmodSync(path, 0o755);
  }
}
