// A user's own script template: text to a compiled template. Node only, because compiling a template makes code.

import Handlebars from 'handlebars';
import { messageOf, RenderError } from '../core/errors.ts';
import type { ScriptTemplate } from './fill.ts';
import { lintTemplate } from './template-lint.ts';
import type { ShellDialect } from './words.ts';

/** How every script template is compiled: a name that the data model lacks is an error, and so is an unknown helper. */
export const templateOptions = {
  strict: true,
  knownHelpers: { argument: true, comment: true, document: true, marker: true },
  knownHelpersOnly: true,
} as const;

/**
 * Compiles a script template for the `scriptTemplates` option. `fileName` is for messages.
 * Throws VALUES_INVALID with file and line where the text is no Handlebars template, or prints a word where its quoting
 * would not hold: inside quotes, in a comment, in a here-document.
 */
export function compileScriptTemplate(text: string, fileName: string, dialect: ShellDialect): ScriptTemplate {
  const [fault] = lintTemplate(text, dialect);
  if (fault !== undefined) {
    throw new RenderError('VALUES_INVALID', `${fileName}:${fault.line}: ${fault.message}`, {
      place: { file: fileName, line: fault.line },
      hint: fault.hint,
    });
  }
  try {
    // precompile gives the text of an object literal; evaluating it is what every Handlebars build does.
    return new Function(`return ${String(Handlebars.precompile(text, templateOptions))}`)() as ScriptTemplate;
  } catch (error) {
    const reason = messageOf(error);
    const line = Number(/line (\d+)/.exec(reason)?.[1] ?? 1);
    throw new RenderError('VALUES_INVALID', `${fileName}:${line}: ${reason}`, {
      place: { file: fileName, line },
      cause: error,
      hint: 'Correct the Handlebars syntax of the template.',
    });
  }
}
