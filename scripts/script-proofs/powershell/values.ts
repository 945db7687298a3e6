// Values of PowerShell as JavaScript has them, and what its operators make of them. Nothing that a command gave (AutomationNull)
// is undefined, $null is null. Mirrors: about_Operators, about_Type_Conversion of PowerShell's documentation.

/** A failure that a script can catch. */
export class PowerShellError extends Error {}

/** A block of statements as a value. */
export interface Block {
  readonly run: (input?: unknown) => unknown[];
}

/** An object of .NET: its members by their names in lower case. */
export class NetObject {
  readonly type: string;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(type: string, members: Readonly<Record<string, unknown>>) {
    this.type = type;
    this.members = members;
  }
}

/** Gives the record of an error: as a text it is its message, or the name of its type where that is empty. */
export const errorRecord = (message: string): NetObject =>
  new NetObject('System.Management.Automation.ErrorRecord', {
    text: message === '' ? 'System.Management.Automation.RemoteException' : message,
    exception: new NetObject('Exception', { message }),
  });

/** Gives what a value is as a text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (value instanceof NetObject) return textOf(value.members.text ?? value.type);
  return String(value);
}

/** Gives what a value is as a condition. */
export function truthOf(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1 ? truthOf(value[0]) : value.length > 1;
  if (value instanceof NetObject || value instanceof Map) return true;
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}

/** Gives the items that a value brings into a pipeline. */
export function itemsOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Gives what a list of outputs is as one value: nothing, the only one, or all of them. */
export function collected(outputs: readonly unknown[]): unknown {
  return outputs.length > 1 ? [...outputs] : outputs[0];
}

/** Gives a number. Throws for what is none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value === undefined || value === null || value === '') return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const found = Number(textOf(value));
  if (Number.isNaN(found)) throw new PowerShellError(`cannot convert ${JSON.stringify(textOf(value))} to a number`);
  return found;
}

// Halves go to the even neighbour.
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function versionOf(value: unknown): NetObject {
  if (value instanceof NetObject) return value;
  return new NetObject('version', { text: textOf(value) });
}

function compareVersions(a: NetObject, b: NetObject): number {
  const [left, right] = [a, b].map((version) => textOf(version).split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = (left[at] ?? -1) - (right[at] ?? -1);
    if (order !== 0) return order;
  }
  return 0;
}

/** Gives a value as a type has it. */
export function convert(value: unknown, type: string): unknown {
  switch (type.toLowerCase()) {
    case 'string':
      return textOf(value);
    case 'string[]':
      return value === undefined || value === null ? null : itemsOf(value).map(textOf);
    case 'int':
      return roundHalfEven(numberOf(value));
    case 'bool':
    case 'switch':
      return truthOf(value);
    case 'version':
      return versionOf(value);
    case 'regex':
      return regexObject(textOf(value));
    case 'scriptblock':
    case 'ordered':
      return value;
    default:
      throw new PowerShellError(`the type [${type}] is not known here`);
  }
}

/** Tells whether a value is of a type. */
export const isOf = (value: unknown, type: string): boolean =>
  value instanceof NetObject && value.type.toLowerCase() === type.toLowerCase();

/** Gives a regular expression of .NET as one of JavaScript; `isLoose` ignores case, as operators do. */
export function regexOf(pattern: string, isLoose = true, more = ''): RegExp {
  const [, inline = '', body = ''] = /^(?:\(\?([imsn]+)\))?([\s\S]*)$/.exec(pattern) ?? [];
  const flags = new Set([...inline, ...more, ...(isLoose ? ['i'] : [])]);
  flags.delete('n');
  // In .NET the end of a text is also before a last line break.
  const isLines = flags.has('m');
  return new RegExp(isLines ? body : body.replace(/(?<!\\)\$$/, '(?=\\n?$)'), [...flags].join(''));
}

function regexObject(pattern: string): NetObject {
  const match = (text: unknown): NetObject => {
    const found = regexOf(pattern, false).exec(textOf(text));
    return new NetObject('Match', { value: found?.[0] ?? '', success: found !== null });
  };
  return new NetObject('Regex', { text: pattern, match });
}

/** Tells whether two values are equal to an operator. */
export function isEqual(left: unknown, right: unknown, isExact: boolean): boolean {
  if (left === undefined || left === null) return right === undefined || right === null;
  if (typeof left === 'boolean') return left === truthOf(right);
  if (typeof left === 'number') {
    const number = typeof right === 'number' ? right : Number(textOf(right));
    return left === number;
  }
  const [a, b] = [textOf(left), textOf(right)];
  return isExact ? a === b : a.toLowerCase() === b.toLowerCase();
}

