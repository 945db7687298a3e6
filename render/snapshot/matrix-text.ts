// The differences of a rendering from another one of the same input, such as for another Kubernetes version: whole documents that differ or
// are missing. Together with the first rendering they restore the second.

/** Returns the differences of a manifest from that of a file: a comment that names the file, and the documents. Empty if there are none. */
export function entryText(first: string, own: string, file: string): string {
  const [theirs, ours] = [documentsOf(first), documentsOf(own)];
  const isSame = (key: string, texts: readonly string[]): boolean =>
    texts.join('\n---\n') === theirs.get(key)?.join('\n---\n');
  const other = [...ours].flatMap(([key, texts]) => (isSame(key, texts) ? [] : texts));
  const gone = [...theirs.keys()].filter((key) => !ours.has(key));
  if (other.length === 0 && gone.length === 0) return '';
  const parts = [
    `# What is not the same as in ${file}.\n`,
    ...other.map((text) => `---\n${text}\n`),
    ...gone.map((key) => `---\n${goneMark}: ${JSON.stringify(key)}\n`),
  ];
  return parts.join('');
}

/** Restores the manifest from the result of `entryText`. */
export function wholeText(first: string, cell: string): string {
  const own = documentsOf(cell.replace(/^# [^\n]*\n/, ''));
  const gone = new Set([...own.values()].flatMap((texts) => texts.flatMap((text) => goneKey(text) ?? [])));
  const whole = new Map([...documentsOf(first)].filter(([key]) => !gone.has(key)));
  for (const [key, texts] of own) {
    const plain = texts.filter((text) => goneKey(text) === undefined);
    if (plain.length > 0) whole.set(key, plain);
  }
  return [...whole.values()].map((texts) => texts.map((text) => `---\n${text}\n`).join('')).join('');
}

const goneMark = 'drydock.gone';

function goneKey(text: string): string | undefined {
  if (!text.startsWith(`${goneMark}: `)) return undefined;
  try {
    const key: unknown = JSON.parse(text.slice(goneMark.length + 2));
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

// Groups documents by what identifies an object in both: the template, the kind without its version, and the name.
function documentsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const documents = new Map<string, string[]>();
  for (const part of text.split(/^---(?=\s|$)/m)) {
    const document = part.trim();
    if (document === '') continue;
    const key = keyOf(document);
    const known = documents.get(key);
    if (known === undefined) documents.set(key, [document]);
    else known.push(document);
  }
  return documents;
}

function keyOf(document: string): string {
  const word = (pattern: RegExp, text = document): string => pattern.exec(text)?.[1]?.replace(/^["']|["']$/g, '') ?? '';
  const metadata = /^metadata:[ \t]*\n((?:[ \t].*\n|\n)*)/m.exec(`${document}\n`)?.[1] ?? '';
  const indent = /^[ \t]+/.exec(metadata)?.[0] ?? '';
  const member = (name: string): string => {
    const line = metadata.split('\n').find((one) => one.startsWith(`${indent}${name}: `));
    return line?.slice(indent.length + name.length + 2).trim() ?? '';
  };
  const braces = /^metadata:[ \t]*\{([^}]*)/m.exec(document)?.[1] ?? '';
  const name = member('name') || word(/(?:^|,)[ \t]*name:[ \t]*([^\s,}]+)/, braces);
  const parts = [word(/^# Source: (.*\S)/m), word(/^kind:\s*(\S+)/m), member('namespace'), name];
  return parts.filter((part) => part !== '').join(' ') || 'a document';
}
