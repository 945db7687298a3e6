// XML like Go's encoding/xml, indented with tabs.
// Mirrors: Go, encoding/xml, marshal.go, `MarshalIndent`.

/** An element: its name, its attributes in order, and its content. */
export interface Element {
  readonly name: string;
  readonly attributes?: readonly (readonly [string, string | number | boolean])[];
  /** A text, escaped or in CDATA; or elements. */
  readonly content?: string | { readonly cdata: string } | readonly Element[];
}

/** Formats an element, with a final line break. */
export function formatXml(element: Element): string {
  return `${format(element, '')}\n`;
}

function format({ name, attributes = [], content = '' }: Element, indent: string): string {
  const start = `${indent}<${name}${attributes.map(([key, value]) => ` ${key}="${escaped(String(value))}"`).join('')}>`;
  if (typeof content === 'string') return `${start}${escaped(content)}</${name}>`;
  if ('cdata' in content) return `${start}${cdata(content.cdata)}</${name}>`;
  if (content.length === 0) return `${start}</${name}>`;
  return `${start}\n${content.map((inner) => format(inner, `${indent}\t`)).join('\n')}\n${indent}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escaped(text: string): string {
  return text
    .replace(/[\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n\r\x7f-\x9f]/gu, '\ufffd')
    .replace(/["'&<>\t\n\r]/g, (char) => escapes[char]!);
}

function cdata(text: string): string {
  return text === '' ? '' : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
