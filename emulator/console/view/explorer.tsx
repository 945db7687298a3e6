// The operations of the OpenAPI document, each with a form that sends it as the current user.

import { useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { type ApiAnswer, type ApiCall, callApi, request, root, seededPassword } from '../api.ts';
import { hrefOf, place } from '../place.ts';
import { matcherOf } from '../search.ts';
import { currentUser } from '../session.ts';
import { CallLine, Refused, ResponseText } from './call.tsx';
import { useLoad } from './load.ts';
import { Button, Empty, ErrorMessage, Input, SearchField, TextField } from './parts.tsx';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Security schemes by name. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

interface Listed extends Operation {
  readonly method: string;
  readonly path: string;
  /** An example body as JSON; empty if there is none. */
  readonly example: string;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export function ExplorerScreen() {
  const search = useSignal('');
  const { value: all, fault } = useLoad('operations', async () =>
    listOf(await request<ApiDocument>('GET', 'api/v1/swagger.v1.json')),
  );
  const [id] = place.value.about;
  const shown = all?.find(({ operationId }) => operationId === id);
  const found = useMemo(() => groupsOf(all ?? [], search.value), [all, search.value]);
  return (
    <div class="shelf" data-open={shown !== undefined}>
      <section class="shelf-list" aria-label="Operations">
        <div class="bar">
          <h1 class="bar-title">API</h1>
        </div>
        <div class="pad">
          <SearchField
            class="wide-field"
            label="Search operations"
            placeholder="Search by method, path or summary"
            text={search}
          />
        </div>
        <ErrorMessage message={fault} />
        <div class="chart-list">
          {found.map(({ tag, operations }) => (
            <section key={tag} aria-label={tag}>
              <h2 class="group-title">{tag}</h2>
              <ul>
                {operations.map((one) => (
                  <li key={one.operationId} class="chart" data-shown={one === shown}>
                    <a class="chart-link" href={hrefOf('api', [one.operationId])}>
                      <span class="logged-path">
                        <b>{one.method}</b> {one.path}
                      </span>
                      <span class="chart-about">{one.summary}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </section>
      {shown ? (
        <TryOut key={shown.operationId} operation={shown} />
      ) : (
        <div class="shelf-detail">
          <Empty title="Select an operation">
            You can send it as the current user. The <a href={`${root}api/v1/swagger.v1.json`}>OpenAPI document</a>{' '}
            describes all of them.
          </Empty>
        </div>
      )}
    </div>
  );
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'];

function listOf({ paths, components }: ApiDocument): readonly Listed[] {
  const example = ({ requestBody }: Operation): string => {
    const { schema, example: given } = requestBody?.content?.['application/json'] ?? {};
    if (given !== undefined) return JSON.stringify(given, null, 2);
    return schema ? JSON.stringify(exampleOf(schema, components?.schemas ?? {}), null, 2) : '';
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        return { ...operation, method: method.toUpperCase(), path, example: example(operation) };
      }),
  );
}

// The required properties with empty values.
function exampleOf(schema: Schema, known: Readonly<Record<string, Schema>>, depth = 0): unknown {
  const meant = schema.$ref === undefined ? schema : known[schema.$ref.split('/').at(-1) ?? ''];
  if (!meant || depth > 5) return null;
  if (meant.enum) return meant.enum[0];
  if (meant.type === 'array') return [];
  if (meant.type === 'string') return '';
  if (meant.type === 'boolean') return false;
  if (meant.type === 'integer' || meant.type === 'number') return 0;
  const members = Object.entries(meant.properties ?? {});
  const needed = members.filter(([name]) => meant.required?.includes(name));
  const shown = needed.length > 0 ? needed : members;
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, known, depth + 1)]));
}

function groupsOf(
  all: readonly Listed[],
  search: string,
): readonly { readonly tag: string; readonly operations: readonly Listed[] }[] {
  const matches = matcherOf(search);
  const groups = new Map<string, Listed[]>();
  for (const one of all) {
    if (!matches(`${one.method} ${one.path} ${one.summary} ${one.operationId}`)) continue;
    const tag = one.tags?.[0] ?? 'Other';
    groups.set(tag, [...(groups.get(tag) ?? []), one]);
  }
  return [...groups].map(([tag, operations]) => ({ tag, operations }));
}

function TryOut({ operation }: { readonly operation: Listed }) {
  const { method, path, summary, description, parameters = [], requestBody, responses, example, security } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(example);
  const [answer, setAnswer] = useState<ApiAnswer>();
  const login = currentUser.value?.login ?? '';
  const [password, setPassword] = useState<string>();
  const byPassword = security?.length === 1 && 'basic' in (security[0] ?? {});
  const word = password ?? seededPassword(login);
  // Browsers send no body with these methods.
  const isRead = method === 'GET' || method === 'HEAD';
  const call: ApiCall = {
    method,
    path: addressOf(path, parameters, values),
    ...(byPassword ? { password: { login, word } } : { token: currentUser.value?.token }),
    ...(requestBody && !isRead && { body: body.trim() }),
  };
  const missing = parameters.some(({ name, required }) => required && (values[name] ?? '') === '');
  return (
    <section class="shelf-detail" aria-label={`${method} ${path}`}>
      <div class="bar">
        <a class="button quiet back" href={hrefOf('api')}>
          Back
        </a>
        <h2 class="bar-title">{summary}</h2>
        <Button kind="main" disabled={missing} onPress={async () => setAnswer(await callApi(call))}>
          Send as {login || 'anonymous'}
        </Button>
      </div>
      <div class="scroll page-body">
        <CallLine call={call} answer={answer} />
        <Refused answer={answer} />
        <ResponseText answer={answer} />
        {description ? <p class="pad soft">{withCode(description)}</p> : undefined}
        <div class="fault-form">
          {parameters.map(({ name, in: where, required, description: about }) => (
            <label key={`${where} ${name}`} class="field">
              <span>
                {name} ({where}
                {required ? ', required' : ''})
              </span>
              <Input
                value={values[name] ?? ''}
                placeholder={about}
                spellcheck={false}
                onWrite={(value) => setValues((last) => ({ ...last, [name]: value }))}
              />
            </label>
          ))}
          {byPassword ? (
            <label class="field">
              <span>Password of {login} (this request takes no token)</span>
              <TextField value={word} onWrite={setPassword} />
            </label>
          ) : undefined}
        </div>
        {requestBody && isRead ? (
          <p class="pad soft">Browsers do not send a body with {method}. Copy the curl command instead.</p>
        ) : undefined}
        {requestBody && !isRead ? (
          <label class="form-line">
            <span class="soft">{requestBody.description ?? 'Body'}</span>
            <textarea
              class="wide-text"
              rows={6}
              spellcheck={false}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          </label>
        ) : undefined}
        <h3 class="group-title">Responses</h3>
        <dl class="record">
          {Object.entries(responses).map(([status, { description: about = '' }]) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

function addressOf(path: string, parameters: readonly Parameter[], values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: where } of parameters) {
    const value = values[name] ?? '';
    if (value === '') continue;
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    if (where === 'query') query.set(name, value);
  }
  const search = query.toString();
  return `api/v1${filled}${search === '' ? '' : `?${search}`}`;
}

/** Returns text with parts between backticks as code. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={`${index}`}>{part}</code> : part));
}
