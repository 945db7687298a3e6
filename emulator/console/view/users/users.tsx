// The users with a token: profile, lists and actions of each, through the API.

import { useState } from 'preact/hooks';
import { bodyOf, callApi, isGood, isInPage, request, root, seededPassword } from '../../api.ts';
import { hrefOf, place } from '../../place.ts';
import { currentUser, type SeededUser, showMessage, signInAs, users } from '../../session.ts';
import { ResponseText, StateCalls } from '../call.tsx';
import { type CallState, useCall, useLoad } from '../load.ts';
import { Avatar, Button, DataTable, Empty, Nav, RelativeTime, TextField, TextForm } from '../parts.tsx';
import { type Action, cellOf, pageSize, type ResponseRow, type UserPage, userPages } from './pages.ts';

interface Seeded {
  readonly login: string;
  readonly description?: string;
  readonly active?: boolean;
  readonly prohibit_login?: boolean;
}

interface SeededState {
  readonly state: { readonly rows: { readonly user: readonly Seeded[] } };
}

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
          {users.value?.map(({ login: name, is_admin }) => {
            const about = state?.rows.user.find((row) => row.login === name);
            return (
              <li key={name} class="chart" data-shown={name === shown?.login}>
                <a class="chart-link" href={hrefOf('users', [name])}>
                  <Avatar name={name} size={28} />
                  <span>
                    <span class="chart-name">{name}</span> {is_admin ? <span class="tag">site admin</span> : undefined}{' '}
                    {about?.active === false ? <span class="tag risk">inactive</span> : undefined}{' '}
                    {about?.prohibit_login === true ? <span class="tag risk">locked</span> : undefined}{' '}
                    {currentUser.value?.login === name ? <span class="tag">you</span> : undefined}
                  </span>
                  <span class="chart-about">{about?.description ?? ''}</span>
                </a>
              </li>
            );
          })}
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

function UserDetail({ one, page }: { readonly one: SeededUser; readonly page: UserPage }) {
  return (
    <section class="shelf-detail" aria-label={`${page.label} of ${one.login}`}>
      <div class="bar">
        <a class="button quiet back" href={hrefOf('users')}>
          Back
        </a>
        <h2 class="bar-title">{one.login}</h2>
        <Button
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
        pages={userPages}
        here={page.name}
        hrefOf={(name) => hrefOf('users', [one.login, name])}
      />
      <PageOf one={one} page={page} />
    </section>
  );
}

function PageOf({ one, page }: { readonly one: SeededUser; readonly page: UserPage }) {
  const [number, setNumber] = useState(1);
  const [password, setPassword] = useState(seededPassword(one.login));
  const rights = page.byPassword ? { password: { login: one.login, word: password } } : { token: one.token };
  const state = useCall({ method: 'GET', path: `api/v1/${page.path(one.login, number)}`, ...rights });
  const { answer, sent } = state;
  const send: CallState['send'] = (method, path, body) => state.send(method, `api/v1/${path}`, body);
  const body = answer && isGood(answer) ? bodyOf<unknown>(answer) : undefined;
  const { columns, action, form } = page;
  const rows = body === undefined ? [] : (page.rows?.(body) ?? (Array.isArray(body) ? body : []));
  const act = async ({ method, path, body: make }: Action, row: ResponseRow): Promise<void> => {
    await send(method, path(row, one.login), make?.(row));
  };
  return (
    <div class="scroll page-body">
      {page.byPassword ? (
        <label class="form-line">
          <span class="soft">Password of {one.login} (this request takes no token)</span>
          <TextField value={password} onWrite={setPassword} />
        </label>
      ) : undefined}
      {body === undefined ? undefined : !columns ? (
        <ProfileCard one={one} profile={body as Profile} />
      ) : rows.length === 0 ? (
        <p class="soft pad">{page.empty}</p>
      ) : (
        <DataTable
          rows={rows}
          keyOf={(row) => JSON.stringify(row)}
          columns={Object.fromEntries(
            Object.entries(columns).map(([label, path]) => [label, (row: ResponseRow) => cellOf(row, path)]),
          )}
          actions={
            action &&
            ((row) => (
              <Button kind="quiet" onPress={() => act(action, row)}>
                {action.label}
              </Button>
            ))
          }
        />
      )}
      {page.isPaged && Array.isArray(body) ? (
        <p class="pager">
          <Button disabled={number === 1} onPress={() => setNumber(number - 1)}>
            Previous
          </Button>
          <span>Page {number}</span>
          <Button disabled={body.length < pageSize} onPress={() => setNumber(number + 1)}>
            Next
          </Button>
        </p>
      ) : undefined}
      {form && answer && isGood(answer) ? (
        <TextForm
          {...form}
          onSend={async (text, button) => {
            const method = button === 'Replace' ? 'PUT' : form.method;
            await send(method, form.path(text, one.login), form.body?.(text));
            return form.example === undefined;
          }}
        />
      ) : undefined}
      <ResponseText answer={sent?.answer} />
      <StateCalls {...state} />
    </div>
  );
}

