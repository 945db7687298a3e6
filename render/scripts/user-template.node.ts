// Compiles a user's script template. Node only, because compiling a template generates code.

import Handlebars from 'handlebars';
import { messageOf, RenderError } from '../core/errors.ts';
import type { ScriptTemplate } from './script.ts';
import { lintTemplate } from './template-lint.ts';
import type { ShellDialect } from './words.ts';

/** Options for compiling script templates: an unknown name of the data model is an error, and so is an unknown helper. */
export const templateOptions = {
  strict: true,
  knownHelpers: { argument: true, comment: true, document: true, marker: true },
  knownHelpersOnly: true,
} as const;

/**
 * Compiles a script template for the `scriptTemplates` option. `fileName` is for messages. Throws VALUES_INVALID with file and line if the
 * text is not a valid Handlebars template, or prints a value where its quoting would not be effective: inside quotes, in a comment, in a
 * here-document.
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
    // precompile returns the text of an object literal; evaluating it is what every Handlebars build does.
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
