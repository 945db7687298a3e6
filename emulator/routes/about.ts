// Routes about the emulator itself: version, API document, pictures, public keys.

import { escapeMarkup } from '../../render/core/page/escape.ts';
import { ok, plain, type Reply } from '../app/message.ts';
import { documentRoutes } from '../app/openapi.ts';
import { missing } from '../app/problem.ts';
import { type Call, type CallWith, type Route, routeBuilder } from '../app/route.ts';
import type { Json } from '../store/json.ts';
import { findOrganization, findUser } from '../store/people.ts';
import { htmlType } from './html.ts';
import { anyObject, objectSchema, problemAnswer, textSchema } from './shapes.ts';

const route = routeBuilder({ section: 'About', access: 'public' });
const emulation = 'Made from the routes of the emulator';

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

// Pairs of colors, dark enough for white text.
const tones = [
  ['#4338ca', '#7c3aed'],
  ['#0369a1', '#4f46e5'],
  ['#0f766e', '#0369a1'],
  ['#15803d', '#0f766e'],
  ['#a16207', '#c2410c'],
  ['#b91c1c', '#be185d'],
  ['#be185d', '#7e22ce'],
  ['#6d28d9', '#a21caf'],
  ['#334155', '#475569'],
  ['#9a3412', '#b91c1c'],
] as const;

// The same name always has the same avatar.
function avatar({ store, params }: CallWith<'name'>): Reply {
  const { name } = params;
  const user = findUser(store, name);
  const fullName = (user ?? findOrganization(store, name))?.full_name;
  if (fullName === undefined) throw missing(`Nobody has the name ${JSON.stringify(name)}.`);
  const hash = hashOf(name.toLowerCase());
  const [from, to] = tones[hash % tones.length]!;
  const turn = (hash >>> 8) % 360;
  const outline = user ? '<circle cx="48" cy="48" r="48"/>' : '<rect width="96" height="96" rx="20"/>';
  const shape =
    (hash >>> 4) % 2 === 0
      ? '<circle cx="82" cy="20" r="44"/>'
      : '<rect x="48" y="-24" width="96" height="96" rx="28"/>';
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">',
    `<defs><linearGradient id="g" gradientTransform="rotate(${turn % 60} .5 .5)"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`,
    `<clipPath id="c">${outline}</clipPath></defs>`,
    `<g clip-path="url(#c)"><rect width="96" height="96" fill="url(#g)"/>`,
    `<g fill="#fff" fill-opacity=".1" transform="rotate(${turn} 48 48)">${shape}</g></g>`,
    '<text x="48" y="48" dy=".35em" text-anchor="middle" font-family="Inter,ui-sans-serif,system-ui,sans-serif" font-size="36" ',
    `font-weight="600" letter-spacing=".5" fill="#fff">${escapeMarkup(initialsOf(fullName))}</text></svg>\n`,
  ].join('');
  return plain('image/svg+xml', svg);
}

// Initials of the first and the last word.
function initialsOf(fullName: string): string {
  const words = fullName.split(/[\s._-]+/).filter((word) => word !== '');
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return [first, last]
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).trim())
    .join('')
    .toUpperCase();
}

// FNV-1a.
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}
