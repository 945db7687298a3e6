// Step 6, laid out as a folder: short scripts beside values and manifests, easy to review, and checksums over all.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeUtf8 } from '../go/utf8.ts';
import type { RenderedPackages } from '../packages.ts';
import { viewHelmOrder } from './helm-script.ts';
import type { DocumentView, KubectlPackageView } from './kubectl-views.ts';
import { viewKubectlOrder } from './kubectl-views.ts';
import { formatScript } from './print.ts';
import { type ScriptOptions, type ScriptTool, scriptFile } from './script.ts';
import type { PackageView, ScriptView } from './views.ts';

/**
 * Gives the files of a folder that installs an Order: `install.sh`, `uninstall.sh` and their PowerShell twins, the values
 * or manifests they use, and `SHA256SUMS`, which the scripts check before they start.
 * Throws MANIFEST_INVALID where a CRD file is not YAML.
 */
export function formatScriptFolder(
  rendered: RenderedPackages,
  tool: ScriptTool,
  options: ScriptOptions = {},
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const action of ['install', 'uninstall'] as const) {
    for (const os of ['linux', 'windows'] as const) {
      const chosen = { ...options, os, action };
      const text = formatScript(tool, viewOf(rendered, tool, chosen, files), chosen);
      files.set(scriptFile(chosen), text);
    }
  }
  const sums = [...files].map(([name, text]) => `${bytesToHex(sha256(encodeUtf8(text)))}  ${name}\n`);
  return files.set('SHA256SUMS', sums.sort().join(''));
}

// An uninstallation reads no files; both languages of an installation read the same ones.
function viewOf(
  rendered: RenderedPackages,
  tool: ScriptTool,
  options: ScriptOptions,
  files: Map<string, string>,
): ScriptView {
  const place = (path: string, text: string): string => {
    files.set(path, text);
    return path;
  };
  const view = tool === 'helm' ? viewHelmOrder(rendered, options) : viewKubectlOrder(rendered, options);
  if (options.action === 'uninstall') return view;
  const packages = view.packages.map((item) =>
    tool === 'helm' ? placeValues(item, place) : placeManifests(item as KubectlPackageView, place),
  );
  return { ...view, packages, hasFiles: true };
}

type Place = (path: string, text: string) => string;

function stemOf({ number, release }: PackageView): string {
  return `${String(number).padStart(2, '0')}-${release}`;
}

// A document with marks stays in the script, which puts secrets in their place.
function hasMarks({ secrets }: PackageView, text: string): boolean {
  return secrets.some(({ mark }) => text.includes(mark));
}

function placeValues(item: PackageView, place: Place): PackageView {
  if (hasMarks(item, item.values.text)) return item;
  return { ...item, values: { text: '', file: place(`values/${stemOf(item)}.json`, item.values.text) } };
}

function placeManifests(item: KubectlPackageView, place: Place): KubectlPackageView {
  const placed = <T extends DocumentView>(documents: readonly T[], name: string): T[] =>
    documents.map((document, index) => {
      if (hasMarks(item, document.text)) return document;
      const path = `manifests/${stemOf(item)}/${name}-${String(index + 1).padStart(2, '0')}.yaml`;
      return { ...document, text: '', file: place(path, document.text) };
    });
  return {
    ...item,
    crdDocuments: placed(item.crdDocuments, 'crd'),
    hooksBefore: placed(item.hooksBefore, 'hook-before'),
    documents: placed(item.documents, 'resources'),
    hooksAfter: placed(item.hooksAfter, 'hook-after'),
  };
}
