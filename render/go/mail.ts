// Validates mail addresses.
// Mirrors: Go 1.23, net/mail, message.go, `ParseAddress`.

import { parseIp } from './net.ts';
import { isValidUtf8 } from './utf8.ts';

const letter = "[!#-'*+\\-/-9=?A-Z^-~\\x80-\\uffff]";
const dotted = `${letter}+(?:\\.${letter}+)*`;
// A backslash makes a quotation mark part of the text.
const quoted = '"(?:[ \\t!#-[\\]-~\\x80-\\uffff]|\\\\[ \\t!-~\\x80-\\uffff])*"';
// An empty quoted text is valid in a name only.
const address = `(?:${dotted}|(?!"")${quoted})@[ \\t]*(?:${dotted}|\\[([!-Z^-~\\x80-\\uffff]*)\\])`;
// Go accepts dots anywhere within a name. Each comment is a single parenthesis here.
const word = `(?:[.]|${letter}|${quoted})`;
const name = `${word}(?:${word}|[ \\t(])*`;
const mailbox = `[ \\t]*(?:${address}|(?:${name})?<[ \\t]*${address}>)[ \\t(]*`;
const whole = new RegExp(`^(?:${mailbox}|[ \\t]*${name}:${mailbox};[ \\t(]*)$`);

/** Reports whether a text is a single RFC 5322 address, such as `a@b.org` or `Bob <bob@x.org>`, or a group of one. */
export function isMailAddress(text: string): boolean {
  const match = isValidUtf8(text) ? whole.exec(withoutComments(text)) : null;
  return match?.slice(1).every((literal) => literal === undefined || parseIp(literal) !== undefined) ?? false;
}

// Replaces every comment, which can contain others, with `(`. Adds `)`, which is not valid, for one that is not closed.
function withoutComments(text: string): string {
  let plain = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const escaped = char === '\\' && (isQuoted || depth > 0) ? (text[++at] ?? '') : '';
    if (char === '(' && !isQuoted) {
      if (depth++ === 0) plain += char;
    } else if (depth > 0) {
      if (char === ')') depth--;
    } else {
      if (char === '"') isQuoted = !isQuoted;
      plain += char + escaped;
    }
  }
  return depth === 0 ? plain : `${plain})`;
}
