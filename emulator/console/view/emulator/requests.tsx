// The request log: live, searchable, with the details of each request and a button to send it again.

import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { LogEntry } from '../../../world/log.ts';
import { type ApiAnswer, type ApiCall, bodyOf, callApi, isGood, refusalWords } from '../../api.ts';
import { matcherOf } from '../../search.ts';
import { currentUser } from '../../session.ts';
import { CallLine, PageCall, ResponseText, statusClass } from '../call.tsx';
import { controlCall } from '../load.ts';
import { Button, Empty, SearchField, TextBlock } from '../parts.tsx';

// Maximum number of shown entries, the newest ones.
const mostShown = 200;
const pause = 1500;

export function RequestsPart() {
  const [log, setLog] = useState<readonly LogEntry[]>([]);
  const [answer, setAnswer] = useState<ApiAnswer>();
  const search = useSignal('');
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout>;
    let after = 0;
    const look = async (): Promise<void> => {
      const got = await callApi(controlCall('GET', `requests?after=${after}`));
      if (isGone) return;
      const entries = isGood(got) ? (bodyOf<readonly LogEntry[]>(got) ?? []) : [];
      after = entries.at(-1)?.id ?? after;
      if (entries.length > 0) setLog((known) => [...known, ...entries].slice(-mostShown));
      setAnswer(got);
      timer = setTimeout(look, pause);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  const forget = async (): Promise<void> => {
    const got = await callApi(controlCall('DELETE', 'requests'));
    if (!isGood(got)) throw new Error(refusalWords(got));
    setLog([]);
  };
  const matches = matcherOf(search.value);
  const found = log.filter(({ method, path, status, user: login = '', route = '', faults }) =>
    matches(`${method} ${path} ${status} ${login} ${route} ${faults.length > 0 ? 'fault' : ''}`),
  );
  return (
    <>
      <div class="form-line">
        <SearchField label="Search by method, path, status, user, fault" text={search} />
        <Button icon="remove" disabled={log.length === 0} onPress={forget}>
          Clear log
        </Button>
      </div>
      {found.length === 0 ? (
        <Empty title={log.length === 0 ? 'No requests yet' : 'No matching requests'}>
          Requests to the API appear here as they arrive. Secrets are masked.
        </Empty>
      ) : undefined}
      {[...found].reverse().map((one) => (
        <LoggedRow key={one.id} one={one} />
      ))}
      <PageCall call={controlCall('GET', 'requests')} answer={answer} />
    </>
  );
}

function LoggedRow({ one }: { readonly one: LogEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="logged" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="tag" data-status={statusClass(one.status)}>
          {one.status || 'dropped'}
        </span>{' '}
        {one.faults.length > 0 ? <span class="tag risk">fault</span> : undefined} <b>{one.method}</b>{' '}
        <span class="logged-path">{one.path}</span>{' '}
        <span class="soft">
          {one.user ?? 'anonymous'} · {Math.round(one.durationMs)} ms · {one.time.slice(11, 19)}
        </span>
      </summary>
      {isOpen ? <LoggedDetail one={one} /> : undefined}
    </details>
  );
}

/** Returns a logged path relative to the root of the server and world. */
export function pathBelowRoot(path: string): string {
  return path.replace(/^\/(?:.*?\/)??(?=api\/|__drydock\/|avatars\/)/, '');
}

function LoggedDetail({ one }: { readonly one: LogEntry }) {
  const [again, setAgain] = useState<ApiAnswer>();
  const call: ApiCall = {
    method: one.method,
    path: pathBelowRoot(one.path),
    token: currentUser.value?.token,
    body: one.request.body,
  };
  return (
    <div class="logged-detail">
      {one.meant === undefined ? undefined : <p>Did the client mean {one.meant}?</p>}
      {one.violations.map((words) => (
        <p key={words} class="field-fault">
          {words}
        </p>
      ))}
      {one.faults.map((fault, index) => (
        <p key={`${index}`}>
          Fault <code>{JSON.stringify(fault)}</code>
        </p>
      ))}
      <h3>Request</h3>
      <TextBlock text={textOf(one.request)} />
      <h3>Response</h3>
      <TextBlock text={textOf(one.response)} />
      <p>
        <Button icon="again" onPress={async () => setAgain(await callApi(call))}>
          Send again as {currentUser.value?.login ?? 'anonymous'}
        </Button>
      </p>
      {again ? (
        <>
          <CallLine call={call} answer={again} />
          <ResponseText answer={again} />
        </>
      ) : undefined}
    </div>
  );
}

function textOf({ headers, body }: LogEntry['request']): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...head, ...(body ? ['', body] : [])].join('\n') || '(empty)';
}
