// Patterns so plain that JavaScript's own engine finds the same matches, in linear time: single characters and sets of ASCII
// one after the other, the last of them perhaps repeated. A match of theirs is never empty, and no search goes back.

const sets: Readonly<Record<string, string>> = { w: '0-9A-Za-z_', d: '0-9', s: '\\t\\n\\f\\r ' };
const plainPart =
  /([\w ,/:;@#%&=~"'!<>-])|\\([-.+*?()|[\]{}^$/])|\\([wds])|\\([WDS])|(\.)|\[(\^?)((?:\\[wds.-]|[\w ./:@,;=+~#%!-])+)\]/y;
const setPart = /\\([wds])|\\([.-])|([0-9])-([0-9])|([a-z])-([a-z])|([A-Z])-([A-Z])|([\w ./:@,;=+~#%!])/y;

/** Gives the pattern in JavaScript's form, with the flags `g` and `u`; undefined for one that is not plain. */
export function plainRegExp(pattern: string): RegExp | undefined {
  let source = '';
  let at = 0;
  for (; at < pattern.length && !(pattern[at] === '+' && at === pattern.length - 1); at = plainPart.lastIndex) {
    plainPart.lastIndex = at;
    const [part, literal, quoted, set, notSet, any, negation, items] = plainPart.exec(pattern) ?? [];
    if (part === undefined) return undefined;
    const char = literal ?? quoted;
    if (char !== undefined) source += escaped(char);
    else if (any !== undefined) source += '[^\\n]';
    else if (set !== undefined) source += `[${sets[set]}]`;
    else if (notSet !== undefined) source += `[^${sets[notSet.toLowerCase()]}]`;
    else {
      const inside = setSource(items as string);
      if (inside === undefined) return undefined;
      source += `[${negation}${inside}]`;
    }
  }
  return source === '' ? undefined : new RegExp(source + pattern.slice(at), 'gu');
}

function escaped(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

// A hyphen that makes no range stands first or last.
function setSource(items: string): string | undefined {
  const inner = items.replace(/^-|(?<!\\)-$/g, '');
  let source = inner.length < items.length ? '\\-' : '';
  for (let at = 0; at < inner.length; at = setPart.lastIndex) {
    setPart.lastIndex = at;
    const [part, set, quoted, ...ends] = setPart.exec(inner) ?? [];
    if (part === undefined) return undefined;
    const [low, high] = ends.filter((end) => end !== undefined);
    if (set !== undefined) source += sets[set];
    else if (quoted !== undefined) source += escaped(quoted);
    else if (high === undefined) source += escaped(low as string);
    else if ((low as string) > high) return undefined;
    else source += `${low}-${high}`;
  }
  return source;
}
