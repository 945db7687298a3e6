// The settings of the emulated service in one table. Types, validation, the flags of `serve`, the JSON Schema of settings.json and the docs
// are derived from it.

import { defaultHelm, type HelmSelector, helmNames, helmSelectors } from '../../render/core/helm-version.ts';
import { EmulatorError, type Issue } from '../core/errors.ts';
import { defaultLimits, limitsSchema, type OrderLimits } from '../rendering/limits.ts';
import { checkJson } from '../store/check.ts';
import type { Schema } from '../store/compile.ts';
import type { Json } from '../store/json.ts';

/** The flag of `serve` for a setting, instead of `--set name=value`. */
export interface SettingFlag {
  /** Without dashes. */
  readonly name: string;
  /** The placeholder of the value in help; a flag without it has no value. */
  readonly value?: string;
  /** The value of a flag without an argument. Default true. */
  readonly sets?: Json;
}

/** A setting: its default, the schema of its values, a description, and a hint for invalid values. */
export interface SettingRule<T> {
  readonly default: T;
  readonly schema: Schema;
  readonly description: string;
  readonly hint?: string;
  /** A setting without a flag is set by `--set name=value`. A list has a repeatable flag. */
  readonly flag?: SettingFlag;
}

const text: Schema = { type: 'string' };

function yesOrNo(value: boolean, description: string, flag?: SettingFlag): SettingRule<boolean> {
  return { default: value, schema: { type: 'boolean' }, description, ...(flag && { flag }) };
}

function count(
  value: number,
  [minimum, maximum]: readonly [number, number],
  rest: Pick<SettingRule<number>, 'description' | 'flag'>,
): SettingRule<number> {
  return { default: value, schema: { type: 'integer', minimum, maximum }, ...rest };
}

function texts(
  value: readonly string[],
  items: Schema,
  rest: Omit<SettingRule<readonly string[]>, 'default' | 'schema'>,
): SettingRule<readonly string[]> {
  return { default: value, schema: { type: 'array', items }, ...rest };
}

const lowerCase: Schema = { type: 'string', pattern: '^[^\\p{Lu}]+$' };
const inLowerCase = 'write it in lower case, for names are compared without regard to case';

// Reserved names of old and new Gitea versions.
const reservedNames = [
  ...['.', '..', '.well-known', 'admin', 'api', 'assets', 'attachments', 'avatar', 'avatars', 'captcha', 'commits'],
  ...['debug', 'error', 'explore', 'favicon.ico', 'ghost', 'gitea-actions', 'help', 'install', 'issues', 'less'],
  ...['login', 'manifest.json', 'metrics', 'milestones', 'new', 'notifications', 'org', 'plugins', 'pulls', 'raw'],
  ...['repo', 'repo-avatars', 'robots.txt', 'search', 'serviceworker.js', 'sitemap.xml', 'ssh_info', 'stars'],
  ...['swagger.v1.json', 'template', 'user', 'v2'],
];

