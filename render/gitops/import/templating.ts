// Go templates in the files of GitOps tools: sprig and the tool's own functions.

import { seededHost } from '../../core/host.ts';
import { createFuncMap } from '../../functions/table.ts';
import { type FuncMap, func, GoError, type GoValue } from '../../go/value.ts';
import { helmOf } from '../../helm/versions.ts';
import type { MissingKey } from '../../template/template.ts';
import { TemplateSet } from '../../template/template.ts';

interface Templating {
  /** Functions in addition to sprig's, which they can override. */
  readonly funcs: FuncMap;
  /** The value of a missing map key. */
  readonly missingKey: MissingKey;
}

/** Returns the functions of sprig by name. Dates and random values are the same in every import. */
export function sprigFuncs(): FuncMap {
  return new Map([
    ...createFuncMap(seededHost(), helmOf()),
    ['fail', func(['string'], (message) => refuseFunction(message)())],
  ]);
}

/** Renders a template. Throws GoError with Go's text. */
export function renderTemplate(
  { name, text }: { readonly name: string; readonly text: string },
  data: GoValue,
  { funcs, missingKey }: Templating,
): string {
  if (!text.includes('{{')) return text;
  const set = new TemplateSet({ funcs, missingKey, name });
  const file = set.parse(name, text);
  return set.execute(file, data);
}

/** Returns a function that is not supported by imports: it fails with the reason. */
export function refuseFunction(reason: string): () => never {
  return () => {
    throw new GoError(reason);
  };
}
