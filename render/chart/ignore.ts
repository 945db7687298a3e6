// The rules of a .helmignore file. Mirrors: helm.sh/helm/v3/pkg/ignore, rules.go, v3.17.3.

import { base, compilePattern, matchPattern } from '../go/path.ts';
import { GoError } from '../go/value.ts';

/** Tells whether a path of the chart, relative to its folder and with `/`, is left out. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/** What a rule is compared with: the path from the chart's folder on, the path, or the last name in it. */
export type RuleForm = 'rooted' | 'path' | 'name';

/** Hears, each time it is compared, of a rule that is malformed without the slash at its end: it matches nothing. */
export type OnBroken = (pattern: string, form: RuleForm) => void;

/**
 * Gives the rules of a .helmignore text, with Helm's own rule behind them that hides dotfiles right below `templates/`.
 * Throws GoError for `**` and for a malformed pattern.
 */
export function parseIgnoreRules(text: string, onBroken: OnBroken = () => {}): IsIgnored {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const rules = [...lines, 'templates/.?*']
    .map((line) => parseRule(line, onBroken))
    .filter((rule) => rule !== undefined);
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

function parseRule(line: string, onBroken: OnBroken): Rule | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (text.includes('**')) throw new GoError('double-star (**) syntax is not supported');
  matchPattern(text, 'abc');
  const [, negation, rest, slash] = /^(!?)(.*?)(\/?)$/s.exec(text) as unknown as [string, string, string, string];
  const pattern = rest.replace(/^\/+/, '');
  const form = rest.startsWith('/') ? 'rooted' : rest.includes('/') ? 'path' : 'name';
  let isMatch = /[*?[\\]/.test(pattern) ? undefined : (name: string): boolean => name === pattern;
  return {
    negated: negation !== '',
    foldersOnly: slash !== '',
    matches: (path) => {
      isMatch ??= compiled(pattern, () => onBroken(pattern, form));
      return isMatch(form === 'name' ? base(path) : path);
    },
  };
}

// The slash at its end was the last of an escape: Helm finds out when it compares, and says so each time.
function compiled(pattern: string, tell: () => void): (name: string) => boolean {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return () => {
      tell();
      return false;
    };
  }
}
