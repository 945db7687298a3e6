// Rules for user names, organization names and email addresses.
// Mirrors: go-gitea/gitea, modules/validation and models/user, the rules of the 1.2x line.

import type { Settings } from '../app/settings.ts';
import { namePattern } from '../store/kinds/person.ts';

const nameRule = new RegExp(namePattern);

/** Reports whether a text can be a user or organization name. */
export function isName(name: string): boolean {
  return name.length <= 40 && nameRule.test(name);
}

/** Reports whether a name is reserved. */
export function isReserved(name: string, { reservedNames, reservedSuffixes }: Settings): boolean {
  const folded = name.toLowerCase();
  return reservedNames.includes(folded) || reservedSuffixes.some((suffix) => folded.endsWith(suffix));
}

/** Reports whether a text is a plain ASCII email address. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > 254 || local.startsWith('-')) return false;
  if (!/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local) || /^\.|\.\.|\.$/.test(local)) return false;
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/.test(host);
}

/** Reports whether addresses of this domain can sign up. */
export function isEmailAllowed(email: string, { emailDomains }: Settings): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const { allow, block } = emailDomains;
  return !block.includes(domain) && (allow.length === 0 || allow.includes(domain));
}
