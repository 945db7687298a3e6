// All members of a YAML text with their places, in one pass over the tokens.

import { keyText } from './key.ts';
import { readSource } from './reader.ts';
import { resolvePlain } from './scalar.ts';
import { YamlScanner, type YamlTokenKind } from './scanner.ts';

/** A member of a mapping, or an entry of a list. */
export interface YamlMember {
  /** The path of the member. */
  readonly steps: readonly (string | number)[];
  /** The place of its key or dash, from 1. */
  readonly line: number;
  readonly column: number;
  /** For an entry of a list: the position of its content, or whether it is a `key: value` pair within `[]`. */
  readonly content?: { readonly line: number; readonly column: number } | 'pair';
}

// Deeper members belong to their parent.
const maxDepth = 1000;

/** Returns the members of a YAML text, in text order; of an invalid text those that can be read. Throws GoError. */
export function listMembers(text: string): readonly YamlMember[] {
  return readMembers(text).members;
}

/** Returns the duplicate keys, each with the line of its value, as in go-yaml's strict mode. */
export function listRepeatedKeys(text: string): readonly { readonly key: string; readonly line: number }[] {
  return readMembers(text).repeats;
}

/** Reads the members of a text that was already parsed as YAML. */
export function readMembers(text: string): Lister {
  const scanner = new YamlScanner(readSource(text));
  // The text may have been parsed as JSON before; YAML is not affected.
  scanner.takesJson = true;
  while (/^(stream-start|directive|document-start)$/.test(scanner.peek())) scanner.skip();
  const lister = new Lister(scanner);
  lister.inNode([]);
  return lister;
}

/** Returns for each line of a text (from 0) the path of what begins or continues there. */
export function stepsByLine(text: string): readonly (readonly (string | number)[])[] {
  const lines: (readonly (string | number)[])[] = [];
  const members = listMembers(text);
  let at = 0;
  let last: readonly (string | number)[] = [];
  const count = text.split('\n').length;
  for (let line = 1; line <= count; line++) {
    const start = at;
    while (members[at]?.line === line) at++;
    if (at > start) last = commonSteps(members.slice(start, at));
    lines.push(last);
  }
  return lines;
}

// `- name: x` begins an entry and its name: the name is returned. `{a: 1, b: 2}` begins two, and the parent is returned.
function commonSteps(members: readonly YamlMember[]): readonly (string | number)[] {
  const longest = members.reduce((a, b) => (b.steps.length > a.steps.length ? b : a)).steps;
  const isChain = members.every(({ steps }) => steps.every((step, at) => step === longest[at]));
  if (isChain) return longest;
  const [first] = members as readonly [YamlMember];
  const shared = first.steps.findIndex((step, at) => members.some(({ steps }) => steps[at] !== step));
  return shared < 0 ? first.steps : first.steps.slice(0, shared);
}

