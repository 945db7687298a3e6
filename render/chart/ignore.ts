// The rules of a .helmignore file. Mirrors: helm.sh/helm/v3/pkg/ignore, rules.go, v3.17.3 to v3.22.0; helm.sh/helm/v4, v4.2.3.

import { base, compilePattern, matchPattern } from '../go/path.ts';
import { GoError } from '../go/value.ts';

/** Reports whether a path of the chart, relative to its folder and with `/`, is ignored. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/** What a rule is compared with: the path including the chart's folder, the path, or its last name. */
export type RuleForm = 'rooted' | 'path' | 'name';

/** Options of `parseIgnoreRules`. */
export interface IgnoreOptions {
  /**
   * When the leading slash of a rule is removed: once, or at each comparison, so that `//name` begins to match after the first one (Helm
   * 3). Default `once`.
   */
  readonly leadingSlash?: 'once' | 'each comparison' | undefined;
  /** Called when the malformed part of a rule is reached during a comparison; the rule does not match. */
  readonly onBroken?: ((pattern: string, form: RuleForm) => void) | undefined;
}

/**
 * Parses a .helmignore file and adds Helm's own rule that excludes dotfiles directly in `templates/`. Throws GoError for `**` and for a
 * pattern that is malformed at its beginning.
 */
export function parseIgnoreRules(text: string, options: IgnoreOptions = {}): IsIgnored {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const rules = [...lines, 'templates/.?*']
    .map((line) => parseRule(line, options))
    .filter((rule) => rule !== undefined);
  return (path, isFolder) => {
    for (const rule of rules) {
      const matches = (!rule.foldersOnly || isFolder) && rule.matches(path);
      // A negated rule ignores everything that it does not match; what it matches is left to the next rules.
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

function parseRule(line: string, { leadingSlash = 'once', onBroken = () => {} }: IgnoreOptions): Rule | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (text.includes('**')) throw new GoError('double-star (**) syntax is not supported');
  matchPattern(text, 'abc');
  const [, negation, rest, slash] = /^(!?)(.*?)(\/?)$/s.exec(text) as unknown as [string, string, string, string];
  const form = rest.startsWith('/') ? 'rooted' : rest.includes('/') ? 'path' : 'name';
  const withoutSlash = (pattern: string): string => (pattern.startsWith('/') ? pattern.slice(1) : pattern);
  let pattern = withoutSlash(rest);
  let isMatch = compilePattern(pattern);
  const matches = (path: string): boolean => {
    try {
      return isMatch(form === 'name' ? base(path) : path);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      onBroken(pattern, form);
      return false;
    } finally {
      if (form === 'rooted' && leadingSlash === 'each comparison' && pattern.startsWith('/')) {
        pattern = withoutSlash(pattern);
        isMatch = compilePattern(pattern);
      }
    }
  };
  return { negated: negation !== '', foldersOnly: slash !== '', matches };
}
