// How each Helm version parses --kube-version.

import { quote } from '../go/number.ts';
import { parseVersion } from '../go/semver.ts';
import { GoError } from '../go/value.ts';
import type { KubeVersion } from './helm.ts';

const maxUint64 = 2n ** 64n - 1n;

/**
 * Parses a semantic version. Throws GoError.
 * Mirrors: pkg/chartutil, capabilities.go, `ParseKubeVersion`, v3.17.3.
 */
export function parseSemanticVersion(text: string): KubeVersion {
  const parsed = parseVersion(text);
  const full = `v${parsed.string()}`;
  return { version: full, normalized: full, major: String(parsed.major), minor: String(parsed.minor) };
}

/**
 * Parses a version of at least two numbers and ignores the rest. Throws GoError.
 * Mirrors: pkg/chartutil, capabilities.go, `ParseKubeVersion`, v3.19.0.
 */
export function parseNumericVersion(text: string): KubeVersion {
  const parsed = parseGenericVersion(text);
  return { ...parsed, version: parsed.normalized };
}

/**
 * Parses a version of at least two numbers and keeps the rest. Throws GoError.
 * Mirrors: Helm 4, `ParseKubeVersion`; k8s.io/apimachinery, pkg/util/version, `ParseGeneric`.
 */
export function parseGenericVersion(text: string): KubeVersion {
  const [head = '', numbers] = /^[\t\n\f\r ]*v?([0-9]+(?:\.[0-9]+)*)/.exec(text) ?? [];
  if (numbers === undefined || text.includes('\n', head.length))
    throw new GoError(`could not parse ${quote(text)} as version`);
  const parts = numbers.split('.');
  if (parts.length < 2) throw new GoError(`illegal version string ${quote(text)}`);
  const [major, minor] = parts.map((part, i) => readPart(part, i, text)) as [string, string];
  const normalized = `v${parts.map((part) => BigInt(part)).join('.')}`;
  return { version: text.startsWith('v') ? text : `v${text}`, normalized, major, minor };
}

function readPart(part: string, index: number, text: string): string {
  if (index === 0 && part.startsWith('0') && part !== '0') {
    throw new GoError(`illegal zero-prefixed version component ${quote(part)} in ${quote(text)}`);
  }
  const number = BigInt(part);
  if (number <= maxUint64) return String(number);
  const reason = `strconv.ParseUint: parsing ${quote(part)}: value out of range`;
  throw new GoError(`illegal non-numeric version component ${quote(part)} in ${quote(text)}: ${reason}`);
}
