// Texts made safe for markup, in elements and in attributes between double quotes. Go's escaping, which `html` of a template and the
// reports of helm-unittest mirror, is another: it is with them.

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes what begins markup or ends an attribute, and leaves all else as it is. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (char) => marks[char]!);
}

/** Escapes a text for XML 1.0: what that cannot hold becomes `\ufffd`, and ends of lines stay ends of lines in attributes too. */
export function escapeXml(text: string): string {
  const sound = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  return escapeMarkup(sound).replaceAll('\n', '&#10;');
}