class Lister {
  readonly members: YamlMember[] = [];
  /** The place of the document. */
  readonly start: { readonly line: number; readonly column: number };
  /** The first member whose key is a duplicate in the same mapping. Merged entries (`<<`) do not count. */
  repeated: YamlMember | undefined;
  /** All duplicate keys with the lines of their values. */
  readonly repeats: { readonly key: string; readonly line: number }[] = [];
  readonly #scanner: YamlScanner;

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner;
    this.start = this.#here();
  }

  /** Skips the next node. */
  inNode(steps: readonly (string | number)[]): void {
    this.#skipProperties();
    const kind = this.#scanner.peek();
    if (steps.length === maxDepth) this.#skipNode(kind);
    else if (kind === 'mapping-start' || kind === '{') this.#inMapping(steps);
    else if (kind === 'sequence-start' || kind === '[' || kind === '-') this.#inSequence(steps);
    else if (!isEmpty(kind)) this.#scanner.skip();
  }

  #inMapping(steps: readonly (string | number)[]): void {
    const scanner = this.#scanner;
    scanner.skip();
    const names = new Set<string>();
    for (let kind = scanner.peek(); !isEnd(kind); kind = scanner.peek()) {
      if (kind === ',') scanner.skip();
      else this.#inPair(steps, names);
    }
    scanner.skip();
  }

  #inPair(steps: readonly (string | number)[], names = new Set<string>()): void {
    const scanner = this.#scanner;
    if (scanner.peek() === 'key') scanner.skip();
    const place = this.#here();
    const { key, isName } = this.#takeKey();
    const inner = [...steps, key];
    const member = { steps: inner, ...place };
    this.members.push(member);
    const isRepeated = isName && names.has(key);
    if (isRepeated) this.repeated ??= member;
    if (isName) names.add(key);
    const hasValue = scanner.peek() === 'value';
    if (hasValue) scanner.skip();
    const { line } = this.#here();
    if (hasValue) this.inNode(inner);
    if (isRepeated) this.repeats.push({ key, line });
  }

  // `isName` is false for what has no name of its own: an alias, nothing, or a `<<`.
  #takeKey(): { readonly key: string; readonly isName: boolean } {
    this.#skipProperties();
    const kind = this.#scanner.peek();
    const { value } = this.#scanner;
    if (kind !== 'value') this.#skipNode(kind);
    if (kind === 'quoted') return { key: value, isName: true };
    if (kind !== 'plain') return { key: '', isName: false };
    return { key: keyText(resolvePlain(value)) ?? value, isName: value !== '<<' };
  }

  #inSequence(steps: readonly (string | number)[]): void {
    const scanner = this.#scanner;
    const isFlow = scanner.peek() === '[';
    // The dashes of a list below a key need not be deeper than the key: such a list has no start or end token.
    const hasEnd = scanner.peek() !== '-';
    if (hasEnd) scanner.skip();
    for (let index = 0; !isEnd(scanner.peek()) && (hasEnd || scanner.peek() === '-'); ) {
      const kind = scanner.peek();
      const dash = this.#here();
      // In an invalid text, anything may follow an entry of a block.
      const isEntry = isFlow ? kind !== ',' : kind === '-';
      if (kind === '-' || !isEntry) scanner.skip();
      if (!isEntry) continue;
      const inner = [...steps, index++];
      const next = scanner.peek();
      const isPair = isFlow && (next === 'key' || next === 'value');
      const content = isPair ? 'pair' : next === '-' || isEmpty(next) ? dash : this.#here();
      this.members.push({ steps: inner, ...dash, content });
      if (isPair) this.#inPair(inner);
      else if (next !== '-') this.inNode(inner);
    }
    if (hasEnd) scanner.skip();
  }

  #here(): { readonly line: number; readonly column: number } {
    this.#scanner.peek();
    const { line, column } = this.#scanner.start;
    return { line: line + 1, column: column + 1 };
  }

  #skipProperties(): void {
    for (let kind = this.#scanner.peek(); kind === 'anchor' || kind === 'tag'; kind = this.#scanner.peek()) {
      this.#scanner.skip();
    }
  }

  #skipNode(kind: YamlTokenKind): void {
    if (isEmpty(kind)) return;
    let open = 0;
    do {
      const next = this.#scanner.peek();
      if (next === 'stream-end') return;
      if (/^(mapping-start|sequence-start|\{|\[)$/.test(next)) open++;
      if (/^(block-end|\}|\])$/.test(next)) open--;
      this.#scanner.skip();
    } while (open > 0);
  }
}

function isEnd(kind: YamlTokenKind): boolean {
  return kind === 'block-end' || kind === '}' || kind === ']' || kind === 'stream-end' || kind === 'document-end';
}

// An empty value has no token: the next token belongs to something else.
function isEmpty(kind: YamlTokenKind): boolean {
  return isEnd(kind) || kind === 'key' || kind === 'value' || kind === ',';
}
