// Organizations and teams: the caller's, another person's, and a single organization.

import { ok } from '../app/message.ts';
import { pageHeaders, pageParameters, readPage } from '../app/paging.ts';
import { missing } from '../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../app/route.ts';
import type { JsonObject } from '../store/json.ts';
import { findOrganization, findUser, isMember, organizationsOf } from '../store/people.ts';
import type { OrganizationRow, TeamRow } from '../store/rows.ts';
import {
  formatOrganization,
  formatRow,
  int64Schema,
  listSchema,
  objectSchema,
  organizationSchema,
  problemAnswer,
  textSchema,
} from './shapes.ts';

const route = routeBuilder({ section: 'Organizations and teams', access: 'token' });

const teamSchema = objectSchema('Team', {
  id: int64Schema,
  name: textSchema,
  description: textSchema,
  organization: organizationSchema,
  permission: { type: 'string', enum: ['none', 'read', 'write', 'admin', 'owner'] },
  units: listSchema(textSchema),
  type: textSchema,
  role_ids: listSchema({ type: 'integer' }),
});

const organizations = { description: 'The organizations', schema: listSchema(organizationSchema) };

export const organizationRoutes: readonly Route[] = [
  route('listTeams', 'GET /user/teams', {
    summary: "List the caller's teams",
    emulation: 'The seeded teams; `units` and `role_ids` are always lists (the real service may send null)',
    query: pageParameters,
    answers: { 200: { description: 'The teams', schema: listSchema(teamSchema), headers: pageHeaders } },
    run: (call) => {
      const teams = call.store.team.many('member', call.caller.id);
      const { start, end, headers } = readList(call, teams.length);
      return ok(
        teams.slice(start, end).map((team) => formatTeam(call, team)),
        headers,
      );
    },
  }),
  route('listOrganizations', 'GET /user/orgs', {
    summary: "List the caller's organizations, private memberships included",
    emulation: 'The seeded memberships, in the order of joining',
    query: pageParameters,
    answers: { 200: { ...organizations, headers: pageHeaders } },
    run: (call) => {
      const rows = organizationsOf(call.store, call.caller.id);
      const { start, end, headers } = readList(call, rows.length);
      return ok(
        rows.slice(start, end).map((row) => formatOrganization(call, row)),
        headers,
      );
    },
  }),
  route('listSettingsOrganizations', 'GET /user/settings/organizations', {
    summary: "List the caller's organizations for the settings page",
    emulation: 'The same list as `/user/orgs`',
    answers: { 200: organizations },
    run: (call) => ok(organizationsOf(call.store, call.caller.id).map((row) => formatOrganization(call, row))),
  }),
  route('listUserOrganizations', 'GET /users/{username}/orgs', {
    summary: "List another user's public memberships",
    emulation: 'Only organizations that the viewer may see; all memberships for the user and for admins',
    access: 'optional',
    params: { username: 'Login of the user' },
    answers: { 200: organizations, 404: problemAnswer('There is no such user') },
    run: (call) => {
      const user = findUser(call.store, call.params.username);
      if (!user) throw missing(`There is no user ${JSON.stringify(call.params.username)}.`);
      const open = call.viewer?.id === user.id || call.viewer?.is_admin === true;
      const memberships = call.store.membership.many('user', user.id).filter((row) => open || row.public);
      const rows = memberships.map((row) => call.store.organization.get(row.organization)!);
      return ok(rows.filter((row) => isVisible(call, row)).map((row) => formatOrganization(call, row)));
    },
  }),
  route('getOrganization', 'GET /orgs/{orgname}', {
    summary: 'Read one organization',
    emulation: 'Limited ones need a token, private ones a membership; otherwise 404',
    access: 'optional',
    params: { orgname: 'Slug of the organization' },
    answers: {
      200: { description: 'The organization', schema: organizationSchema },
      404: problemAnswer('There is no such organization, or the viewer may not see it'),
    },
    run: (call) => {
      const row = findOrganization(call.store, call.params.orgname);
      if (!row || !isVisible(call, row)) {
        throw missing(`There is no organization ${JSON.stringify(call.params.orgname)}.`);
      }
      return ok(formatOrganization(call, row));
    },
  }),
];

// The whole list unless a page is requested: the document does not paginate these lists.
function readList(call: Call, total: number): ReturnType<typeof readPage> {
  const isPaged = call.query('page') !== undefined || call.query('limit') !== undefined;
  return isPaged ? readPage(call, total) : { start: 0, end: total, headers: { 'X-Total-Count': String(total) } };
}

function isVisible({ viewer, store }: Call, row: OrganizationRow): boolean {
  if (row.visibility === 'public' || viewer?.is_admin) return true;
  if (!viewer) return false;
  return row.visibility === 'limited' || isMember(store, row.id, viewer.id);
}

function formatTeam(call: Call, team: TeamRow): JsonObject {
  const organization = formatOrganization(call, call.store.organization.get(team.organization)!);
  return formatRow(teamSchema, team, { organization });
}
