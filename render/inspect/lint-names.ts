// Names of objects as `helm lint` checks them.
// Mirrors: helm.sh/helm/v3/pkg/lint/rules, template.go, `validateMetadataName`, v3.17.3;
// k8s.io/apimachinery/pkg/util/validation, validation.go, v0.32.

import { quote } from '../go/number.ts';
import { byteLength } from '../go/utf8.ts';

/** Returns what is wrong with the name of an object of a kind, or undefined. */
export function nameFault(kind: string, name: string): string | undefined {
  const [first, ...more] = checkFor(kind.toLowerCase())(name).map(
    (fault) => `metadata.name: Invalid value: ${quote(name)}: ${fault}`,
  );
  if (first === undefined) return undefined;
  const faults = more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
  return `object name does not conform to Kubernetes naming requirements: ${quote(name)}: ${faults}`;
}

type NameCheck = (name: string) => readonly string[];

function checkFor(kind: string): NameCheck {
  if (kind === 'service') return checkDnsLabel;
  if (kind === 'namespace') return checkLabel;
  if (kind === 'certificatesigningrequest') return () => [];
  return /^(cluster)?role(binding)?$/.test(kind) ? checkPathSegment : checkSubdomain;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsLabel = '[a-z]([-a-z0-9]*[a-z0-9])?';
const subdomain = String.raw`${label}(\.${label})*`;

const checkSubdomain: NameCheck = (name) => [
  ...tooLong(name, 253),
  ...mismatch(
    name,
    subdomain,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', ",
  ),
];

const checkDnsLabel: NameCheck = (name) => [
  ...tooLong(name, 63),
  ...mismatch(
    name,
    dnsLabel,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', ",
  ),
];

const checkLabel: NameCheck = (name) => {
  const faults = mismatch(
    name,
    label,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ",
  );
  const isSubdomain = mismatch(name, subdomain, '').length === 0;
  return [...tooLong(name, 63), ...(faults.length > 0 && isSubdomain ? ['must not contain dots'] : faults)];
};

const checkPathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

function tooLong(name: string, most: number): string[] {
  return byteLength(name) > most ? [`must be no more than ${most} characters`] : [];
}

function mismatch(name: string, pattern: string, words: string): string[] {
  return new RegExp(`^${pattern}$`).test(name) ? [] : [`${words}regex used for validation is '${pattern}')`];
}
