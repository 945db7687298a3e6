// A script laid out as a folder: a short script beside its values or manifests, and checksums of everything.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { RenderedPackages } from '../engine/packages.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { buildModel } from './build-model.ts';
import type { PackageModel, SecretModel } from './model.ts';
import { printScript } from './print.ts';
import { type ScriptOptions, type ScriptTool, scriptFile } from './script.ts';

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
