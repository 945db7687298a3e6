// The YAML scanner: characters to tokens, indentation to the start and end of block collections.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), scannerc.go, with the same tokens, look-ahead and errors.

import {
  APOSTROPHE,
  COLON,
  COMMA,
  HASH,
  HYPHEN,
  isBlankOrEnd,
  isDocumentMark,
  LF,
  NUL,
  PERCENT,
  QUOTE,
  SPACE,
  TAB,
  type TokenPlace,
  YamlCursor,
} from './cursor.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalars.ts';
import { type Directive, scanAnchor, scanDirective, scanTag, type WrittenTag } from './scan-tags.ts';

/** The kind of a token. A block sequence or mapping has a `-start` and an `end`; a flow one has its brackets. */
export type YamlTokenKind =
  | 'stream-start'
  | 'stream-end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'sequence-start'
  | 'mapping-start'
  | 'block-end'
  | '['
  | ']'
  | '{'
  | '}'
  | '-'
  | ','
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'plain'
  | 'quoted';

interface YamlToken extends TokenPlace {
  readonly kind: YamlTokenKind;
  readonly value: string;
  readonly detail: Directive | WrittenTag | undefined;
}

// The place on each flow level at which a key without `?` may have started; it is a key if a `:` follows on its line.
class SimpleKey {
  possible = false;
  required = false;
  /** The number of its first token, counted from the start of the stream. */
  token = 0;
  /** Whether that token is queued until it is known whether it starts a key. */
  watched = false;
  pos = 0;
  line = 0;
  column = 0;
}

// Maximum length of a key in characters.
const maxKeyLength = 1024;

/** The tokens of a YAML text, one by one: `peek` at the kind, read `value`, `detail` and `start`, then `skip` it. */
export class YamlScanner extends YamlCursor {
  // The tokens from `#head` up to `#end` are scanned and not consumed yet. The list is reused, because an emptied array frees its space.
  readonly #queue: YamlToken[] = [];
  #head = 0;
  #end = 0;
  #skipped = 0;
  /** Whether the first token of the queue is final. */
  #available = false;
  readonly #indents: number[] = [];
  readonly #keys: SimpleKey[] = [new SimpleKey()];
  #keyAllowed = true;
  #started = false;
  /** The column of the token being scanned. */
  #column = 0;

  /** Returns the kind of the next token. */
  peek(): YamlTokenKind {
    if (!this.#available) this.#fetchMore();
    return this.#queue[this.#head]!.kind;
  }

  /** The value of the peeked token: a scalar's text, or the name of an anchor or an alias. */
  get value(): string {
    return this.#queue[this.#head]!.value;
  }

  /** The content of a tag or a directive. */
  get detail(): Directive | WrittenTag {
    return this.#queue[this.#head]!.detail!;
  }

  /** The place at which the peeked token starts. */
  get start(): TokenPlace {
    return this.#queue[this.#head]!;
  }

  /** Consumes the peeked token. */
  skip(): void {
    this.#available = false;
    this.#skipped++;
    if (++this.#head === this.#end) this.#head = this.#end = 0;
  }

  #push(kind: YamlTokenKind, line: number, value = '', detail?: Directive | WrittenTag): void {
    this.#queue[this.#end++] = { kind, line, column: this.#column, value, detail };
  }

  // Inserts a token before the one with the given number, or at the end if that one is gone.
  #insert(number: number, kind: YamlTokenKind, { line, column }: TokenPlace): void {
    this.#push(kind, line);
    if (number < this.#skipped) return;
    const at = this.#head + number - this.#skipped;
    this.#queue.copyWithin(at + 1, at, this.#end - 1);
    this.#queue[at] = { kind, line, column, value: '', detail: undefined };
  }

  // Scans until the first token of the queue is final: no `:` can turn it into a key any more.
  #fetchMore(): void {
    while (this.#head === this.#end || this.#mayHeadBeKey()) this.#fetch();
    this.#available = true;
  }

  #mayHeadBeKey(): boolean {
    for (let level = this.flowLevel; level >= 0; level--) {
      const key = this.#keys[level]!;
      if (key.watched && key.token === this.#skipped) return this.#isKeyAlive(key);
    }
    return false;
  }

  #fetch(): void {
    if (!this.#started) {
      this.#started = true;
      this.#push('stream-start', this.line);
      return;
    }
    this.#skipToToken();
    const column = this.pos - this.lineStart;
    this.#column = column;
    if (this.indent > column) this.#closeBlocks(column);
    const unit = this.unit;
    if (unit === NUL) this.#fetchStreamEnd();
    else if (column === 0 && unit === PERCENT) this.#fetchDirective();
    else if (column === 0 && isDocumentMark(this.text, this.pos)) this.#fetchDocumentMark(unit);
    else this.#fetchNodePart(unit);
  }