interface DomainLists {
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

const emailDomains: SettingRule<DomainLists> = {
  default: { allow: [], block: ['mailinator.example'] },
  schema: {
    type: 'object',
    required: ['allow', 'block'],
    properties: { allow: { type: 'array', items: lowerCase }, block: { type: 'array', items: lowerCase } },
    additionalProperties: false,
  },
  description:
    'Domains of e-mail addresses: those on `block` are refused, and if `allow` has any, all that are not on it',
  hint: 'give both lists, `allow` and `block`, with domains in lower case',
};

/** Every setting by its name. */
export const settingRules = {
  seed: {
    default: 'drydock',
    schema: text,
    description: 'Seed for ids, tokens and keys',
    flag: { name: 'seed', value: 'TEXT' },
  } as SettingRule<string>,
  hosted: yesOrNo(false, 'Emulate a hosted deployment, which adds `GET /user/cloudmsg-token`', { name: 'hosted' }),
  strict: yesOrNo(false, 'Respond with 500 if a response violates its schema, and refuse undeclared query parameters', {
    name: 'strict',
  }),
  control: yesOrNo(true, 'Serve the control routes under `/__drydock/`', { name: 'no-control', sets: false }),
  origins: texts(
    ['loopback'],
    { type: 'string', pattern: '^(?:\\*|loopback|null|[a-z][a-z0-9+.-]*://[^/\\s]+)$' },
    {
      description: 'Origins allowed by CORS: exact origins, `*` for all, `loopback` for every port of this machine',
      hint: 'give scheme, host and perhaps port, without a path, such as https://app.example.com',
      flag: { name: 'cors', value: 'ORIGIN' },
    },
  ),
  basePath: {
    default: '',
    schema: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)*$' },
    description: 'Path of the service, in front of `/api/v1`',
    hint: 'start it with a slash and end it without one, such as /platform',
    flag: { name: 'base-path', value: 'PATH' },
  } as SettingRule<string>,
  publicUrl: {
    default: '',
    schema: { type: 'string', pattern: '^(?:https?://[^/?#\\s]+(?:/[A-Za-z0-9._~-]+)*)?$' },
    description:
      'Base URL in links, without `/api/v1`. Default: the address of the request, or the one in `X-Forwarded-Host` and `X-Forwarded-Proto`',
    hint: 'give scheme, host and perhaps a path, without a slash at the end, such as https://platform.example.com',
    flag: { name: 'public-url', value: 'URL' },
  } as SettingRule<string>,
  bodyLimit: count(5 * 1024 * 1024, [1, 2 ** 31], {
    description: 'Maximum size of a request body in bytes',
    flag: { name: 'body-limit', value: 'BYTES' },
  }),
  pageSize: count(30, [1, 10_000], { description: 'Default number of entries per page' }),
  maxPageSize: count(50, [1, 10_000], { description: 'Maximum number of entries per page' }),
  redirect: {
    default: '/500',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]+$' },
    description: 'Where the service redirects if something that it needs is missing',
    hint: 'it is sent as a header: write other characters and spaces as %XX',
  } as SettingRule<string>,
  cookies: {
    default: ['session', '_csrf'],
    schema: { type: 'array', items: { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }, uniqueItems: true },
    description: 'Cookies of a session: its key, its CSRF token, and further cookies that signing out clears',
    hint: 'give the name of a cookie, without value and blanks, each once',
  } as SettingRule<readonly string[]>,
  msgbusEndpoints: texts(
    ['nats://127.0.0.1:4222'],
    { type: 'string', pattern: '^[a-z][a-z0-9+.-]*://[^\\s/]+' },
    {
      description: 'Endpoints in messaging credentials',
      hint: 'give a URL such as nats://127.0.0.1:4222',
      flag: { name: 'msgbus', value: 'URL' },
    },
  ),
  confirmEmail: yesOrNo(false, 'New e-mail addresses must be confirmed before they count as verified'),
  reservedNames: texts(reservedNames, lowerCase, {
    description: 'Reserved names',
    hint: inLowerCase,
  }),
  reservedSuffixes: texts(['.keys', '.gpg', '.rss', '.atom', '.png'], lowerCase, {
    description: 'Suffixes that names must not have',
    hint: inLowerCase,
  }),
  emailDomains,
  version: {
    default: '0.1.0',
    schema: text,
    description: 'Version that `GET /version` returns',
  } as SettingRule<string>,
  logLimit: count(1000, [1, 1_000_000], { description: 'Maximum number of requests in the log of a world' }),
  logBodyLimit: count(16_384, [0, 2 ** 24], {
    description: 'Maximum number of bytes of each body in the log; 0 for none',
  }),
  limits: {
    default: defaultLimits,
    schema: limitsSchema,
    description:
      'Limits of rendering an Order: `milliseconds`, `outputBytes` of one response, `memory` in MiB if a thread renders',
    hint: 'give integers, memory at least 16; omitted ones keep their default',
  } as SettingRule<Partial<OrderLimits>>,
  helm: {
    default: defaultHelm,
    schema: { type: ['string', 'integer'], enum: [...helmSelectors, 3, 4] },
    description: `Version of Helm to reproduce (${helmNames()})`,
    hint: 'give a version such as "3.22.0", or "3.22", 3 or 4 for the newest of it',
    flag: { name: 'helm', value: 'VERSION' },
  } as SettingRule<HelmSelector>,
  maxWorlds: count(1000, [1, 100_000], {
    description: 'Maximum number of worlds',
    flag: { name: 'max-worlds', value: 'N' },
  }),
  maxSnapshots: count(100, [1, 10_000], { description: 'Maximum number of snapshots of a world' }),
  evictWorlds: yesOrNo(false, 'Remove the least recently used world if there are too many', {
    name: 'evict-worlds',
  }),
};

type Rules = typeof settingRules;

/** Names a setting. */
export type SettingName = keyof Rules;

/** Settings of the emulated service; see `settingRules` for descriptions. */
export type Settings = { readonly [Name in SettingName]: Rules[Name]['default'] };

/** The names of all settings. */
export const settingNames = Object.keys(settingRules) as readonly SettingName[];

/** The default settings. */
export const defaultSettings = Object.fromEntries(
  settingNames.map((name) => [name, settingRules[name].default]),
) as unknown as Settings;

/** The JSON Schema of settings.json. */
export const settingsSchema: Schema = {
  title: 'Settings',
  type: 'object',
  properties: Object.fromEntries(
    settingNames.map((name): [string, Json] => {
      const { schema, description, default: value } = settingRules[name] as SettingRule<Json>;
      return [name, { ...schema, description, default: value }];
    }),
  ),
  additionalProperties: false,
};

/**
 * Returns every problem in settings, such as the content of a settings.json; none if they are valid.
 *
 * @example
 * settingIssues({ pageSize: 0 }); // [{ path: 'pageSize', message: 'must be at least 1' }]
 */
export function settingIssues(given: unknown): readonly Issue[] {
  const issues = checkJson(settingsSchema, given).map((fault): Issue => {
    const name = /^\w+/.exec(fault.path)?.[0] ?? '';
    const hint = name in settingRules ? (settingRules[name as SettingName] as SettingRule<unknown>).hint : undefined;
    return { ...fault, ...(hint !== undefined && { hint }) };
  });
  if (issues.length > 0) return issues;
  const { pageSize, maxPageSize } = { ...defaultSettings, ...(given as Partial<Settings>) };
  if (pageSize <= maxPageSize) return [];
  const message = `is ${pageSize}, more than maxPageSize, which is ${maxPageSize}`;
  return [{ path: 'pageSize', message, hint: 'raise maxPageSize too, or lower pageSize' }];
}

/** Returns complete settings. Throws an `EmulatorError` (SETTING_INVALID) with all issues. */
export function readSettings(given: Readonly<Record<string, unknown>>): Settings {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const issues = settingIssues(set);
  if (issues.length > 0) throw new EmulatorError('SETTING_INVALID', issues);
  return structuredClone({ ...defaultSettings, ...set });
}
