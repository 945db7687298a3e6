// Fills a script template with a data model. The only place that runs Handlebars, and only its runtime.

import type HandlebarsPackage from 'handlebars';
import handlebarsRuntime from 'handlebars/runtime.js';
import { commentText } from '../output/comment.ts';
import {
  freeMarker,
  hereDocument,
  powerShellArgument,
  quoteWords,
  type ShellDialect,
  shellQuote,
  Word,
} from './words.ts';

// The runtime is typed as an empty module.
const Handlebars = handlebarsRuntime as unknown as typeof HandlebarsPackage;

/**
 * A compiled Handlebars template, as `Handlebars.precompile` describes it (evaluated to an object).
 * `compileScriptTemplate` of user-template.node.ts makes one from text, after checking that it prints no word unsafely.
 */
export interface ScriptTemplate {
  readonly compiler: readonly [number, string];
  readonly main: unknown;
}

/**
 * Returns the text of a script: a template filled with a data model. Every text of the model is quoted. In addition to Handlebars' own
 * helpers there are: `argument TEXT` (one argument of a native command, where PowerShell needs more than a quoted string), `comment TEXT`
 * (one harmless line), `document TEXT MARKER` (a here-document or here-string), and `marker TEXT MARKER` (the marker that `document` uses).
 */
export function fillTemplate(dialect: ShellDialect, model: object, template: ScriptTemplate): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper({
    argument: (word: unknown) =>
      new Handlebars.SafeString((dialect === 'sh' ? shellQuote : powerShellArgument)(Word.textOf(word))),
    comment: (word: unknown) => new Handlebars.SafeString(commentText(Word.textOf(word))),
    marker: (word: unknown, marker: string) => new Handlebars.SafeString(freeMarker(Word.textOf(word), marker)),
    document: (word: unknown, marker: string) =>
      new Handlebars.SafeString(hereDocument(Word.textOf(word), marker, dialect)),
  });
  return handlebars.template(template)(quoteWords(model, dialect));
}