// The profile of a user: who they are, and the beginning of each of their lists.

interface Profile {
  readonly login: string;
  readonly full_name?: string;
  readonly email?: string;
  readonly location?: string;
  readonly website?: string;
  readonly description?: string;
  readonly created?: string;
  readonly last_login?: string;
  readonly is_admin?: boolean;
}

// The lists on the profile: the first rows, with their first two texts.
const profileLists = ['clusters', 'orgs', 'teams', 'credentials', 'followers', 'following', 'inbox'];
const hasAvatars = ['orgs', 'followers', 'following'];
const shownRows = 4;

function ProfileCard({ one, profile }: { readonly one: SeededUser; readonly profile: Profile }) {
  const { login, full_name, email, location, website, description, created, last_login, is_admin } = profile;
  return (
    <>
      <div class="profile">
        <Avatar name={login} size={88} />
        <div class="profile-words">
          <h3>{full_name || login}</h3>
          <p class="soft">
            {login} {is_admin ? <span class="tag">site admin</span> : undefined}
          </p>
          {description ? <p>{description}</p> : undefined}
          <p class="profile-facts">
            {[email, location, website].map((fact) => (fact ? <span key={fact}>{fact}</span> : undefined))}
            {created ? (
              <span>
                Joined <RelativeTime iso={created} />
              </span>
            ) : undefined}
            {last_login ? (
              <span>
                Last sign-in <RelativeTime iso={last_login} />
              </span>
            ) : undefined}
          </p>
        </div>
      </div>
      <div class="profile-sections">
        {profileLists.map((list) => (
          <ProfileList key={list} one={one} page={userPages.find(({ name }) => name === list)!} />
        ))}
      </div>
    </>
  );
}

function ProfileList({ one, page }: { readonly one: SeededUser; readonly page: UserPage }) {
  const { name: list, label, columns = {} } = page;
  const call = { method: 'GET', path: `api/v1/${page.path(one.login, 1)}`, token: one.token };
  // Undefined until it is loaded, or if the API refuses it.
  const { value } = useLoad(call.path, async (signal) => {
    const answer = await callApi(call, signal);
    const rows = isGood(answer) ? bodyOf<readonly ResponseRow[]>(answer) : undefined;
    if (!Array.isArray(rows)) return undefined;
    const [, total = rows.length] = answer.headers.find(([name]) => name.toLowerCase() === 'x-total-count') ?? [];
    return { total: Number(total), rows: rows.slice(0, shownRows) as readonly ResponseRow[] };
  });
  const href = hrefOf('users', [one.login, list]);
  const { total, rows = [] } = value ?? {};
  return (
    <section class="profile-section">
      <h4>
        <a href={href}>{label}</a> <span class="count">{total ?? '–'}</span>
      </h4>
      <ul>
        {rows.map((row, index) => {
          const cells = Object.values(columns).map((path) => cellOf(row, path));
          const [name = '', note] = cells.filter((text) => text !== '');
          return (
            <li key={`${index}`}>
              {hasAvatars.includes(list) ? <Avatar name={name} size={20} /> : undefined}
              <b>{name}</b> {note === name ? undefined : <span class="soft">{note}</span>}
            </li>
          );
        })}
      </ul>
      {total !== undefined && total > rows.length ? <a href={href}>{total - rows.length} more</a> : undefined}
      {total === 0 ? <p class="soft">None</p> : undefined}
    </section>
  );
}