  #fetchNodePart(unit: number): void {
    switch (unit) {
      case 91: // [
      case 123: // {
        this.#fetchFlowStart(unit === 91 ? '[' : '{');
        break;
      case 93: // ]
      case 125: // }
        this.#fetchFlowEnd(unit === 93 ? ']' : '}');
        break;
      case COMMA:
        this.#fetchFlowEntry();
        break;
      case HYPHEN:
        if (isBlankOrEnd(this.text.charCodeAt(this.pos + 1))) this.#fetchEntry();
        else this.#fetchScalar('plain');
        break;
      case 63: // ?
        if (this.#isIndicator()) this.#fetchKey();
        else this.#fetchScalar('plain');
        break;
      case COLON:
        if (this.#isIndicator()) this.#fetchValue();
        else this.#fetchScalar('plain');
        break;
      case 42: // *
      case 38: // &
      case 33: // !
        this.#fetchProperty(unit);
        break;
      case APOSTROPHE:
      case QUOTE:
        this.#fetchScalar('quoted');
        break;
      case 124: // |
      case 62: // >
        if (this.flowLevel > 0) this.#failToStart();
        this.#fetchBlockScalar(unit === 124);
        break;
      case TAB:
      case HASH:
      case PERCENT:
      case 64: // @
      case 96: // `
        this.#failToStart();
        break;
      default:
        this.#fetchScalar('plain');
    }
  }

  #failToStart(): never {
    this.fail('found character that cannot start any token');
  }

