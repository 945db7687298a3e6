// Validation of user names, organization names and e-mail addresses.

import { ok, type Reply } from '../app/message.ts';
import { type Route, routeBuilder } from '../app/route.ts';
import type { Settings } from '../app/settings.ts';
import { fold } from '../store/fields.ts';
import { namePattern } from '../store/kinds.ts';
import { findOrganization, isNameTaken } from '../store/people.ts';
import { objectSchema, textSchema } from './shapes.ts';

const route = routeBuilder({ section: 'Validation', access: 'token' });

const validation = {
  200: {
    description: 'The result',
    schema: objectSchema('Validation', {
      Status: { type: 'string', enum: ['VALID', 'USER_EXISTS', 'RESERVED', 'INVALID', 'NOT_ALLOWED'] },
    }),
  },
};

export const validationRoutes: readonly Route[] = [
  route('validateUsername', 'POST /user/validate/username', {
    summary: 'Check whether a user name is available',
    emulation: 'Checks the syntax, the reserved names, and the stored names',
    query: { user_name: { description: 'User name to validate', schema: textSchema } },
    answers: validation,
    run: (call) => {
      const name = call.query('user_name') ?? '';
      if (!isName(name)) return verdict('INVALID');
      if (isReserved(name, call.settings)) return verdict('RESERVED');
      return verdict(isNameTaken(call.store, name) ? 'USER_EXISTS' : 'VALID');
    },
  }),
  route('validateOrgname', 'POST /user/validate/orgname', {
    summary: 'Check whether an organization name is available',
    emulation: 'As user names; NOT_ALLOWED for users who may not create organizations',
    query: {
      org: { description: 'Current name of the organization, when renaming', schema: textSchema },
      user_name: { description: 'Proposed organization name', schema: textSchema },
    },
    answers: validation,
    run: (call) => {
      const name = call.query('user_name') ?? '';
      if (!isName(name)) return verdict('INVALID');
      if (isReserved(name, call.settings)) return verdict('RESERVED');
      if (call.caller.clientOrgUser && !call.caller.is_admin) return verdict('NOT_ALLOWED');
      // A renamed organization can keep its name, in any letter case.
      const keeps = fold(call.query('org') ?? '') === fold(name) && findOrganization(call.store, name) !== undefined;
      return verdict(!keeps && isNameTaken(call.store, name) ? 'USER_EXISTS' : 'VALID');
    },
  }),
  route('validateEmail', 'POST /user/validate/email', {
    summary: 'Check whether an e-mail address can be used',
    emulation: 'Checks the syntax, the lists of domains, and the stored addresses',
    query: { email: { description: 'Address to validate', schema: textSchema } },
    answers: validation,
    run: (call) => {
      const email = call.query('email') ?? '';
      if (!isEmailAddress(email)) return verdict('INVALID');
      if (!isEmailAllowed(email, call.settings)) return verdict('NOT_ALLOWED');
      return verdict(call.store.email.first('address', fold(email)) ? 'USER_EXISTS' : 'VALID');
    },
  }),
];

function verdict(status: string): Reply {
  return ok({ Status: status });
}

const nameRule = new RegExp(namePattern);

export function isName(name: string): boolean {
  return name.length <= 40 && nameRule.test(name);
}

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
