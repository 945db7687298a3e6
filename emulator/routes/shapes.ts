// Shared response schemas, and functions that format rows accordingly.

import { problemSchema } from '../app/problem.ts';
import type { AnswerRule, Call } from '../app/route.ts';
import type { Schema } from '../store/compile.ts';
import type { Json, JsonObject } from '../store/json.ts';
import { primaryEmail } from '../store/people.ts';
import type { OrganizationRow, UserRow } from '../store/rows.ts';
import { zeroTime } from '../store/seed.ts';

/** Creates the schema of an object whose fields are all required, except the optional ones. */
export function objectSchema(
  title: string,
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { title, type: 'object', required, properties };
}

/** Creates the schema of a request body that has all of the properties, and no others. */
export function exactSchema<const Properties extends Readonly<Record<string, Schema>>>(
  title: string,
  properties: Properties,
) {
  const required = Object.keys(properties) as (keyof Properties & string)[];
  return { title, type: 'object', required, properties, additionalProperties: false } as const;
}

export function listSchema(items: Schema): Schema {
  return { type: 'array', items };
}

export const textSchema: Schema = { type: 'string' };
export const booleanSchema: Schema = { type: 'boolean' };
export const integerSchema: Schema = { type: 'integer' };
export const int64Schema: Schema = { type: 'integer', format: 'int64' };
export const timeSchema: Schema = { type: 'string', format: 'date-time' };
export const anyObject: Schema = { type: 'object', additionalProperties: true };

export function problemAnswer(description: string): AnswerRule {
  return { description, schema: problemSchema };
}

export const userSchema: Schema = objectSchema(
  'User',
  {
    id: int64Schema,
    login: textSchema,
    username: textSchema,
    full_name: textSchema,
    email: textSchema,
    avatar_url: { type: 'string', format: 'uri' },
    language: textSchema,
    is_admin: booleanSchema,
    last_login: timeSchema,
    created: timeSchema,
    type: { type: 'integer', description: '0 is a person, 1 an organization' },
    active: booleanSchema,
    prohibit_login: booleanSchema,
    orgAdmin: booleanSchema,
    clientOrgUser: { type: 'boolean', description: 'Only with check_client_org=true' },
    location: textSchema,
    website: textSchema,
    description: textSchema,
    orgType: { type: 'integer', description: 'Only of organizations' },
  },
  ['clientOrgUser', 'orgType'],
);

export const organizationSchema: Schema = objectSchema('Organization', {
  id: int64Schema,
  username: { type: 'string', description: 'The slug' },
  full_name: textSchema,
  avatar_url: { type: 'string', format: 'uri' },
  description: textSchema,
  website: textSchema,
  location: textSchema,
  mgmtManagementClusterEndPoint: textSchema,
  visibility: { type: 'string', enum: ['public', 'limited', 'private'] },
  orgType: integerSchema,
});

/** Returns the members that a schema requires, in its order: those of a row, and `more` that the row lacks or has in another form. */
export function formatRow(schema: Schema, row: object, more: JsonObject = {}): JsonObject {
  const formatted: Record<string, Json> = {};
  for (const name of schema.required as readonly string[]) formatted[name] = more[name] ?? (row as JsonObject)[name]!;
  return formatted;
}

/** Formats a person for the viewer of a call: private fields of others are empty, unless an admin views them. */
export function formatUser(call: Pick<Call, 'viewer' | 'store' | 'siteUrl'>, row: UserRow): JsonObject {
  const { viewer, store } = call;
  const open = viewer !== undefined && (viewer.id === row.id || viewer.is_admin);
  return formatRow(userSchema, row, {
    username: row.login,
    email: !open && row.keepEmailPrivate ? `${row.login}@noreply.example.com` : primaryEmail(store, row.id),
    avatar_url: avatarUrl(call, row.login),
    is_admin: open && row.is_admin,
    last_login: open ? row.last_login : zeroTime,
    type: 0,
  });
}

export function formatOrganization(call: Call, row: OrganizationRow): JsonObject {
  return formatRow(organizationSchema, row, { avatar_url: avatarUrl(call, row.username) });
}

export function avatarUrl(call: Pick<Call, 'siteUrl'>, name: string): string {
  return `${call.siteUrl}/avatars/${encodeURIComponent(name)}`;
}

/** Formats an age like Kubernetes: `43m`, `5h`, `12d`, `2y3d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(Math.floor(ms / 1000), 0);
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86400)];
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (days < 8) return withRest(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  if (days < 365 * 8) return withRest(Math.floor(days / 365), 'y', days % 365, 'd');
  return `${Math.floor(days / 365)}y`;
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`;
}
