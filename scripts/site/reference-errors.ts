// Generates the page of error codes: cause, an example, the message, and the hint.

import { type ErrorGuide, emulatorErrors, otherErrors, renderErrors } from '../../test/support/error-guide.ts';

const kinds = {
  render: ['RenderError', renderErrors],
  emulator: ['EmulatorError', emulatorErrors],
  other: ['', otherErrors],
} as const;

/** Returns the sections of the codes of one kind of error. */
export function formatErrors(kind: keyof typeof kinds): string {
  const [name, guides] = kinds[kind];
  return Object.entries(guides)
    .map(([code, guide]) => formatGuide(name === '' ? code : `${name}: ${code}`, guide))
    .join('\n\n');
}

function formatGuide(title: string, { cause, example, message, hint }: ErrorGuide): string {
  const isPattern = /^\/.*\/$/s.test(message);
  const block = isPattern ? [] : ['```text', message.trimEnd(), '```', ''];
  return [`### ${title}`, '', cause, '', '```js', example, '```', '', ...block, `**Fix:** ${hint}`].join('\n');
}
