// Validates names, labels and annotations like an API server.
// Mirrors: k8s.io/apimachinery, pkg/api/validation/objectmeta.go and pkg/util/validation; k8s.io/kubernetes, pkg/apis/*/validation, v1.37.

import type { GoMap, GoValue } from '../../go/value.ts';
import { type FieldPath, memberPath, type ObjectViolation, wrongValue } from './fault.ts';

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const keyName = /^(?=.{1,63}$)([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(?=.{0,63}$)(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const pathSegment = /^(?!\.{1,2}$)[^/%]*$/;

interface NameRule {
  readonly pattern: RegExp;
  readonly what: string;
  readonly hint: string;
}

const labelRule: NameRule = {
  pattern: label,
  what: 'DNS label',
  hint: 'Use at most 63 lower-case letters, digits and "-", with a letter or digit at both ends.',
};
const subdomainRule: NameRule = {
  pattern: subdomain,
  what: 'DNS subdomain',
  hint: 'Use lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part.',
};
const segmentRule: NameRule = { pattern: pathSegment, what: 'path segment', hint: 'Leave out "/" and "%".' };

// All other kinds, and custom resources, have DNS subdomains as names.
const ruleOfKind: Readonly<Record<string, NameRule>> = {
  'v1 Namespace': labelRule,
  'v1 Service': labelRule,
  'policy/v1 PodDisruptionBudget': segmentRule,
  ...Object.fromEntries(
    ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'].map((kind) => [
      `rbac.authorization.k8s.io/v1 ${kind}`,
      segmentRule,
    ]),
  ),
};

/** Returns the problem of an object's name, if the server refuses it. */
export function nameFaults(apiVersion: string, kind: string, metadata: GoValue): ObjectViolation[] {
  const name = metadata instanceof Map ? metadata.get('name') : undefined;
  // A missing name is reported elsewhere; the names of IPAddress objects are addresses.
  if (typeof name !== 'string' || name === '' || kind === 'IPAddress') return [];
  const { pattern, what, hint } = ruleOfKind[`${apiVersion} ${kind}`] ?? subdomainRule;
  const path = memberPath(memberPath(undefined, 'metadata'), 'name');
  if (!pattern.test(name)) return [wrongValue(path, `${quoted(name)} is not a ${what}`, hint)];
  if (apiVersion === 'batch/v1' && kind === 'CronJob' && name.length > 52)
    return [wrongValue(path, `the name of a CronJob has at most 52 characters, not ${name.length}`, 'Shorten it.')];
  return [];
}

/** Returns the problems of the labels and annotations of an object, or of a template in it. */
export function metadataFaults(metadata: GoMap, path: FieldPath | undefined): ObjectViolation[] {
  const namespace = metadata.get('namespace');
  const faults: ObjectViolation[] = [];
  if (typeof namespace === 'string' && namespace !== '' && !label.test(namespace)) {
    faults.push(wrongValue(memberPath(path, 'namespace'), `${quoted(namespace)} is not a DNS label`, labelRule.hint));
  }
  faults.push(...labelFaults(metadata.get('labels') ?? null, memberPath(path, 'labels')));
  const annotations = metadata.get('annotations');
  if (!(annotations instanceof Map)) return faults;
  const at = memberPath(path, 'annotations');
  for (const key of annotations.keys()) faults.push(...keyFaults(key.toLowerCase(), key, at));
  return faults;
}

/** Returns the problems of a map of labels: those of an object or of a selector. */
export function labelFaults(labels: GoValue, path: FieldPath): ObjectViolation[] {
  if (!(labels instanceof Map)) return [];
  return [...labels].flatMap(([key, value]) => {
    const faults = keyFaults(key, key, path);
    if (typeof value === 'string' && !labelValue.test(value)) {
      const hint =
        'Use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends: the template may pipe it to trunc 63 and trimSuffix.';
      faults.push(wrongValue(memberPath(path, key), `${quoted(value)} is not a label value`, hint));
    }
    return faults;
  });
}

function keyFaults(key: string, shown: string, path: FieldPath): ObjectViolation[] {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  if (keyName.test(name) && (prefix === undefined || subdomain.test(prefix)) && more.length === 0) return [];
  const hint = 'Write NAME or DOMAIN/NAME; a name has at most 63 letters, digits, "-", "_" and ".".';
  return [wrongValue(memberPath(path, shown), `${quoted(shown)} is not a valid key`, hint)];
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 70 ? `${text.slice(0, 70)}…` : text);
}
