// Regular expression functions: regexMatch, regexFind, regexReplaceAll and others, each with a `must` variant.
// Mirrors: sprig, regex.go, v3.3.0.

import { convertGoError, orUndefined } from '../core/catch.ts';
import { grown, withCapacity } from '../go/capacity.ts';
import { canBackquote, quote } from '../go/number.ts';
import { compileRegexp, quoteMeta, type Regexp } from '../go/regexp/regexp.ts';
import { type FuncMap, func, GoError, type GoFunc, nilSlice, stringSlice } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

type Compile = (pattern: string) => Regexp;

/** Returns the regular expression functions of a Helm version. */
export function createRegexFuncs({ go }: Helm): FuncMap {
  return funcsOf((pattern) => compileRegexp(pattern, go.classNames));
}

function funcsOf(compile: Compile): FuncMap {
  return new Map([
    // An invalid pattern does not match.
    [
      'regexMatch',
      func(['string', 'string'], (pattern, text) => orUndefined(() => compile(pattern).matchString(text)) ?? false),
    ],
    ['mustRegexMatch', func(['string', 'string'], (pattern, text) => compile(pattern).matchString(text))],
    ['regexQuoteMeta', func(['string'], quoteMeta)],
    ...twins(compile, 'FindAll', (compile) =>
      func(['string', 'string', 'int'], (pattern, text, limit) => {
        const matches = compile(pattern).findAllString(text, limit);
        return matches.length === 0
          ? nilSlice('[]string')
          : withCapacity(stringSlice(matches), capacityOfMatches(matches.length));
      }),
    ),
    ...twins(compile, 'Find', (compile) =>
      func(['string', 'string'], (pattern, text) => compile(pattern).findString(text)),
    ),
    ...twins(compile, 'ReplaceAll', (compile) =>
      func(['string', 'string', 'string'], (pattern, text, replacement) =>
        compile(pattern).replaceAllString(text, replacement),
      ),
    ),
    ...twins(compile, 'ReplaceAllLiteral', (compile) =>
      func(['string', 'string', 'string'], (pattern, text, replacement) =>
        compile(pattern).replaceAllLiteralString(text, replacement),
      ),
    ),
    ...twins(compile, 'Split', (compile) =>
      func(['string', 'string', 'int'], (pattern, text, limit) => {
        const parts = compile(pattern).split(text, limit);
        return parts === undefined
          ? nilSlice('[]string')
          : withCapacity(stringSlice(parts), grown(parts.length - 1, parts.length));
      }),
    ),
  ]);
}

/** Returns `regexX` and `mustRegexX`: for an invalid pattern the first panics and the second returns the error, with different messages. */
function twins(compile: Compile, name: string, make: (compile: Compile) => GoFunc): [string, GoFunc][] {
  return [
    [`regex${name}`, make((pattern) => mustCompile(compile, pattern))],
    [`mustRegex${name}`, make(compile)],
  ];
}

function mustCompile(compile: Compile, pattern: string): Regexp {
  return convertGoError(
    () => compile(pattern),
    ({ message }) => {
      const quoted = canBackquote(pattern) ? `\`${pattern}\`` : quote(pattern);
      return new GoError(`regexp: Compile(${quoted}): ${message}`);
    },
  );
}

// Go allocates ten matches and doubles the capacity as needed.
function capacityOfMatches(count: number): number {
  let capacity = 10;
  while (capacity < count) capacity = grown(capacity, capacity + 1);
  return capacity;
}
