// Escaping for markup, in elements and in double-quoted attributes. Go's escaping, which the `html` template function and the reports of
// helm-unittest use, differs and is implemented there.

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes the characters that begin markup or end an attribute. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (char) => marks[char]!);
}

/** Escapes a text for XML 1.0: invalid characters become `\ufffd`, and line breaks are preserved in attributes. */
export function escapeXml(text: string): string {
  const sound = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  return escapeMarkup(sound).replaceAll('\n', '&#10;');
}
