// The patterns of `.Files.Glob`: `*` and `?` stop at `/`, `**` does not, `[a-z]`, `[!abc]`, `{a,b}`, `\` quotes.
// Mirrors: gobwas/glob, v0.2.3, with the separator `/`.

import { GoError } from './value.ts';

/** A piece of a pattern. A piece of fixed length is matched in a row with its neighbours, see `rowSource`. */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'char'; readonly set: string; readonly negated: boolean }
  | { readonly kind: 'any' }
  | { readonly kind: 'super' }
  | { readonly kind: 'choice'; readonly branches: readonly (readonly Piece[])[] };

/** Gives the test for a pattern. Throws `GoError` if the pattern is malformed. */
export function compileGlob(pattern: string): (name: string) => boolean {
  const pieces = new Reader(pattern).read();
  const [prefix, middle, suffix] = pieces;
  if (pieces.length === 3 && prefix?.kind === 'text' && middle?.kind === 'super' && suffix?.kind === 'text') {
    // Here the library lets both ends overlap: `ab**ba` matches `aba`.
    return (name) => name.startsWith(prefix.text) && name.endsWith(suffix.text);
  }
  const regexp = new RegExp(`^${sourceOf(pieces)}$`, 'su');
  return (name) => regexp.test(name);
}

/** Reads a pattern into pieces. Mirrors: gobwas/glob, syntax/lexer and syntax/ast. */
class Reader {
  private readonly chars: readonly string[];
  private at = 0;
  /** How many `{` are open: `,` and `}` mean something only there. */
  private depth = 0;

  constructor(pattern: string) {
    this.chars = [...pattern];
  }

  read(): Piece[] {
    const pieces: Piece[] = [];
    for (let char = this.chars[this.at]; char !== undefined; char = this.chars[this.at]) {
      if (this.depth > 0 && (char === ',' || char === '}')) break;
      pieces.push(...this.readPiece(char));
    }
    return pieces;
  }

  private readPiece(char: string): Piece[] {
    if (char === '*') {
      const isSuper = this.chars[this.at + 1] === '*';
      this.at += isSuper ? 2 : 1;
      return [{ kind: isSuper ? 'super' : 'any' }];
    }
    if (char === '?') {
      this.at++;
      return [{ kind: 'char', set: '/', negated: true }];
    }
    if (char === '[') {
      this.at++;
      return [this.readSet()];
    }
    if (char === '{') return [this.readChoice()];
    const text = this.readText(this.depth > 0 ? '?*[{},' : '?*[{');
    return text === '' ? [] : [{ kind: 'text', text }];
  }

  // A `{` that is never closed reaches to the end.
  private readChoice(): Piece {
    const branches: Piece[][] = [];
    this.depth++;
    do {
      this.at++;
      branches.push(this.read());
    } while (this.chars[this.at] === ',');
    this.at++;
    this.depth--;
    return { kind: 'choice', branches };
  }

  private readSet(): Piece {
    const negated = this.chars[this.at] === '!';
    if (negated) this.at++;
    const low = this.chars[this.at];
    let set: string;
    if (this.chars[this.at + 1] === '-') {
      const high = this.chars[this.at + 2] ?? '';
      this.at += 3;
      if (low === undefined || high === '' || high < low) throw new GoError('could not parse range');
      set = `${escapeInSet(low)}-${escapeInSet(high)}`;
    } else set = [...this.readText(']')].map(escapeInSet).join('');
    if (this.chars[this.at] === undefined) throw new GoError('unexpected end of input');
    // One range or some characters, but not both: `[a-zA-Z]` is refused.
    if (this.chars[this.at] !== ']') throw new GoError('expected close range character');
    if (set === '') throw new GoError('could not parse range');
    this.at++;
    return { kind: 'char', set, negated };
  }

  private readText(breakers: string): string {
    let text = '';
    for (let char = this.chars[this.at]; char !== undefined && !breakers.includes(char); char = this.chars[this.at]) {
      if (char === '\\') this.at++;
      text += this.chars[this.at++] ?? '';
    }
    return text;
  }
}

function sourceOf(pieces: readonly Piece[]): string {
  let source = '';
  let row: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text' || piece.kind === 'char') {
      row.push(piece);
      continue;
    }
    source += rowSource(row);
    row = [];
    if (piece.kind === 'choice') source += `(?:${piece.branches.map(sourceOf).join('|')})`;
    else source += piece.kind === 'any' ? '[^/]*' : '.*';
  }
  return source + rowSource(row);
}

/**
 * Pieces of fixed length that stand side by side: the library cuts the name by characters but keeps one byte of the
 * last character of each piece. So none may end beyond ASCII, except that the last, if it is a negated set, passes.
 */
function rowSource(row: readonly Piece[]): string {
  const single = row.length === 1;
  return row.map((piece, i) => pieceSource(piece, single, i === row.length - 1)).join('');
}

function pieceSource(piece: Piece, single: boolean, last: boolean): string {
  if (piece.kind === 'text') {
    const cut = !single && /[^\x00-\x7f]$/.test(piece.text);
    return cut ? '(?!)' : piece.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  if (piece.kind !== 'char') return '';
  const set = `[${piece.negated ? '^' : ''}${piece.set}]`;
  return single || (last && piece.negated) ? set : `(?=[\\x00-\\x7f])${set}`;
}

function escapeInSet(char: string): string {
  return /[\\\]^-]/.test(char) ? `\\${char}` : char;
}
