// Template errors in Go's words: parse errors and execution errors.
// Mirrors: Go, text/template, exec.go `errorf` and parse/parse.go `errorf`, 1.23.

import type { Place } from '../core/errors.ts';
import { quote } from '../go/number.ts';
import { isError } from '../go/realm.ts';
import { GoError } from '../go/value.ts';
import { type Node, printNode, type Template } from './nodes.ts';
import type { Source } from './source.ts';

/** A text that is not a valid template. `message` is Go's whole message, `reason` its last part. */
export class TemplateParseError extends GoError {
  override readonly name = 'TemplateParseError';
  /** The place of the last token that was read. */
  override readonly place: Place;
  readonly reason: string;

  /** `line` is the line in Go's message, which does not count lines inside comments. */
  constructor(source: Source, at: { readonly line: number; readonly offset: number }, reason: string) {
    super(`template: ${source.name}:${at.line}: ${reason}`);
    const { line, character } = source.position(at.offset);
    this.place = { file: source.name, line, column: character };
    this.reason = reason;
  }
}

/**
 * An execution that failed. `message` is Go's whole message; `cause` is the error of the called function, if any. It is another
 * `TemplateExecError` if that function executed a template.
 */
export class TemplateExecError extends GoError {
  override readonly name = 'TemplateExecError';
  /** The place of the node that failed. */
  override readonly place: Place;
  /** The name of the executing template: that of a `define`, or of the file. */
  readonly template: string;
  readonly reason: string;
  // Not enumerable: tools that print errors print their members, and a whole file is too much.
  readonly #source: Source;
  readonly #node: Node;

  constructor(template: Template, node: Node, reason: string, cause?: Error) {
    const { line, column, character } = template.source.position(node.offset);
    const file = template.source.name;
    const where = `${file}:${line}:${column}: executing ${quote(template.name)} at <${printNode(node)}>`;
    super(`template: ${where}: ${reason}`, { cause });
    this.place = { file, line, column: character };
    this.template = template.name;
    this.reason = reason;
    this.#source = template.source;
    this.#node = node;
  }

  get source(): Source {
    return this.#source;
  }

  get node(): Node {
    return this.#node;
  }
}

/** Returns the execution errors among an error and its causes, the outermost first. */
export function execErrorsIn(error: Error): readonly TemplateExecError[] {
  const found: TemplateExecError[] = [];
  for (let at: unknown = error; isError(at); at = at.cause) if (at instanceof TemplateExecError) found.push(at);
  return found;
}