function order(left: unknown, right: unknown): number {
  if (left instanceof NetObject && left.type === 'version') return compareVersions(left, versionOf(right));
  if (typeof left === 'number') return left - numberOf(right);
  return textOf(left).localeCompare(textOf(right));
}

/** What an operator may set: the groups of the last match. */
export interface Matching {
  setMatches(groups: readonly (string | undefined)[]): void;
}

function matches(left: unknown, right: unknown, scope: Matching): boolean {
  const found = regexOf(textOf(right)).exec(textOf(left));
  if (found !== null) scope.setMatches([...found]);
  return found !== null;
}

function split(left: unknown, right: unknown): string[] {
  const [pattern, limit] = itemsOf(right);
  const regex = regexOf(textOf(pattern), true, 'g');
  const most = limit === undefined ? Number.POSITIVE_INFINITY : numberOf(limit);
  return itemsOf(left).flatMap((item) => {
    const text = textOf(item);
    const parts: string[] = [];
    let from = 0;
    for (const found of text.matchAll(regex)) {
      if (parts.length + 1 >= most) break;
      if (found[0] === '' && (found.index === 0 || found.index === text.length)) continue;
      parts.push(text.slice(from, found.index), ...found.slice(1).filter((group) => group !== undefined));
      from = found.index + found[0].length;
    }
    return [...parts, text.slice(from)];
  });
}

// $0 is the whole match here, and $$ a dollar sign.
function replace(left: unknown, right: unknown): unknown {
  const [pattern, by = ''] = itemsOf(right);
  const regex = regexOf(textOf(pattern), true, 'g');
  const one = (item: unknown): string =>
    textOf(item).replace(regex, (...found: unknown[]) => {
      const groups = found.slice(
        0,
        found.findIndex((part) => typeof part === 'number'),
      ) as (string | undefined)[];
      return textOf(by).replace(/\$(\$|\d+)/g, (_all, what: string) =>
        what === '$' ? '$' : (groups[Number(what)] ?? ''),
      );
    });
  return Array.isArray(left) ? left.map(one) : one(left);
}

/** Gives what an operator between two values gives. */
export function operate(operator: string, left: unknown, right: unknown, scope: Matching): unknown {
  const exact = /^-c/.test(operator) && operator !== '-contains';
  const filter = (test: (item: unknown) => boolean): unknown => (Array.isArray(left) ? left.filter(test) : test(left));
  const contains = (): boolean => itemsOf(left).some((item) => isEqual(item, right, exact));
  switch (operator.toLowerCase()) {
    case '-eq':
    case '-ceq':
      return filter((item) => isEqual(item, right, exact));
    case '-ne':
    case '-cne':
      return filter((item) => !isEqual(item, right, exact));
    case '-lt':
      return order(left, right) < 0;
    case '-le':
      return order(left, right) <= 0;
    case '-gt':
      return order(left, right) > 0;
    case '-ge':
      return order(left, right) >= 0;
    case '-match':
      return filter((item) => matches(item, right, scope));
    case '-notmatch':
      return filter((item) => !matches(item, right, scope));
    case '-contains':
    case '-ccontains':
      return contains();
    case '-cnotcontains':
    case '-notcontains':
      return !contains();
    case '-replace':
      return replace(left, right);
    case '-split':
      return split(left, right);
    case '-join':
      return itemsOf(left).map(textOf).join(textOf(right));
    default:
      return arithmetic(operator, left, right);
  }
}

function arithmetic(operator: string, left: unknown, right: unknown): unknown {
  if (operator === '+') {
    if (Array.isArray(left)) return [...left, ...(right === null ? [null] : itemsOf(right))];
    if (left === undefined || left === null) return right;
    if (typeof left === 'string') return left + textOf(right);
    return numberOf(left) + numberOf(right);
  }
  if (operator === '-' && left instanceof NetObject) {
    const milliseconds = numberOf(left.members.ticks) - numberOf((right as NetObject).members.ticks);
    return new NetObject('TimeSpan', { totalseconds: milliseconds / 1000 });
  }
  if (operator === '-') return numberOf(left) - numberOf(right);
  if (operator === '*') return numberOf(left) * numberOf(right);
  if (operator === '/') return numberOf(left) / numberOf(right);
  if (operator === '..') {
    const [from, to] = [numberOf(left), numberOf(right)];
    const step = from <= to ? 1 : -1;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * step);
  }
  throw new PowerShellError(`the operator ${operator} is not known here`);
}
