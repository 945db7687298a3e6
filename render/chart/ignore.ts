// The rules of a .helmignore file. Mirrors: helm.sh/helm/v3/pkg/ignore, rules.go, v3.17.3.

import { base, compilePattern, matchPattern } from '../go/path.ts';
import { GoError } from '../go/value.ts';

/** Tells whether a path of the chart, relative to its folder and with `/`, is left out. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/**
 * Gives the rules of a .helmignore text, with Helm's own rule behind them that hides dotfiles right below `templates/`.
 * Throws GoError for `**` and for a malformed pattern.
 */
export function parseIgnoreRules(text: string): IsIgnored {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const rules = [...lines, 'templates/.?*'].map(parseRule).filter((rule) => rule !== undefined);
  return (path, isFolder) => {
    for (const rule of rules) {
      const matches = (!rule.foldersOnly || isFolder) && rule.matches(path);
      // A negated rule ignores whatever it does not match, at once; what it matches is up to the next rules.
      if (matches !== rule.negated) return true;
    }
    return false;
  };
}

interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  readonly matches: (path: string) => boolean;
}

function parseRule(line: string): Rule | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (text.includes('**')) throw new GoError('double-star (**) syntax is not supported');
  matchPattern(text, 'abc');
  const [, negation, rest, slash] = /^(!?)(.*?)(\/?)$/s.exec(text) as unknown as [string, string, string, string];
  const pattern = rest.replace(/^\/+/, '');
  const isPath = rest.includes('/');
  let isMatch = /[*?[\\]/.test(pattern) ? undefined : (name: string): boolean => name === pattern;
  return {
    negated: negation !== '',
    foldersOnly: slash !== '',
    matches: (path) => {
      isMatch ??= compilePattern(pattern);
      return isMatch(isPath ? path : base(path));
    },
  };
}
