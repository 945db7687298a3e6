// A chart with unusual features: a list, an object named by the server, a definition in an old `crd-install` hook,
// hooks with weights, a hook that is deleted after it has run, and its own namespace.

import { join } from 'node:path';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';

const object = (apiVersion: string, kind: string, name: string, more = ''): string =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n${more}`;

const versions =
  '[{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]';

const crd = (plural: string, kind: string): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `${plural}.x.io`,
    `spec: {group: x.io, scope: Namespaced, names: {plural: ${plural}, kind: ${kind}, singular: ${kind.toLowerCase()}}, versions: ${versions}}\n`,
  );

const hook = (name: string, events: string, weight: number): string =>
  object(
    'v1',
    'ConfigMap',
    `${name}, annotations: {helm.sh/hook: "${events}", helm.sh/hook-weight: "${weight}"}`,
    'data: {a: b}\n',
  );

const files: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v1\nname: odd\nversion: 1.0.0\n',
  'values.yaml': 'nameOverride: odd\n',
  'templates/list.yaml': `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: first-{{ .Values.nameOverride }}}
    data:
      text: |+
        two line breaks at the end

  - {apiVersion: v1, kind: ConfigMap, metadata: {name: second}, data: {text: "a\\tb"}}
`,
  'templates/generated-name.yaml': object(
    'batch/v1',
    'Job',
    'x',
    'spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n',
  ).replace(
    '{name: x}',
    // Helm deletes hooks by name and fails without one, unless the policy is to delete failed hooks only.
    '{generateName: odd-, annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-failed}}',
  ),
  'templates/namespace.yaml': `${object('v1', 'Namespace', 'odd-own')}${object('v1', 'ConfigMap', 'config, namespace: odd-own', 'data: {a: b}\n')}`,
  'templates/crd-install.yaml': crd('olds', 'Old').replace(
    '{name: olds.x.io}',
    '{name: olds.x.io, annotations: {helm.sh/hook: crd-install}}',
  ),
  'templates/hooks.yaml':
    hook('late', 'post-install,post-upgrade', 5) +
    hook('early', 'pre-install,pre-upgrade', -5) +
    hook('middle', 'pre-install', 1),
  'templates/short-lived.yaml': object(
    'batch/v1',
    'Job',
    'short-lived, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}',
    'spec: {ttlSecondsAfterFinished: 0, template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n',
  ),
};

/** Writes the chart to a folder in `home` and returns its path. */
export async function writeOddChart(home: string): Promise<string> {
  const folder = join(home, 'odd');
  await writeFiles(folder, files);
  return folder;
}
