// What the emulator was asked, as it is asked: found by words, looked into, asked again.

import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { type ApiAnswer, type ApiCall, callApi } from '../../call.ts';
import { user } from '../../session.ts';
import { AnswerText, CallLine, statusClass } from '../call.tsx';
import { wordsOf } from '../orders/actions.ts';
import { Button, Empty, Fault, TextBlock } from '../parts.tsx';

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Logged {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly route?: string;
  readonly user?: string;
  readonly status: number;
  readonly durationMs: number;
  readonly violations: readonly string[];
  readonly meant?: string;
  readonly request: Message;
  readonly response: Message;
}

// The newest of a long log.
const mostShown = 200;
const pause = 1500;

/** The part. */
export function RequestsPart() {
  const [log, setLog] = useState<readonly Logged[]>([]);
  const [fault, setFault] = useState<string>();
  const [search, setSearch] = useState('');
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout>;
    let after = 0;
    const look = async (): Promise<void> => {
      try {
        const told = await ask<readonly Logged[]>('GET', `__drydock/requests?after=${after}`);
        if (isGone) return;
        after = told.at(-1)?.id ?? after;
        if (told.length > 0) setLog((known) => [...known, ...told].slice(-mostShown));
        setFault(undefined);
      } catch (failure) {
        if (!isGone) setFault(wordsOf(failure));
      }
      if (!isGone) timer = setTimeout(look, pause);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  const forget = async (): Promise<void> => {
    await ask('DELETE', '__drydock/requests');
    setLog([]);
  };
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = log.filter((one) => {
    const text = `${one.method} ${one.path} ${one.status} ${one.user ?? ''} ${one.route ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      <div class="form-line">
        <input
          type="search"
          aria-label="Search requests"
          placeholder="Method, path, status, user"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <Button icon="remove" kind="plain" disabled={log.length === 0} onPress={forget}>
          Forget all
        </Button>
      </div>
      {fault === undefined ? undefined : <Fault message={fault} />}
      {found.length === 0 ? (
        <Empty title={log.length === 0 ? 'Nothing was asked yet' : 'No request is like that'}>
          <p>Calls of the API appear here as they come, with what was sent and answered. Secrets are masked.</p>
        </Empty>
      ) : undefined}
      {[...found].reverse().map((one) => (
        <LoggedRow key={one.id} one={one} />
      ))}
    </>
  );
}

function LoggedRow({ one }: { readonly one: Logged }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="logged" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="tag" data-status={statusClass(one.status)}>
          {one.status || 'dropped'}
        </span>{' '}
        <b>{one.method}</b> <span class="logged-path">{one.path}</span>{' '}
        <span class="soft">
          {one.user ?? 'nobody'} · {Math.round(one.durationMs)} ms · {one.time.slice(11, 19)}
        </span>
      </summary>
      {isOpen ? <LoggedDetail one={one} /> : undefined}
    </details>
  );
}

function LoggedDetail({ one }: { readonly one: Logged }) {
  const [again, setAgain] = useState<ApiAnswer>();
  const call: ApiCall = {
    method: one.method,
    path: one.path.replace(/^\/(?:.*?\/)?(?=api\/|__drydock\/|avatars\/)/, ''),
    token: user.value?.token,
    body: one.request.body,
  };
  return (
    <div class="logged-detail">
      {one.meant === undefined ? undefined : <p>Was {one.meant} meant?</p>}
      {one.violations.map((words) => (
        <p key={words} class="field-fault">
          {words}
        </p>
      ))}
      <h3>Sent</h3>
      <TextBlock text={textOf(one.request)} />
      <h3>Answered</h3>
      <TextBlock text={textOf(one.response)} />
      <p>
        <Button icon="again" kind="plain" onPress={async () => setAgain(await callApi(call))}>
          Ask again as {user.value?.login ?? 'nobody'}
        </Button>
      </p>
      {again ? (
        <>
          <CallLine call={call} answer={again} />
          <AnswerText answer={again} />
        </>
      ) : undefined}
    </div>
  );
}

function textOf({ headers, body }: Message): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...head, ...(body ? ['', body] : [])].join('\n') || '(nothing)';
}
