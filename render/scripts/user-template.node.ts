// Compiles a user's script template. Node only, because compiling a template generates code.

import { checkArguments, filled, oneOf, text as string } from '../core/arguments.ts';
import { messageOf, RenderError } from '../core/errors.ts';
import { dialectOf, type ScriptOs, type ScriptTemplate, scriptSystems } from './script.ts';
import { lintTemplate } from './template-lint.ts';

/** Options for compiling script templates: an unknown name of the data model is an error, and so is an unknown helper. */
export const templateOptions = {
  strict: true,
  knownHelpers: { argument: true, comment: true, document: true, marker: true },
  knownHelpersOnly: true,
} as const;

/**
 * Compiles a Handlebars template for the `scriptTemplates` option of `renderOrder`. `fileName` is for messages; `os`, by default `linux`,
 * determines the shell. Rejects with VALUES_INVALID with file and line if the text is not a valid template, or prints a value where its quoting
 * would not be effective: inside quotes, in a comment, in a here-document; ARGUMENT_INVALID.
 * @example
 * const scriptTemplates = { 'helm.sh': await compileScriptTemplate(text, 'install.sh.hbs') };
 * console.log((await renderOrder(order, { registry, scriptTemplates })).helmScript());
 */
export async function compileScriptTemplate(
  text: string,
  fileName: string,
  os: ScriptOs = 'linux',
): Promise<ScriptTemplate> {
  checkArguments(
    'compileScriptTemplate',
    ['text', text, string],
    ['fileName', fileName, filled],
    ['os', os, oneOf(scriptSystems)],
  );
  const [fault] = lintTemplate(text, dialectOf(os));
  if (fault !== undefined) {
    throw new RenderError('VALUES_INVALID', `${fileName}:${fault.line}: ${fault.message}`, {
      place: { file: fileName, line: fault.line },
      hint: fault.hint,
    });
  }
  const { default: Handlebars } = await import('handlebars');
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
