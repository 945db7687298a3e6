// Certificates that are generated while a chart renders: their keys, numbers and signatures are drawn at random, their names are not.

import { DerReader, tags } from '../functions/certificates/der.ts';
import { decodePem } from '../functions/certificates/pem.ts';
import { GoError } from '../go/value.ts';

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Returns two texts with the parts of each certificate as lines, `mark` in place of what differs between the two. Returns them unchanged
 * if they do not hold the same number of certificates.
 */
export function openCertificates(text: string, twin: string, mark: string): readonly [text: string, twin: string] {
  const [own, others] = [text.match(block) ?? [], twin.match(block) ?? []];
  if (own.length === 0 || own.length !== others.length) return [text, twin];
  const opened = own.map((one, at) => openedBlock(one, others[at]!, mark));
  const open = (whole: string): string => {
    let at = 0;
    return whole.replace(block, (one) => opened[at++] ?? one);
  };
  return [open(text), open(twin)];
}

function openedBlock(own: string, other: string, mark: string): string | undefined {
  const [parts, others] = [partsOf(own), partsOf(other)];
  if (parts === undefined || parts.length !== others?.length) return undefined;
  const lines = parts.map((part, at) => (part === others[at] ? part : mark));
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}

function partsOf(pem: string): readonly string[] | undefined {
  const bytes = decodePem(pem)?.bytes;
  return bytes && derParts(bytes);
}

// Every value with its tag, such as `82 web.example.com`; undefined for bytes that are not DER.
function derParts(bytes: Uint8Array): readonly string[] | undefined {
  const parts: string[] = [];
  try {
    for (const reader = new DerReader(bytes); reader.left; ) {
      const { tag, content } = reader.element(undefined, 'not DER');
      const isConstructed = (tag & 0x20) !== 0;
      // Extensions hold DER in a string of bytes.
      const isExtension = tag === tags.octetString && content[0] === tags.sequence;
      const inner = isConstructed || isExtension ? derParts(content) : undefined;
      if (inner === undefined && isConstructed) return undefined;
      parts.push(...(inner ?? [`${hex([tag])} ${valueText(content)}`.trimEnd()]));
    }
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
  return parts;
}

function valueText(content: Uint8Array): string {
  const isText = content.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? String.fromCharCode(...content) : hex(content);
}

function hex(bytes: ArrayLike<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
