// Install scripts as text, and laid out as a folder: a short script beside its values or manifests, and checksums of everything.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type HandlebarsPackage from 'handlebars';
import handlebarsRuntime from 'handlebars/runtime.js';
import type { RenderedPackages } from '../engine/packages.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { commentText } from '../output/comment.ts';
import { buildModel } from './build-model.ts';
import type { PackageModel, ScriptModel, SecretModel } from './model.ts';
import {
  dialectOf,
  type ScriptOptions,
  type ScriptTemplate,
  type ScriptTool,
  scriptFile,
  scriptName,
} from './script.ts';
import { builtInTemplates } from './templates.generated.ts';
import {
  freeMarker,
  hereDocument,
  powerShellArgument,
  quoteWords,
  type ShellDialect,
  shellQuote,
  Word,
} from './words.ts';

// The runtime is typed as an empty module.
const Handlebars = handlebarsRuntime as unknown as typeof HandlebarsPackage;

/**
 * Returns the text of a script: a template filled with a data model. Every text of the model is quoted. In addition to Handlebars' own
 * helpers there are: `argument TEXT` (one argument of a native command, where PowerShell needs more than a quoted string), `comment TEXT`
 * (one harmless line), `document TEXT MARKER` (a here-document or here-string), and `marker TEXT MARKER` (the marker that `document` uses).
 */
export function fillTemplate(dialect: ShellDialect, model: object, template: ScriptTemplate): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper({
    argument: (word: unknown) =>
      new Handlebars.SafeString((dialect === 'sh' ? shellQuote : powerShellArgument)(Word.textOf(word))),
    comment: (word: unknown) => new Handlebars.SafeString(commentText(Word.textOf(word))),
    marker: (word: unknown, marker: string) => new Handlebars.SafeString(freeMarker(Word.textOf(word), marker)),
    document: (word: unknown, marker: string) =>
      new Handlebars.SafeString(hereDocument(Word.textOf(word), marker, dialect)),
  });
  return handlebars.template(template)(quoteWords(model, dialect));
}

/** Returns the script that installs an Order with a tool. Throws MANIFEST_INVALID if a CRD file is not valid YAML. */
export function formatScript(rendered: RenderedPackages, tool: ScriptTool, options: ScriptOptions = {}): string {
  return printScript(buildModel(rendered, tool, options), tool, options);
}

function printScript(model: ScriptModel, tool: ScriptTool, options: ScriptOptions): string {
  const name = scriptName(tool, options);
  const text = fillTemplate(dialectOf(options.os), model, options.templates?.[name] ?? builtInTemplates[name]);
  // Windows PowerShell reads a file in the code page of the machine unless a mark says that it is UTF-8.
  return options.os === 'windows' && /[^\0-\u007f]/.test(text) ? `\ufeff${text}` : text;
}

/**
 * Returns the files of a folder that installs an Order: `install.sh` and `install.ps1`, the values or manifests they read, and
 * `SHA256SUMS`, which the scripts verify before they start. Throws MANIFEST_INVALID if a CRD file is not valid YAML.
 */
export function formatScriptFolder(
  rendered: RenderedPackages,
  tool: ScriptTool,
  options: ScriptOptions = {},
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const model = buildModel(rendered, tool, options);
  const packages = model.packages.map((item) => withFiles(item, tool, files));
  const placed = { ...model, packages, reversed: [...packages].reverse(), hasFiles: true, readsFolder: true };
  for (const os of ['linux', 'windows'] as const) {
    files.set(scriptFile({ os }), printScript(placed, tool, { ...options, os }));
  }
  const sums = [...files].map(([name, text]) => `${bytesToHex(sha256(encodeUtf8(text)))}  ${name}\n`);
  return files.set('SHA256SUMS', sums.sort().join(''));
}

interface Placeable {
  readonly text: string;
  readonly file: string;
  readonly secrets: readonly SecretModel[];
}

function withFiles(item: PackageModel, tool: ScriptTool, files: Map<string, string>): PackageModel {
  const stem = `${String(item.number).padStart(2, '0')}-${item.release}`;
  // A document with placeholders stays in the script, which replaces them with secrets.
  const place = <T extends Placeable>(document: T, path: string): T => {
    if (document.secrets.length > 0) return document;
    files.set(path, document.text);
    return { ...document, text: '', file: path };
  };
  if (tool === 'helm') return { ...item, values: place(item.values, `values/${stem}.json`) };
  const placeAll = <T extends Placeable & { readonly number: number }>(documents: readonly T[], name: string): T[] =>
    documents.map((document) =>
      place(document, `manifests/${stem}/${name}-${String(document.number).padStart(2, '0')}.yaml`),
    );
  const documents = placeAll(item.documents, 'resources');
  return {
    ...item,
    crdDocuments: placeAll(item.crdDocuments, 'crds'),
    documents,
    deletions: documents.filter(({ isCreate }) => !isCreate).reverse(),
    hooks: placeAll(item.hooks, 'hook'),
  };
}
