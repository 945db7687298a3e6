// Formats an execution error like Helm 4: one place per line.
// Mirrors: helm.sh/helm/v4/pkg/engine, engine.go, `reformatExecErrorMsg`, v4.2.3.

interface Trace {
  readonly location: string;
  readonly executed: string;
  readonly message: string;
}

/** Formats an error from Go's messages, outermost first; returns Go's own message if one of them has no place. */
export function formatTrace(texts: readonly [string, ...string[]]): string {
  const traces: Trace[] = [];
  for (const text of texts) {
    const trace = parseTrace(text);
    if (trace === undefined) return texts[0];
    const last = traces.at(-1);
    if (last === undefined || !isSame(last, trace)) traces.push(trace);
  }
  return traces.map(printTrace).join('').trim();
}

function isSame(a: Trace, b: Trace): boolean {
  return a.location === b.location && a.executed === b.executed && a.message === b.message;
}

function printTrace({ location, executed, message }: Trace): string {
  return [location && `${location}\n  `, executed && `${executed}\n    `, message && `${message}\n`].join('');
}

// Mirrors: `parseTemplateExecErrorString`.
function parseTrace(text: string): Trace | undefined {
  const prefix = 'template: ';
  if (!text.startsWith(prefix)) return undefined;
  const rest = text.slice(prefix.length);
  if (rest.startsWith('no template ')) return { location: '', executed: '', message: text };
  return parseExecuting(rest) ?? parseSimple(rest);
}

// `FILE:L:C: executing "NAME" at <NODE>: MESSAGE`
function parseExecuting(rest: string): Trace | undefined {
  const [location, after] = cut(rest, ': executing ');
  if (after === undefined || !after.startsWith('"')) return undefined;
  const end = after.indexOf('"', 1);
  if (end < 0) return undefined;
  const at = ' at <';
  if (!after.startsWith(at, end + 1)) return undefined;
  const [node, message] = cut(after.slice(end + 1 + at.length), '>: ');
  if (message === undefined) return undefined;
  return { location, executed: `executing "${after.slice(1, end)}" at <${node}>:`, message: withoutNext(message) };
}

// `NAME: MESSAGE`
function parseSimple(rest: string): Trace | undefined {
  const at = rest.lastIndexOf(': ');
  if (at < 0) return undefined;
  return { location: rest.slice(0, at), executed: '', message: withoutNext(rest.slice(at + 2)) };
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

// The message of an error within another.
function withoutNext(message: string): string {
  return cut(message, ' template:')[0];
}
