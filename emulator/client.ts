// The front door `drydock/client`: the types of every operation of the API, and a client by them on `openapi-fetch`.

import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './core/api-types.generated.ts';

/** The types of the API, as openapi-typescript makes them from its document. */
export type { components, operations, paths } from './core/api-types.generated.ts';

// A CommonJS bundle gives the library's exports for its default export, which is one of them.
const create =
  'default' in createFetchClient ? (createFetchClient.default as typeof createFetchClient) : createFetchClient;

/** What a client is made from, beside what `openapi-fetch` takes. */
export interface UserApiOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The address of the platform without `/api/v1`, such as `https://platform.example.com`. Default: the page's own origin. */
  readonly baseUrl?: string;
  /** The access token that calls are made with. Default: none; a page sends the cookies of its session. */
  readonly token?: string;
}

/** A client of the API: `GET`, `POST`, `PUT`, `DELETE` by path, with the types of its document. */
export type UserApiClient = Client<paths>;

/**
 * Returns a client. Without a token it works with the session of the page: cookies, and the CSRF token for what changes something.
 *
 * @example
 * const api = createClient({ baseUrl: 'http://127.0.0.1:4010', token });
 * const { data, error } = await api.GET('/user/clusters', { params: { query: { all: 'true' } } });
 */
export function createClient({ baseUrl = '', token, ...options }: UserApiOptions = {}): UserApiClient {
  const client = create<paths>({
    credentials: 'include',
    ...options,
    baseUrl: `${baseUrl.replace(/(?<!\/)\/+$/, '')}/api/v1`,
  });
  client.use({
    onRequest: ({ request }) => {
      const csrf = csrfToken();
      if (token !== undefined) request.headers.set('Authorization', `token ${token}`);
      else if (request.method !== 'GET' && csrf !== undefined) request.headers.set('X-CSRF-Token', csrf);
      return request;
    },
  });
  return client;
}

// What the sign-in left in a cookie that scripts may read.
function csrfToken(): string | undefined {
  const { document } = globalThis as { readonly document?: { readonly cookie: string } };
  return /(?:^|; )_csrf=([^;]*)/.exec(document?.cookie ?? '')?.[1];
}
