// Writes what each release of Kubernetes' Go types says about deprecated APIs, from its sources:
//
//   node --import tsx scripts/kube/deprecations.ts      needs Go and its module proxy

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

// The newest patch of k8s.io/api that a Helm is built with, by minor version.
const modules = ['v0.32.2', 'v0.33.3', 'v0.34.2', 'v0.35.1', 'v0.36.2', 'v0.37.1'];
const target = 'render/inspect/deprecations.generated.ts';

async function folderOf(version: string): Promise<string> {
  const { stdout } = await execa('go', ['mod', 'download', '-json', `k8s.io/api@${version}`]);
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

async function readPackage(folder: string, version: string): Promise<string[]> {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '');
  const text = (await read('zz_generated.prerelease-lifecycle.go')) + (await read('lifecycle.go'));
  const group = /GroupName\s*=\s*"([^"]*)"/.exec(await read('register.go'))?.[1] ?? '';
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const versionsOf = (what: string): Map<string, string> => {
    const pattern = new RegExp(`\\(in \\*(\\w+)\\) APILifecycle${what}\\(\\).*\\{\\s*return (\\d+), (\\d+)`, 'g');
    return new Map([...text.matchAll(pattern)].map(([, kind = '', major, minor]) => [kind, `${major}.${minor}`]));
  };
  const replacement =
    /\(in \*(\w+)\) APILifecycleReplacement\(\).*\{\s*return .*\{Group: ?"(.*)", Version: ?"(.*)", Kind: ?"(.*)"\}/g;
  const replacements = new Map(
    [...text.matchAll(replacement)].map(([, kind = '', to, by, as]) => [
      kind,
      ` ${to === '' ? by : `${to}/${by}`} ${as}`,
    ]),
  );
  const removed = versionsOf('Removed');
  return [...versionsOf('Deprecated')].map(
    ([kind, since]) => `${apiVersion} ${kind} ${since} ${removed.get(kind) ?? '-'}${replacements.get(kind) ?? ''}`,
  );
}

const found = new Map<string, number[]>();
for (const module of modules) {
  const minor = Number(module.split('.')[1]);
  const folder = await folderOf(module);
  for (const group of await readdir(folder, { withFileTypes: true })) {
    if (!group.isDirectory()) continue;
    for (const version of await readdir(join(folder, group.name))) {
      for (const line of await readPackage(join(folder, group.name, version), version)) {
        found.set(line, [...(found.get(line) ?? []), minor]);
      }
    }
  }
}
const lines = [...found].map(([line, minors]) => `${line} @${minors[0]}-${minors.at(-1)}`).sort();
await writeFile(
  target,
  `// Made by scripts/kube/deprecations.ts. Do not edit.

/**
 * Deprecated APIs as the releases of k8s.io/api have them: since when, removed when, what replaces them, and the minor
 * versions of the releases that say so.
 */
export const deprecations = \`
${lines.join('\n')}
\`;
`,
);
console.log(`${target}: ${lines.length} lines`);
