// The flags of klog, the logger of Kubernetes' libraries in Helm.
// Mirrors: k8s.io/klog/v2, klog.go, `Level.Set`, `severityValue.Set`, `moduleSpec.Set`, `traceLocation.Set`, v2.130.1.

import { parseInt64, parseUint64 } from '../go/number.ts';
import { GoError } from '../go/value.ts';

const syntax = {
  vmodule: 'syntax error: expect comma-separated list of filename=N',
  place: 'syntax error: expect file.go:234',
};

/** Checks the value of a klog flag and returns it, by type. Each throws GoError. */
export const logReaders = {
  level: (text: string) => {
    readLevel(text);
    return [text];
  },
  severity: (text: string) => {
    if (!['INFO', 'WARNING', 'ERROR', 'FATAL'].includes(text.toUpperCase())) readLevel(text);
    return [text];
  },
  vmodule: (text: string) => {
    for (const part of text.split(',')) {
      if (part === '') continue;
      const [pattern, level, ...more] = part.split('=');
      if (!pattern || !level || more.length > 0 || !isLevel(level)) throw new GoError(syntax.vmodule);
      if (Number(level) < 0) throw new GoError('negative value for vmodule level');
    }
    return [text];
  },
  codePlace: (text: string) => {
    const [file = '', line = '', ...more] = text.split(':');
    if (text === '') return [text];
    if (more.length > 0 || !file.includes('.') || !/^[+-]?\d+$/.test(line)) throw new GoError(syntax.place);
    if (Number(line) <= 0) throw new GoError('negative or zero value for level');
    return [text];
  },
  size: (text: string) => {
    parseUint64(text, 0);
    return [text];
  },
} satisfies Readonly<Record<string, (text: string) => readonly string[]>>;

function readLevel(text: string): void {
  const level = parseInt64(text, 10);
  if (BigInt.asIntN(32, level) !== level) throw new GoError(`strconv.ParseInt: parsing "${text}": value out of range`);
}

function isLevel(text: string): boolean {
  try {
    readLevel(text);
    return true;
  } catch {
    return false;
  }
}
