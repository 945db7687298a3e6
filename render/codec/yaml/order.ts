// The order of keys in written YAML: numbers within names are compared as numbers, so that `a2` comes before `a10`.
// Mirrors: go-yaml v2 and v3 (sigs.k8s.io/yaml 1.4.0), sorter.go, `keyList.Less`.

import { isDigit, isLetter } from '../../go/letters.ts';
import { runeOf } from '../../go/unicode.ts';
import type { CodecRules } from '../rules.ts';

/** Returns the keys in the order in which they are written. */
export function orderKeys(keys: string[], order: CodecRules['yamlKeys']): string[] {
  if (keys.length < 2) return keys;
  return keys.sort((a, b) => (a === b ? 0 : isBefore(a, b, order) ? -1 : 1));
}

function isLowerLetter(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

// Go's `loose` order is not transitive for names such as `a1a`, `a2`, `a10`: Helm itself then varies from run to run.
function isBefore(a: string, b: string, order: CodecRules['yamlKeys']): boolean {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at < length && isLowerLetter(a.charCodeAt(at)) && isLowerLetter(b.charCodeAt(at))) {
    return a.charCodeAt(at) < b.charCodeAt(at);
  }
  return isBeforeByRunes([...a], [...b], order);
}

function isBeforeByRunes(a: readonly string[], b: readonly string[], order: CodecRules['yamlKeys']): boolean {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  if (at === length) return a.length < b.length;
  const [first, second] = [a[at]!, b[at]!];
  const [firstIsLetter, secondIsLetter] = [isLetter(first), isLetter(second)];
  const byCode = runeOf(first) < runeOf(second);
  if (firstIsLetter && secondIsLetter) return byCode;
  if (firstIsLetter || secondIsLetter) {
    const afterDigit = order === 'natural' && at > 0 && isDigit(a[at - 1]!);
    return afterDigit ? firstIsLetter : secondIsLetter;
  }
  // Digits that begin with a 0 after a number continue that number.
  const lead = (first === '0' || second === '0') && followsNumber(a, at) ? 1n : 0n;
  const [firstRun, secondRun] = [digitRun(a, at), digitRun(b, at)];
  const [firstNumber, secondNumber] = [numberOf(lead, firstRun), numberOf(lead, secondRun)];
  if (firstNumber !== secondNumber) return firstNumber < secondNumber;
  if (firstRun.length !== secondRun.length) return firstRun.length < secondRun.length;
  return byCode;
}

// Reports whether the digits directly before an offset contain a digit other than zero.
function followsNumber(runes: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && isDigit(runes[i]!); i--) if (runes[i] !== '0') return true;
  return false;
}

function digitRun(runes: readonly string[], at: number): readonly string[] {
  let end = at;
  while (end < runes.length && isDigit(runes[end]!)) end++;
  return runes.slice(at, end);
}

// A digit of another script counts by its distance from `0`, and a long number overflows, as in Go.
function numberOf(lead: bigint, run: readonly string[]): bigint {
  return run.reduce((number, rune) => BigInt.asIntN(64, number * 10n + BigInt(runeOf(rune) - 48)), lead);
}
