// Organizations, their members, and their teams.

import {
  choice,
  count,
  define,
  flagField,
  fold,
  list,
  maybe,
  needed,
  owner,
  people,
  refersTo,
  textField,
  timeField,
  word,
} from '../fields.ts';
import { namePattern } from './person.ts';

/** The sign-in provider of an organization. */
export type AuthSource = {
  readonly id: number;
  readonly providerName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly enforceForMembers: boolean;
};

const authSource = {
  type: 'object',
  required: ['id', 'providerName', 'displayName', 'active', 'enforceForMembers'],
  properties: {
    id: { type: 'integer', minimum: 1, description: 'The id of the way' },
    providerName: { ...word, description: 'The name of the provider, as in addresses' },
    displayName: { ...word, description: 'The name to show' },
    active: { type: 'boolean', description: 'Says that it can be used' },
    enforceForMembers: { type: 'boolean', description: 'Says that members must use it' },
  },
  additionalProperties: false,
};

/** Defines organizations. */
export const organization = define({
  description: 'An organization with its members and, perhaps, its way to sign in',
  ids: 'number',
  fields: {
    username: needed(textField('The slug, used in paths; in one namespace with the logins', { pattern: namePattern })),
    full_name: textField('The name to show; without it, the slug'),
    description: textField('A line about the organization'),
    website: textField('The address of its page'),
    location: textField('Where it is'),
    mgmtManagementClusterEndPoint: textField('The endpoint of its management cluster'),
    visibility: choice('Who sees it: everyone, the signed-in, its members; without it, public', [
      'public',
      'limited',
      'private',
    ]),
    orgType: count('The kind of organization, as a number'),
    created: timeField('When it was made'),
    authSource: maybe<AuthSource>('Its way to sign in', authSource),
  },
  keys: { name: (row) => fold(row.username) },
  unique: ['name'],
});

/** Defines memberships, and whether they are public. */
export const membership = define({
  description: 'Says that a person belongs to an organization',
  ids: 'number',
  fields: {
    organization: owner('organization', 'Slug of the organization'),
    user: refersTo(['user'], 'Login of the person'),
    public: flagField('Whether everyone may know; without it, everyone may'),
  },
  keys: {
    user: (row) => row.user,
    pair: (row) => `${row.organization}/${row.user}`,
  },
  unique: ['pair'],
});

/** Defines teams. */
export const team = define({
  description: 'A team of an organization',
  ids: 'number',
  fields: {
    organization: owner('organization', 'Slug of the organization'),
    name: needed(textField('The name; the organization has it once', word)),
    description: textField('A line about the team'),
    permission: needed(choice('What its members may do', ['none', 'read', 'write', 'admin', 'owner'])),
    units: list<string>('Parts of the service that the team may use', word),
    type: textField('The kind of team'),
    role_ids: list<number>('Ids of the roles of its members', { type: 'integer', minimum: 1 }),
    members: people('Logins of its members'),
  },
  keys: { member: (row) => row.members },
  unique: [],
});

/** Additional fields in fixtures of organizations. */
export const writtenOrganization = {
  id: count('The id; without it, the next free one. People share the sequence', 1),
  members: list<{ readonly user: string; readonly public?: boolean }>('Who belongs to it, each once', {
    type: 'object',
    required: ['user'],
    properties: {
      user: { ...word, description: 'Login of the member' },
      public: { type: 'boolean', description: 'Says that everyone may know; without it, everyone may' },
    },
    additionalProperties: false,
  }),
};
