// Loads the data of a control route when a part is opened and after each change, with the requests that were sent.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ApiAnswer, type ApiCall, callApi, isGood, type LoadCall, type MadeCall, parseAnswer } from '../call.ts';
import { loadStatus, message, showError } from '../session.ts';

/** The data, and functions to load and change it. */
export interface Loaded<Data> {
  readonly data: Data | undefined;
  /** The request that loads it, with its response. */
  readonly loadCall: LoadCall;
  /** The last request that changed something, or undefined. */
  readonly sent: MadeCall | undefined;
  /** Loads it again. */
  readonly reload: () => Promise<void>;
  /** Sends a control request that changes something, and loads the data again. Returns the response; undefined for an error. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<ApiAnswer | undefined>;
}

/** Loads the data of a control route, by its path below `/__drydock/`. */
export function useLoaded<Data>(path: string): Loaded<Data> {
  const [answer, setAnswer] = useState<ApiAnswer>();
  const [data, setData] = useState<Data>();
  const [sent, setSent] = useState<MadeCall>();
  const call = controlCall('GET', path);
  const reload = useCallback(async () => {
    const got = await callApi(controlCall('GET', path));
    setAnswer(got);
    if (isGood(got)) setData(parseAnswer(got) as Data);
  }, [path]);
  const send = async (...[method, to, body]: Parameters<Loaded<Data>['send']>): Promise<ApiAnswer | undefined> => {
    // A message about an earlier request would be shown beside the response to this one.
    message.value = undefined;
    const made = controlCall(method, to, body);
    const got = await callApi(made);
    setSent({ call: made, answer: got });
    await Promise.all([reload(), loadStatus().catch(showError)]);
    return isGood(got) ? got : undefined;
  };
  useEffect(() => void reload(), [reload]);
  return { data, loadCall: { call, answer }, sent, reload, send };
}

/** Returns a call of a control route: `path` below `/__drydock/`, `body` as JSON. */
export function controlCall(method: string, path: string, body?: unknown): ApiCall {
  return { method, path: `__drydock/${path}`, ...(body !== undefined && { body: JSON.stringify(body) }) };
}