  // Reports whether `?` or `:` is an indicator: in brackets always, else before a blank.
  #isIndicator(): boolean {
    return this.flowLevel > 0 || isBlankOrEnd(this.text.charCodeAt(this.pos + 1));
  }

  // Skips white space, comments and line breaks. A tab must not be where a key could start.
  #skipToToken(): void {
    const { text } = this;
    // A second byte order mark is skipped, but counts as a column.
    if (this.pos === 0 && text.charCodeAt(0) === 0xfeff) this.pos++;
    for (;;) {
      const tabs = this.flowLevel > 0 || !this.#keyAllowed;
      let unit = text.charCodeAt(this.pos);
      while (unit === SPACE || (unit === TAB && tabs)) unit = text.charCodeAt(++this.pos);
      if (unit === HASH) {
        this.pos = this.lineEnd(this.pos);
        unit = text.charCodeAt(this.pos);
      }
      if (unit === LF) {
        this.line++;
        this.lineStart = ++this.pos;
      } else if ((unit > HASH && unit < 0x85) || this.readBreak() === '') return;
      if (this.flowLevel === 0) this.#keyAllowed = true;
    }
  }

  // ---- simple keys

  #isKeyAlive(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.line === this.line && !this.#isTooLong(key.pos)) return true;
    if (key.required) this.fail("could not find expected ':'");
    key.possible = false;
    return false;
  }

  #isTooLong(from: number): boolean {
    if (this.pos - from <= maxKeyLength) return false;
    return [...this.text.slice(from, this.pos)].length > maxKeyLength;
  }

  // Records that the next token may start a key.
  #saveKey(): void {
    if (!this.#keyAllowed) return;
    this.#removeKey();
    this.#noteKey(this.pos, this.line, this.lineStart);
  }

  #noteKey(pos: number, line: number, lineStart: number): void {
    const key = this.#keys[this.flowLevel]!;
    key.possible = true;
    key.column = pos - lineStart;
    key.required = this.flowLevel === 0 && this.indent === key.column;
    key.token = this.#skipped + this.#end - this.#head;
    key.pos = pos;
    key.line = line;
    key.watched = true;
  }

  #removeKey(): void {
    const key = this.#keys[this.flowLevel]!;
    if (!key.possible) return;
    if (key.required) this.fail("could not find expected ':'");
    key.possible = key.watched = false;
  }

  // ---- indentation

  // Starts a block collection if the column is deeper than the open one; its first token has the given number.
  #openBlock(column: number, kind: 'sequence-start' | 'mapping-start', line: number, number?: number): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.#indents.push(this.indent);
    this.indent = column;
    if (number === undefined) this.#push(kind, line);
    else this.#insert(number, kind, { line, column });
  }

  #closeBlocks(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.#push('block-end', this.line);
      this.indent = this.#indents.pop()!;
    }
  }

  // ---- one token each

  #fetchStreamEnd(): void {
    if (this.pos !== this.lineStart) {
      this.lineStart = this.pos;
      this.line++;
    }
    this.#closeBlocks(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#push('stream-end', this.line);
  }

  #fetchDirective(): void {
    this.#closeBlocks(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    const line = this.line;
    this.#push('directive', line, '', scanDirective(this));
  }

  #fetchDocumentMark(unit: number): void {
    this.#closeBlocks(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.pos += 3;
    this.#push(unit === HYPHEN ? 'document-start' : 'document-end', this.line);
  }

  #fetchFlowStart(kind: '[' | '{'): void {
    this.#saveKey();
    this.flowLevel++;
    let key = this.#keys[this.flowLevel];
    if (key === undefined) {
      key = new SimpleKey();
      this.#keys.push(key);
    }
    key.possible = key.watched = false;
    key.token = this.#skipped + this.#end - this.#head;
    this.#keyAllowed = true;
    this.pos++;
    this.#push(kind, this.line);
  }

  #fetchFlowEnd(kind: ']' | '}'): void {
    this.#removeKey();
    if (this.flowLevel > 0) {
      const inner = this.#keys[this.flowLevel]!;
      const outer = this.#keys[--this.flowLevel]!;
      // For an empty collection Go forgets that its bracket may have started a key.
      if (outer.token === inner.token) outer.watched = false;
    }
    this.#keyAllowed = false;
    this.pos++;
    this.#push(kind, this.line);
  }

  #fetchFlowEntry(): void {
    this.#removeKey();
    this.#keyAllowed = true;
    this.pos++;
    this.#push(',', this.line);
  }

  #fetchEntry(): void {
    if (this.flowLevel === 0) {
      if (!this.#keyAllowed) this.fail('block sequence entries are not allowed in this context');
      this.#openBlock(this.pos - this.lineStart, 'sequence-start', this.line);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.pos++;
    this.#push('-', this.line);
  }

  #fetchKey(): void {
    if (this.flowLevel === 0) {
      if (!this.#keyAllowed) this.fail('mapping keys are not allowed in this context');
      this.#openBlock(this.pos - this.lineStart, 'mapping-start', this.line);
    }
    this.#removeKey();
    this.#keyAllowed = this.flowLevel === 0;
    this.pos++;
    this.#push('key', this.line);
  }

  #fetchValue(): void {
    const key = this.#keys[this.flowLevel]!;
    if (this.#isKeyAlive(key)) {
      this.#insert(key.token, 'key', key);
      this.#openBlock(key.column, 'mapping-start', key.line, key.token);
      key.possible = key.watched = false;
      this.#keyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.#keyAllowed) this.fail('mapping values are not allowed in this context');
        this.#openBlock(this.pos - this.lineStart, 'mapping-start', this.line);
      }
      this.#keyAllowed = this.flowLevel === 0;
    }
    this.pos++;
    this.#push('value', this.line);
  }

  #fetchProperty(unit: number): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const line = this.line;
    if (unit === 33) this.#push('tag', line, '', scanTag(this));
    else this.#push(unit === 42 ? 'alias' : 'anchor', line, scanAnchor(this));
  }

  #fetchBlockScalar(literal: boolean): void {
    this.#removeKey();
    this.#keyAllowed = true;
    const line = this.line;
    this.#push('quoted', line, scanBlock(this, literal));
  }

  // A plain or quoted scalar. With a `:` directly after it, it is a key and needs no look-ahead.
  #fetchScalar(kind: 'plain' | 'quoted'): void {
    const { pos, line, lineStart } = this;
    const mayBeKey = this.#keyAllowed;
    if (mayBeKey) this.#removeKey();
    this.#keyAllowed = false;
    this.freshLine = false;
    const value = kind === 'plain' ? scanPlain(this) : scanQuoted(this);
    if (mayBeKey) {
      if (this.line === line && this.pos - pos <= maxKeyLength && this.unit === COLON && this.#isIndicator()) {
        this.#keys[this.flowLevel]!.token = this.#skipped + this.#end - this.#head;
        this.#openBlock(pos - lineStart, 'mapping-start', line);
        this.#push('key', line);
        this.#push(kind, line, value);
        this.#push('value', line);
        this.pos++;
        return;
      }
      this.#noteKey(pos, line, lineStart);
    }
    this.#push(kind, line, value);
    if (this.freshLine) this.#keyAllowed = true;
  }
}
