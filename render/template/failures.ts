// What goes wrong in a template, in Go's words: the text is not a template, or its execution stops.
// Mirrors: Go, text/template, exec.go `errorf` and parse/parse.go `errorf`, 1.23.

import { quote } from '../go/number.ts';
import { GoError } from '../go/value.ts';
import { type Node, printNode, type Template } from './nodes.ts';
import type { Position, Source } from './source.ts';

/** A text that is no template. `message` is Go's whole text, `reason` its last part. */
export class TemplateParseError extends GoError {
  override readonly name = 'TemplateParseError';
  readonly file: string;
  /** From 1, as Go counts: lines inside comments are left out. */
  readonly line: number;
  readonly reason: string;
  /** The place of the last token that was looked at. */
  readonly position: Position;

  constructor(source: Source, at: { readonly line: number; readonly offset: number }, reason: string) {
    super(`template: ${source.name}:${at.line}: ${reason}`);
    this.file = source.name;
    this.line = at.line;
    this.position = source.position(at.offset);
    this.reason = reason;
  }
}

/**
 * An execution that stopped. `message` is Go's whole text; `cause` is the error of the called function, if one stopped it,
 * which may be another `TemplateExecError` when that function ran a template itself.
 */
export class TemplateExecError extends GoError {
  override readonly name = 'TemplateExecError';
  /** The name of the template that was running: a `define`'s, or the file's own. */
  readonly template: string;
  readonly file: string;
  /** The place of the node that failed. */
  readonly position: Position;
  /** The text of the node that failed. */
  readonly context: string;
  readonly reason: string;

  constructor(template: Template, node: Node, reason: string, cause?: Error) {
    const position = template.source.position(node.offset);
    const { line, column } = position;
    const context = printNode(node);
    const file = template.source.name;
    super(`template: ${file}:${line}:${column}: executing ${quote(template.name)} at <${context}>: ${reason}`, {
      cause,
    });
    this.template = template.name;
    this.file = file;
    this.position = position;
    this.context = context;
    this.reason = reason;
  }
}
