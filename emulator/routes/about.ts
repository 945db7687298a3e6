// Routes about the emulator itself: version, API document, pictures, public keys.

import { escapeMarkup } from '../../render/core/page/escape.ts';
import { ok, plain, type Reply } from '../app/message.ts';
import { documentRoutes } from '../app/openapi.ts';
import { missing } from '../app/problem.ts';
import { type Call, type CallWith, type Route, routeBuilder } from '../app/route.ts';
import type { Json } from '../store/json.ts';
import { findOrganization, findUser } from '../store/people.ts';
import { drawAvatar } from './avatar.ts';
import { htmlType } from './html.ts';
import { anyObject, objectSchema, problemAnswer, textSchema } from './shapes.ts';

const route = routeBuilder({ section: 'About', access: 'public' });
const emulation = 'Made from the routes of the emulator';

/** The routes about the emulator. */
export const aboutRoutes: readonly Route[] = [
  route('getVersion', 'GET /version', {
    summary: 'Tell the version',
    emulation: 'The version of the emulator, or the setting; usable as a readiness probe',
    answers: { 200: { description: 'The version', schema: objectSchema('ServerVersion', { version: textSchema }) } },
    run: ({ settings }) => ok({ version: settings.version }),
  }),
  route('getOpenApi', 'GET /swagger.v1.json', {
    summary: 'Get this document',
    emulation,
    answers: { 200: { description: 'The OpenAPI 3.1 document', schema: anyObject } },
    run: document,
  }),
  route('getOpenApiAtRoot', 'GET /swagger.v1.json', {
    space: 'root',
    summary: 'Get the API document',
    emulation,
    answers: { 200: { description: 'The OpenAPI 3.1 document', schema: anyObject } },
    run: document,
  }),
  route('getSwaggerPage', 'GET /api/swagger', {
    space: 'root',
    summary: 'Show the API document',
    emulation: 'A plain page without scripts',
    answers: { 200: { description: 'The page', type: htmlType } },
    run: (call) =>
      plain(htmlType, swaggerPage(call), {
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      }),
  }),
  route('getAvatar', 'GET /avatars/{name}', {
    space: 'root',
    summary: 'Get the picture of a user or an organization',
    emulation: 'Initials on a color derived from the name',
    params: { name: 'Login or slug' },
    answers: {
      200: { description: 'The picture', type: 'image/svg+xml' },
      404: problemAnswer('There is no user with this name'),
    },
    run: avatar,
  }),
  route('getKeys', 'GET /.well-known/jwks.json', {
    space: 'root',
    summary: 'Get the public keys of cloudmsg tokens',
    emulation: 'Derived from the seed',
    hosted: true,
    answers: { 200: { description: 'A JSON Web Key Set', schema: anyObject } },
    run: async ({ world }) => {
      const { cloudmsgKeys } = await import('../keys/cloudmsg.ts');
      return ok(cloudmsgKeys(world.seed) as unknown as Json);
    },
  }),
];

function document(call: Call): Reply {
  const { routes, apiUrl, settings } = call;
  return ok(documentRoutes(routes, { space: 'api', base: apiUrl, version: settings.version }));
}

function swaggerPage({ routes, apiUrl, siteUrl }: Call): string {
  const sections = [...new Set(routes.map((route) => route.section))].map((name) => {
    const listed = routes.filter((route) => route.section === name && (route.space ?? 'api') === 'api');
    const rows = listed.map(
      ({ method, path, summary, emulation: how, access }) =>
        `<tr><td><b>${method}</b></td><td><code>${escapeMarkup(path)}</code></td><td>${escapeMarkup(summary)}<br><small>${escapeMarkup(how).replace(/`([^`]*)`/g, '<code>$1</code>')}</small></td><td>${access}</td></tr>`,
    );
    return rows.length === 0 ? '' : `<h2>${escapeMarkup(name)}</h2><table>${rows.join('')}</table>`;
  });
  const style =
    'body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}td{padding:.3em .8em .3em 0;vertical-align:top}';
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>drydock: user API</title><style>${style}</style>`,
    `<h1>The user API, emulated</h1><p>All paths are below <code>${escapeMarkup(apiUrl)}/api/v1</code>.`,
    `The same as OpenAPI 3.1: <a href="${escapeMarkup(siteUrl)}/swagger.v1.json">swagger.v1.json</a>.</p>`,
    ...sections,
    '</html>\n',
  ].join('\n');
}

function avatar({ store, params }: CallWith<'name'>): Reply {
  const { name } = params;
  const user = findUser(store, name);
  const fullName = (user ?? findOrganization(store, name))?.full_name;
  if (fullName === undefined) throw missing(`Nobody has the name ${JSON.stringify(name)}.`);
  return plain('image/svg+xml', drawAvatar({ name, fullName, kind: user ? 'person' : 'organization' }));
}
