// The operations of the OpenAPI document, each with a form that sends it as the current user.

import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { groupBy } from '../../../render/core/group-by.ts';
import { type ApiAnswer, type ApiCall, callApi, root, seededPassword } from '../api.ts';
import { loadOperations, type Operation, type OperationParameter } from '../operations.ts';
import { hrefOf, place } from '../place.ts';
import { matcherOf } from '../search.ts';
import { currentUser } from '../session.ts';
import { CallLine, Refused, ResponseText } from './call.tsx';
import { useLoad } from './load.ts';
import { Button, Empty, ErrorMessage, Input, LabeledInput, SearchField, TextField } from './parts.tsx';

export function ExplorerScreen() {
  const search = useSignal('');
  const { value: all, fault } = useLoad('operations', loadOperations);
  const [id] = place.value.about;
  const shown = all?.find(({ operationId }) => operationId === id);
  const matches = matcherOf(search.value);
  const found = (all ?? []).filter((one) => matches(`${one.method} ${one.path} ${one.summary} ${one.operationId}`));
  return (
    <div class="shelf" data-open={shown !== undefined}>
      <section class="shelf-list" aria-label="Operations">
        <div class="bar">
          <h1 class="bar-title">API</h1>
        </div>
        <div class="pad">
          <SearchField class="wide-field" label="Search operations by method, path or summary" text={search} />
        </div>
        <ErrorMessage message={fault} />
        <div class="chart-list">
          {[...groupBy(found, ({ tags = [] }) => tags[0] ?? 'Other')].map(([tag, operations]) => (
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

function TryOut({ operation }: { readonly operation: Operation }) {
  const { method, path, summary, description, parameters = [], requestBody, security } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const example = requestBody?.content?.['application/json']?.example;
  const [body, setBody] = useState(JSON.stringify(example, null, 2) ?? '');
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
            <LabeledInput
              key={`${where} ${name}`}
              label={`${name} (${where}${required ? ', required' : ''})`}
              value={values[name] ?? ''}
              placeholder={about}
              onWrite={(value) => setValues((last) => ({ ...last, [name]: value }))}
            />
          ))}
          {byPassword ? (
            <label class="field">
              <span>Password of {login} (this request takes no token)</span>
              <TextField value={word} onWrite={setPassword} />
            </label>
          ) : undefined}
        </div>
        {requestBody && !isRead ? (
          <label class="form-line">
            <span class="soft">{requestBody.description ?? 'Body'}</span>
            <Input rows={6} value={body} onWrite={setBody} />
          </label>
        ) : undefined}
      </div>
    </section>
  );
}

function addressOf(
  path: string,
  parameters: readonly OperationParameter[],
  values: Readonly<Record<string, string>>,
): string {
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
