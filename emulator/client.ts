// Entry point `drydock/client`: types of all API operations, and a typed client based on `openapi-fetch`.

import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './core/api-types.generated.ts';
import { trimSlashes } from './core/base-url.ts';

/** Types of the API, generated from its OpenAPI document by openapi-typescript. */
export type { components, operations, paths } from './core/api-types.generated.ts';

// A CommonJS bundle gets the module object for the default import.
const create =
  'default' in createFetchClient ? (createFetchClient.default as typeof createFetchClient) : createFetchClient;

/** Options for `createClient`, in addition to those of `openapi-fetch`. */
export interface UserApiOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** Base URL without `/api/v1`, such as `https://platform.example.com`. Default: the page's own origin. */
  readonly baseUrl?: string;
  /** Access token. Default: none; in a page, requests then use the cookies of its session. */
  readonly token?: string;
}

/** Typed client of the API: `GET`, `POST`, `PUT` and `DELETE` by path. */
export type UserApiClient = Client<paths>;

/**
 * Returns a typed client. Without a token, it uses the session of the page and sends the CSRF token with requests that make changes.
 *
 * @example
 * const api = createClient({ baseUrl: 'http://127.0.0.1:4010', token });
 * const { data, error } = await api.GET('/user/clusters', { params: { query: { all: 'true' } } });
 */
export function createClient({ baseUrl = '', token, ...options }: UserApiOptions = {}): UserApiClient {
  const client = create<paths>({
    credentials: 'include',
    ...options,
    baseUrl: `${trimSlashes(baseUrl)}/api/v1`,
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

// Set by the sign-in, in a cookie that scripts can read.
function csrfToken(): string | undefined {
  const { document } = globalThis as { readonly document?: { readonly cookie: string } };
  return /(?:^|; )_csrf=([^;]*)/.exec(document?.cookie ?? '')?.[1];
}
