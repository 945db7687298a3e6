// Flux's variable substitution: `${NAME}` and its defaults, with `$${` as the escape.
// Mirrors: fluxcd/pkg/envsubst, parse/parse.go, parse/scan.go, funcs.go, v1.9.

import { GoError } from '../../go/value.ts';

/** Returns the value of a variable, or "" if it is not set. `hasDefault` is true if the text specifies a default. */
export type Variables = (name: string, hasDefault: boolean) => string;

/** Replaces the variables of a text. Throws GoError with Flux's message, or for an operator that is not supported. */
export function substitute(text: string, variables: Variables): string {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  // The rest after `${`, including the `}`.
  const expression = (): string => {
    const name = take(/[\p{L}\p{Nd}_]+/uy);
    if (name === '') throw new GoError('unable to parse variable name');
    const hasDefault = take(/:?[-=]/y) !== '';
    const value = variables(name, hasDefault);
    let fallback = '';
    while (hasDefault && at < text.length && text[at] !== '}')
      fallback += take(/\$\{/y) === '' ? take(/\$|[^$}]+/y) : expression();
    if (at === text.length) throw new GoError('missing closing brace');
    if (take(/\}/y) === '') throw new GoError(`the operator after ${name} is not supported`);
    return value === '' ? fallback : value;
  };
  let out = '';
  while (at < text.length) {
    out += take(/[^$]*/y);
    if (take(/\$\{/y) !== '') out += expression();
    else if (take(/\$\$?/y) !== '') out += '$';
  }
  return out;
}
