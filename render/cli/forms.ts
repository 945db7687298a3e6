// Formats of flag values, in addition to their types.

import { findHelmVersion, helmChoices } from '../core/helm-version.ts';
import { quote } from '../go/number.ts';
import { GoError } from '../go/value.ts';

/** The name of a format. */
export type FlagForm = keyof typeof forms;

const forms = {
  port: { expected: 'a whole number from 0 to 65535', fits: (text: string) => isWhole(text, 65_535) },
  count: {
    expected: 'a whole number from 1 on',
    fits: (text: string) => isWhole(text, 2 ** 31 - 1) && Number(text) > 0,
  },
  time: { expected: 'a time such as 2025-01-01T00:00:00Z', fits: (text: string) => !Number.isNaN(Date.parse(text)) },
  path: { expected: 'a path', fits: (text: string) => text !== '' },
  host: {
    expected: 'an address of this machine such as 127.0.0.1, or 0.0.0.0 for all of its networks',
    fits: (text: string) => text !== '*' && isHostName(text),
  },
  server: { expected: 'an address such as https://platform.example.com', fits: isServer },
  hostName: { expected: 'a host name such as emulator.example.com, or "*" for all', fits: isHostName },
  address: { expected: 'HOST:PORT such as 127.0.0.1:4222', fits: isAddress },
  helm: { expected: helmChoices, fits: isHelm },
  setting: { expected: 'NAME=VALUE', fits: (text: string) => /^[^=]+=/.test(text) },
} satisfies Readonly<Record<string, { readonly expected: string; readonly fits: (text: string) => boolean }>>;

/** Checks a text. Throws GoError with what was expected. */
export function checkForm(form: FlagForm, text: string): void {
  if (!forms[form].fits(text)) throw new GoError(`takes ${forms[form].expected}, not ${quote(text)}`);
}

function isHelm(text: string): boolean {
  return findHelmVersion(text) !== undefined;
}

function isWhole(text: string, limit: number): boolean {
  return /^\d+$/.test(text) && Number(text) <= limit;
}

function isHostName(text: string): boolean {
  return text === '*' || /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.|$))+$/i.test(text) || isIpv6(text);
}

function isIpv6(text: string): boolean {
  return URL.canParse(`http://${text.startsWith('[') ? text : `[${text}]`}`);
}

function isAddress(text: string): boolean {
  const parts = /^(\[[^\]]+\]|[^:[\]]*):(\d+)$/.exec(text);
  return parts !== null && isWhole(parts[2] ?? '', 65_535) && (parts[1] === '' || isHostName(parts[1] ?? ''));
}

function isServer(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
