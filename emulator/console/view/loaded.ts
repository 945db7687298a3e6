// What a control route tells, asked for when a part is opened and after each change; and the calls by which that was done.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ApiAnswer, type ApiCall, type AskedCall, callApi, isGood, type MadeCall, parseAnswer } from '../call.ts';
import { loadStatus, message, showError } from '../session.ts';

/** What was reported last, and what asks for more. */
export interface Loaded<Told> {
  readonly reported: Told | undefined;
  /** The call that asks, with its answer. */
  readonly asked: AskedCall;
  /** The call that changed something last; undefined until there is one. */
  readonly sent: MadeCall | undefined;
  /** Asks once more. */
  readonly again: () => Promise<void>;
  /** Changes something by a call of the control, and asks once more. Returns the answer; undefined where it was refused. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<ApiAnswer | undefined>;
}

/** Asks a control route, named by its path below `/__drydock/`. */
export function useLoaded<Told>(path: string): Loaded<Told> {
  const [answer, setAnswer] = useState<ApiAnswer>();
  const [reported, setTold] = useState<Told>();
  const [sent, setSent] = useState<MadeCall>();
  const call = controlCall('GET', path);
  const again = useCallback(async () => {
    const got = await callApi(controlCall('GET', path));
    setAnswer(got);
    if (isGood(got)) setTold(parseAnswer(got) as Told);
  }, [path]);
  const send = async (...[method, to, body]: Parameters<Loaded<Told>['send']>): Promise<ApiAnswer | undefined> => {
    // A message about the call before would stand beside the answer of this one.
    message.value = undefined;
    const made = controlCall(method, to, body);
    const got = await callApi(made);
    setSent({ call: made, answer: got });
    await Promise.all([again(), loadStatus().catch(showError)]);
    return isGood(got) ? got : undefined;
  };
  useEffect(() => void again(), [again]);
  return { reported, asked: { call, answer }, sent, again, send };
}

/** Returns a call of the control: `path` below `/__drydock/`, `body` as JSON. */
export function controlCall(method: string, path: string, body?: unknown): ApiCall {
  return { method, path: `__drydock/${path}`, ...(body !== undefined && { body: JSON.stringify(body) }) };
}
