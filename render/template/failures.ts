// What goes wrong in a template, in Go's words: the text is not a template, or its execution stops.
// Mirrors: Go, text/template, exec.go `errorf` and parse/parse.go `errorf`, 1.23.

import type { Place } from '../core/errors.ts';
import { quote } from '../go/number.ts';
import { isError } from '../go/realm.ts';
import { GoError } from '../go/value.ts';
import { type Node, printNode, type Template } from './nodes.ts';
import type { Source } from './source.ts';

/** A text that is not a template. `message` is Go's whole text, `reason` its last part. */
export class TemplateParseError extends GoError {
  override readonly name = 'TemplateParseError';
  /** The place of the last token that was looked at. */
  override readonly place: Place;
  readonly reason: string;

  /** `line` is Go's, which leaves out lines inside comments. */
  constructor(source: Source, at: { readonly line: number; readonly offset: number }, reason: string) {
    super(`template: ${source.name}:${at.line}: ${reason}`);
    const { line, character } = source.position(at.offset);
    this.place = { file: source.name, line, column: character };
    this.reason = reason;
  }
}

/**
 * An execution that stopped. `message` is Go's whole text; `cause` is the error of the called function, if one stopped it,
 * which may be another `TemplateExecError` when that function ran a template itself.
 */
export class TemplateExecError extends GoError {
  override readonly name = 'TemplateExecError';
  /** The place of the node that failed. */
  override readonly place: Place;
  /** The name of the template that was running: a `define`'s, or the file's own. */
  readonly template: string;
  readonly reason: string;
  // What prints an error prints its members; a whole file is too much for that.
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

  /** The text that the template is in. */
  get source(): Source {
    return this.#source;
  }

  /** The node that failed. */
  get node(): Node {
    return this.#node;
  }
}

/** Returns the executions that stopped in an error and its causes, the outermost first. */
export function execErrorsIn(error: Error): readonly TemplateExecError[] {
  const found: TemplateExecError[] = [];
  for (let at: unknown = error; isError(at); at = at.cause) if (at instanceof TemplateExecError) found.push(at);
  return found;
}
