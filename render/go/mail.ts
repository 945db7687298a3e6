// Validates mail addresses.
// Mirrors: Go 1.23, net/mail, message.go, `ParseAddress`.

import { parseIp } from './net.ts';
import { isValidUtf8 } from './utf8.ts';

/** Reports whether a text is a single RFC 5322 address, such as `a@b.org` or `Bob <bob@x.org>`. */
export function isMailAddress(text: string): boolean {
  if (!isValidUtf8(text)) return false;
  try {
    const parser = new AddressParser(text);
    return parser.address(true) === 1 && parser.skipComments() && parser.isAtEnd;
  } catch (error) {
    if (error instanceof NoAddress) return false;
    throw error;
  }
}

class NoAddress extends Error {}

const specials = '()<>[]:;@\\,"';

class AddressParser {
  readonly #text: string;
  #pos = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#pos >= this.#text.length;
  }

  /** Reads an address, or a group if allowed, and returns the number of addresses. */
  address(mayBeGroup: boolean): number {
    this.#skipBlanks();
    const start = this.#pos;
    if (!this.#tries(() => this.#plainAddress())) {
      this.#pos = start;
      return this.#namedAddress(mayBeGroup);
    }
    this.#skipBlanks();
    if (this.#peek() === '(' && !this.#comment()) this.#fail();
    return 1;
  }

  /** Skips white space and comments; false if a comment is not closed. */
  skipComments(): boolean {
    this.#skipBlanks();
    while (this.#peek() === '(') {
      if (!this.#comment()) return false;
      this.#skipBlanks();
    }
    return true;
  }

  #namedAddress(mayBeGroup: boolean): number {
    if (this.#peek() !== '<') this.#phrase();
    this.#skipBlanks();
    if (mayBeGroup && this.#take(':')) return this.#group();
    this.#need('<');
    this.#plainAddress();
    this.#need('>');
    return 1;
  }

  #group(): number {
    this.#skipBlanks();
    if (this.#take(';')) return this.skipComments() ? 0 : this.#fail();
    for (let count = 0; ; ) {
      count += this.address(false);
      if (!this.skipComments()) this.#fail();
      if (this.#take(';')) return this.skipComments() ? count : this.#fail();
      this.#need(',');
    }
  }

  // addr-spec = (dot-atom / quoted-string) "@" (dot-atom / domain-literal)
  #plainAddress(): void {
    this.#skipBlanks();
    if (this.#peek() !== '"') this.#atom(true);
    else if (this.#quoted() === '') this.#fail();
    this.#need('@');
    this.#skipBlanks();
    if (this.#peek() === '[') this.#domainLiteral();
    else this.#atom(true);
  }

  // Go accepts dots anywhere within a name.
  #phrase(): void {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) this.#fail();
      this.#skipBlanks();
      const start = this.#pos;
      if (this.#tries(() => (this.#peek() === '"' ? this.#quoted() : this.#atom(false)))) continue;
      if (words === 0) this.#fail();
      this.#pos = start;
      return;
    }
  }

  #atom(isStrict: boolean): void {
    const start = this.#pos;
    while (isVisible(this.#peek()) && !specials.includes(this.#peek())) this.#pos++;
    const atom = this.#text.slice(start, this.#pos);
    if (atom === '') this.#fail();
    if (isStrict && (atom.startsWith('.') || atom.endsWith('.') || atom.includes('..'))) this.#fail();
  }

  #quoted(): string {
    const start = ++this.#pos;
    while (this.#peek() !== '"') {
      if (this.#peek() === '\\') this.#pos++;
      if (!isVisible(this.#peek()) && !isBlank(this.#peek())) this.#fail();
      this.#pos++;
    }
    return this.#text.slice(start, this.#pos++);
  }

  #domainLiteral(): void {
    const start = ++this.#pos;
    while (isVisible(this.#peek()) && !'[]\\'.includes(this.#peek())) this.#pos++;
    const literal = this.#text.slice(start, this.#pos);
    this.#need(']');
    if (parseIp(literal) === undefined) this.#fail();
  }

  #comment(): boolean {
    let depth = 0;
    do {
      if (this.isAtEnd) return false;
      const char = this.#peek();
      if (char === '\\' && this.#pos + 1 < this.#text.length) this.#pos++;
      else if (char === '(') depth++;
      else if (char === ')') depth--;
      this.#pos++;
    } while (depth > 0);
    return true;
  }

  #skipBlanks(): void {
    while (isBlank(this.#peek())) this.#pos++;
  }

  #peek(): string {
    return this.#text.charAt(this.#pos);
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#pos++;
    return true;
  }

  #need(char: string): void {
    if (!this.#take(char)) this.#fail();
  }

  #tries(step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      if (error instanceof NoAddress) return false;
      throw error;
    }
  }

  #fail(): never {
    throw new NoAddress();
  }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}

// VCHAR and non-ASCII characters, including both units of a surrogate pair.
function isVisible(char: string): boolean {
  return (char >= '!' && char <= '~') || char >= '\x80';
}
