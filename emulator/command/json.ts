// JSON in a file, with the place of what is wrong in it.

/** Reads JSON. Gives the value, or the fault with its place: `FILE:LINE:COLUMN: MESSAGE`. */
export function readJson(file: string, text: string): { readonly value?: unknown; readonly fault?: string } {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) as unknown };
  } catch (error) {
    const { message } = error as Error;
    return { fault: `${file}:${placeOf(text, message)} ${message}` };
  }
}

// The engine tells an offset; people look for a line.
function placeOf(text: string, message: string): string {
  const offset = /position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : undefined);
  if (offset === undefined) return '';
  const before = text.slice(0, Number(offset)).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}:`;
}
