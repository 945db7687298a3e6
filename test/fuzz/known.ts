// The known differences that remain, each with its reason and how a row is recognized.

import { isSkippedMark } from './marks.ts';

/** A known difference. */
interface KnownDifference {
  readonly reason: string;
  /** Recognizes it by the template and both results; `answer` returns our result for another template. */
  readonly isMeant: (template: string, want: string, got: string, answer: (template: string) => string) => boolean;
}

const beyondDoubles = /\d{16,}|0x[\da-f]{14,}/;
const beyondEach = /\d{16,}|0x[\da-f]{14,}|[\d.]+e\+\d+/g;

/** The differences that remain; fixtures/differences.yaml has a row for each reproducible one. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    reason:
      'JavaScript has one NaN: the sign of a -nan, of TOML or of nothing times infinity, is lost when it is written',
    isMeant: (template, want, got) =>
      /nan|round/.test(template) && want.replaceAll('-nan', 'nan') === got.replaceAll('-nan', 'nan'),
  },
  {
    reason: 'a place, a count or a value beyond 2^53 is reported rounded in an error',
    isMeant: (_template, want, got) =>
      /out of range|unsupported map key/.test(want) &&
      beyondDoubles.test(want) &&
      want.replace(beyondEach, '') === got.replace(beyondEach, ''),
  },
  {
    reason:
      'go-yaml takes the first character of a line for a byte order mark where its buffer begins with one, as it does where less than four characters are left',
    isMeant: (template, want, _got, answer) => isSkippedMark(template, want, answer),
  },
  {
    reason:
      'the hour of a zone before 1970 is that of the machine: some zone databases keep what a town had of its own, Intl has none',
    isMeant: (template, want, got) =>
      /Europe\/Amsterdam/.test(template) && want !== got && want.replace(/\d/g, '') === got.replace(/\d/g, ''),
  },
  {
    reason: 'of two faults in a list that is merged, Go tells the last item first; both refuse the text',
    isMeant: (template, want, got) =>
      template.includes('<<') && [want, got].every((text) => /invalid map key|map merge requires/.test(text)),
  },
  {
    reason: 'an address in memory is that of the program; ours is always the same one',
    isMeant: (_template, want, got) =>
      /0xc?[0-9a-f]{6,}|\b\d{8,12}\b/.test(want) &&
      want.replace(/0x[0-9a-f]+|\b\d{8,12}\b/g, '') === got.replace(/0x[0-9a-f]+|\b\d{8,12}\b/g, ''),
  },
];
