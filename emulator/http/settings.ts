// What can be set about the emulated service, with the defaults.

/** Says how the emulated service behaves. */
export interface Settings {
  /** The text from which ids, tokens and keys follow. */
  readonly seed: string;
  /** Tells whether this is a hosted deployment, which alone has `GET /user/cloudmsg-token`. */
  readonly hosted: boolean;
  /** Checks answers against the schemas too; one that breaks its schema becomes a 500. */
  readonly strict: boolean;
  /** Serves the control routes under `/__drydock/`. */
  readonly control: boolean;
  /** Origins that may call from a page: exact ones, `*` for all, `loopback` for every port of this machine. */
  readonly origins: readonly string[];
  /** The longest body that is read, in bytes. */
  readonly bodyLimit: number;
  readonly pageSize: number;
  readonly maxPageSize: number;
  /** Where the service redirects when something it needs is missing. */
  readonly redirect: string;
  /** The cookies that a sign-out clears. */
  readonly cookies: readonly string[];
  readonly msgbusEndpoints: readonly string[];
  /** Says whether a new e-mail address must be confirmed before it counts as verified. */
  readonly confirmEmail: boolean;
  readonly reservedNames: readonly string[];
  readonly reservedSuffixes: readonly string[];
  /** Domains of e-mail addresses: those on `block` are refused, and if `allow` has any, all that are not on it. */
  readonly emailDomains: { readonly allow: readonly string[]; readonly block: readonly string[] };
  /** Who may make organizations; people of a client organization never may. */
  readonly organizationCreators: 'everyone' | 'admins';
  /** The answer of `GET /version`. */
  readonly version: string;
  /** How many calls a world's log keeps. */
  readonly logLimit: number;
  /** How many worlds there may be at a time. */
  readonly maxWorlds: number;
}

/** The settings of an emulator that is given none. */
export const defaultSettings: Settings = {
  seed: 'drydock',
  hosted: false,
  strict: false,
  control: true,
  origins: ['loopback'],
  bodyLimit: 5 * 1024 * 1024,
  pageSize: 30,
  maxPageSize: 50,
  redirect: '/500',
  cookies: ['session', '_csrf'],
  msgbusEndpoints: ['nats://127.0.0.1:4222'],
  confirmEmail: false,
  // The names that Gitea, old and new, keeps for itself.
  reservedNames: [
    ...['.', '..', '.well-known', 'admin', 'api', 'assets', 'attachments', 'avatar', 'avatars', 'captcha', 'commits'],
    ...['debug', 'error', 'explore', 'favicon.ico', 'ghost', 'gitea-actions', 'help', 'install', 'issues', 'less'],
    ...['login', 'manifest.json', 'metrics', 'milestones', 'new', 'notifications', 'org', 'plugins', 'pulls', 'raw'],
    ...['repo', 'repo-avatars', 'robots.txt', 'search', 'serviceworker.js', 'sitemap.xml', 'ssh_info', 'stars'],
    ...['swagger.v1.json', 'template', 'user', 'v2'],
  ],
  reservedSuffixes: ['.keys', '.gpg', '.rss', '.atom', '.png'],
  emailDomains: { allow: [], block: ['mailinator.example'] },
  organizationCreators: 'everyone',
  version: '0.1.0',
  logLimit: 1000,
  maxWorlds: 1000,
};
