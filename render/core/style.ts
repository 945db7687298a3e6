// Colors: whether a stream supports them, and markup of texts.

/** The kinds of markup. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const mark =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;
const keep = (text: string): string => text;

/** Marks nothing. */
export const plainStyle: Style = { bold: keep, dim: keep, red: keep, green: keep, yellow: keep, cyan: keep };

const colorStyle: Style = {
  bold: mark(1, 22),
  dim: mark(2, 22),
  red: mark(31, 39),
  green: mark(32, 39),
  yellow: mark(33, 39),
  cyan: mark(36, 39),
};

/**
 * Returns the style of a stream: colors if it is a terminal that supports them. `NO_COLOR` disables them and `FORCE_COLOR` enables
 * them anywhere, as https://no-color.org and https://force-color.org define; a flag overrides both.
 */
export function styleOf(
  stream: { readonly isTerminal: boolean; readonly refused: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  const { NO_COLOR = '', FORCE_COLOR, TERM } = env;
  if (stream.refused || NO_COLOR !== '') return plainStyle;
  if (FORCE_COLOR !== undefined) return /^(?:0|false)$/i.test(FORCE_COLOR) ? plainStyle : colorStyle;
  return stream.isTerminal && TERM !== 'dumb' ? colorStyle : plainStyle;
}

/** Colors the severity of each message: `Error: …`, `order.yaml:2:3: warning: …`. */
export function paintMessages(text: string, style: Style): string {
  const colors: Readonly<Record<string, Style['red']>> = { error: style.red, warning: style.yellow, note: style.dim };
  return text
    .replace(/^(?:Error|Warning|Note):/gm, (word) => (word === 'Error:' ? style.red(word) : style.yellow(word)))
    .replace(
      /^(\S.*?: )(error|warning|note)(?=: )/gm,
      (_, place: string, word: string) => place + colors[word]?.(word),
    );
}

/** Colors a unified diff: removed lines red, added lines green, places cyan. */
export function paintDiff(diff: string, style: Style): string {
  return paintLines(diff, (line) => {
    if (line.startsWith('--- ') || line.startsWith('+++ ')) return style.bold(line);
    if (line.startsWith('@@')) return style.cyan(line);
    if (line.startsWith('-')) return style.red(line);
    return line.startsWith('+') ? style.green(line) : line;
  });
}

/** Colors a difference of objects: added green, removed red, changed yellow. */
export function paintDifference(text: string, style: Style): string {
  return paintLines(text, (line) => {
    const [, sign = ''] = /^(?: {2}| {6})?([-+~!>@])/.exec(line) ?? [];
    const marked = line.replace(/ {2}\[[^[\]]+\]/g, (mark) => style.bold(mark));
    if (sign === '+') return style.green(marked);
    if (sign === '-') return style.red(marked);
    return sign === '@' ? style.cyan(line) : sign === '' ? line : style.yellow(marked);
  });
}

function paintLines(text: string, paint: (line: string) => string): string {
  return text.split('\n').map(paint).join('\n');
}
