// Records what the releases of Kubernetes' Go types say about deprecated APIs, from their sources:
//
//   node --import tsx scripts/reference/kube-deprecations.ts      needs Go and its module proxy

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleFolder } from './kube-sources.ts';

const modules = [
  // The last types that include PodSecurityPolicy, and the two groups that are not part of k8s.io/api.
  'k8s.io/api@v0.24.17',
  'k8s.io/apiextensions-apiserver@v0.24.17/pkg/apis',
  'k8s.io/kube-aggregator@v0.24.17/pkg/apis',
  // The latest patch that a Helm version is built with, by minor version.
  'k8s.io/api@v0.32.2',
  'k8s.io/api@v0.33.3',
  'k8s.io/api@v0.34.2',
  'k8s.io/api@v0.35.1',
  'k8s.io/api@v0.36.2',
  'k8s.io/api@v0.37.1',
];
const target = 'render/validation/kubernetes/deprecations.generated.ts';

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
  const [, name = '', minor = '', inner = ''] = /^(.*@v0\.(\d+)\.\d+)(.*)$/.exec(module) ?? [];
  const folder = join(await moduleFolder(name), inner);
  for (const group of await readdir(folder, { withFileTypes: true })) {
    if (!group.isDirectory()) continue;
    for (const version of await readdir(join(folder, group.name))) {
      for (const line of await readPackage(join(folder, group.name, version), version)) {
        found.set(line, [...(found.get(line) ?? []), Number(minor)]);
      }
    }
  }
}
const lines = [...found].map(([line, minors]) => `${line} @${minors[0]}-${minors.at(-1)}`).sort();
await writeFile(
  target,
  `// Made by scripts/reference/kube-deprecations.ts. Do not edit.

/**
 * Deprecated APIs as declared by the releases of Kubernetes' Go types: deprecated since, removed in, replacement, and the minor versions
 * that declare this.
 */
export const deprecations = \`
${lines.join('\n')}
\`;
`,
);
console.log(`${target}: ${lines.length} lines`);
