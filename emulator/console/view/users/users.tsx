// The users with a token: profile, lists and actions of each, through the API.

import { useState } from 'preact/hooks';
import { bodyOf, isGood, isInPage, request, root, seededPassword } from '../../api.ts';
import { hrefOf, place } from '../../place.ts';
import { currentUser, type SeededUser, showMessage, signInAs, users } from '../../session.ts';
import { PageCall, ResponseText, SentCall } from '../call.tsx';
import { TextField } from '../field.tsx';
import { type CallState, useCall, useLoad } from '../load.ts';
import { Avatar, Button, Empty, Input, Nav, TableHead } from '../parts.tsx';
import { type Action, type Form, pageSize, type ResponseRow, type UserPage, userPages, type Words } from './pages.ts';
import { type Profile, ProfileCard } from './profile.tsx';

interface Seeded {
  readonly login: string;
  readonly description?: string;
  readonly active?: boolean;
  readonly prohibit_login?: boolean;
}

interface SeededState {
  readonly state: { readonly rows: { readonly user: readonly Seeded[] } };
}

/** The screen. */
export function UsersScreen() {
  const [login = '', name = 'profile'] = place.value.about;
  const { value: { state } = {} } = useLoad('state', () => request<SeededState>('GET', '__drydock/state'));
  const shown = users.value?.find((one) => one.login === login);
  const page = userPages.find((one) => one.name === name) ?? userPages[0]!;
  return (
    <div class="shelf" data-open={shown !== undefined}>
      <section class="shelf-list" aria-label="Users">
        <div class="bar">
          <h1 class="bar-title">Users</h1>
        </div>
        <ul class="chart-list">
          {users.value?.map((one) => (
            <UserRow
              key={one.login}
              one={one}
              about={state?.rows.user.find((row) => row.login === one.login)}
              isShown={one === shown}
            />
          ))}
        </ul>
      </section>
      {shown ? (
        <UserDetail key={`${shown.login} ${page.name}`} one={shown} page={page} />
      ) : (
        <div class="shelf-detail">
          <Empty title="Select a user">
            {isInPage ? undefined : (
              <>
                Or open the <a href={`${root}user/login`}>sign-in page</a> that an application would show.
              </>
            )}
          </Empty>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly one: SeededUser;
  readonly about: Seeded | undefined;
  readonly isShown: boolean;
}

function UserRow({ one, about, isShown }: RowProps) {
  return (
    <li class="chart" data-shown={isShown}>
      <a class="chart-link" href={hrefOf('users', [one.login])}>
        <Avatar name={one.login} size={28} />
        <span>
          <span class="chart-name">{one.login}</span> {one.is_admin ? <span class="tag">site admin</span> : undefined}{' '}
          {about?.active === false ? <span class="tag risk">inactive</span> : undefined}{' '}
          {about?.prohibit_login === true ? <span class="tag risk">locked</span> : undefined}{' '}
          {currentUser.value?.login === one.login ? <span class="tag">you</span> : undefined}
        </span>
        <span class="chart-about">{about?.description ?? ''}</span>
      </a>
    </li>
  );
}

function UserDetail({ one, page }: { readonly one: SeededUser; readonly page: UserPage }) {
  return (
    <section class="shelf-detail" aria-label={`${page.label} of ${one.login}`}>
      <div class="bar">
        <a class="button quiet back" href={hrefOf('users')}>
          Back
        </a>
        <h2 class="bar-title">{one.login}</h2>
        <Button
          kind="plain"
          disabled={currentUser.value?.login === one.login}
          onPress={() => {
            signInAs(one.login);
            showMessage(`Signed in as ${one.login}`);
          }}
        >
          Sign in as {one.login}
        </Button>
      </div>
      <Nav
        label="Pages"
        kind="nav pages"
        links={userPages.map(({ name, label }) => ({
          href: hrefOf('users', [one.login, name]),
          label,
          isHere: name === page.name,
        }))}
      />
      <PageOf one={one} page={page} />
    </section>
  );
}

function PageOf({ one, page }: { readonly one: SeededUser; readonly page: UserPage }) {
  const [number, setNumber] = useState(1);
  const [password, setPassword] = useState(seededPassword(one.login));
  const [words, setWords] = useState<Words>(
    Object.fromEntries((page.fields ?? []).map(({ name, word }) => [name, word])),
  );
  const rights = page.byPassword ? { password: { login: one.login, word: password } } : { token: one.token };
  const state = useCall({ method: 'GET', path: `api/v1/${page.path(one.login, number, words)}`, ...rights });
  const { answer, sent } = state;
  const send: CallState['send'] = (method, path, body) => state.send(method, `api/v1/${path}`, body);
  const body = answer && isGood(answer) ? bodyOf<unknown>(answer) : undefined;
  return (
    <div class="scroll page-body">
      {page.fields ? (
        <div class="form-line">
          {page.fields.map(({ name, label }) => (
            <label key={name}>
              <span class="soft">{label}</span>
              <TextField
                value={words[name] ?? ''}
                onWrite={(text) => setWords((before) => ({ ...before, [name]: text.trim() }))}
              />
            </label>
          ))}
        </div>
      ) : undefined}
      {page.byPassword ? (
        <div class="form-line">
          <label>
            <span class="soft">Password of {one.login} (this request takes no token)</span>
            <TextField value={password} onWrite={setPassword} />
          </label>
        </div>
      ) : undefined}
      {body === undefined ? undefined : page.columns ? (
        <Body page={page} body={body} login={one.login} onAct={send} />
      ) : (
        <ProfileCard one={one} profile={body as Profile} />
      )}
      {page.isPaged && Array.isArray(body) ? (
        <p class="pager">
          <Button kind="plain" disabled={number === 1} onPress={() => setNumber(number - 1)}>
            Previous
          </Button>
          <span>Page {number}</span>
          <Button kind="plain" disabled={body.length < pageSize} onPress={() => setNumber(number + 1)}>
            Next
          </Button>
        </p>
      ) : undefined}
      {page.form && answer && isGood(answer) ? <FormOf form={page.form} login={one.login} onSend={send} /> : undefined}
      <SentCall sent={sent} />
      <ResponseText answer={sent?.answer} />
      <PageCall {...state} />
    </div>
  );
}

interface BodyProps {
  readonly page: UserPage;
  readonly body: unknown;
  readonly login: string;
  readonly onAct: CallState['send'];
}

function Body({ page, body, login, onAct }: BodyProps) {
  const { columns = [], actions = [], empty = '', rows: rowsOf } = page;
  const rows = rowsOf ? rowsOf(body as ResponseRow) : Array.isArray(body) ? (body as readonly ResponseRow[]) : [];
  if (rows.length === 0) return <p class="soft pad">{empty}</p>;
  const act = async ({ method, path, body: make }: Action, row: ResponseRow): Promise<void> => {
    await onAct(method, path(row, login), make?.(row));
  };
  return (
    <table class="table">
      <TableHead columns={columns.map(({ label }) => label)} hasActions={actions.length > 0} />
      <tbody>
        {rows.map((row, index) => (
          <tr key={`${index}`}>
            {columns.map(({ label, text }) => (
              <td key={label} data-label={label} class={isTime(text(row)) ? 'time' : undefined}>
                {text(row)}
              </td>
            ))}
            {actions.map((action) => (
              <td key={action.label} class="row-tools">
                <Button kind="quiet" onPress={() => act(action, row)}>
                  {action.label}
                </Button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FormProps {
  readonly form: Form;
  readonly login: string;
  readonly onSend: CallState['send'];
}

function FormOf({ form, login, onSend }: FormProps) {
  const [text, setText] = useState(form.example ?? '');
  const send = async (method: string): Promise<void> => {
    const body = form.body?.(text.trim());
    await onSend(method, form.path(text.trim(), login), body);
    if (form.example === undefined) setText('');
  };
  return (
    <div class="form-line">
      <label for="new-row">
        <span class="soft">{form.label}</span>
        {form.example === undefined ? (
          <Input id="new-row" value={text} placeholder={form.placeholder} onWrite={setText} />
        ) : (
          <textarea
            id="new-row"
            class="wide-text"
            rows={3}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </label>
      <Button kind="plain" disabled={text.trim() === ''} onPress={() => send(form.method)}>
        {form.button}
      </Button>
      {form.replaces === undefined ? undefined : (
        <Button kind="plain" disabled={text.trim() === ''} onPress={() => send('PUT')}>
          {form.replaces}
        </Button>
      )}
    </div>
  );
}

function isTime(text: unknown): boolean {
  return typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/.test(text);
}
