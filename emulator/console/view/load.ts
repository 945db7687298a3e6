// What components load: values that they show, and calls of the API with the requests that change their results.

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type ApiAnswer, type ApiCall, bodyOf, callApi, errorMessage, isGood, type MadeCall } from '../api.ts';
import { chartPath, loadChartDetails, type ShownChart, toChartRequest } from '../chart-details.ts';
import type { OrderPackage } from '../order/document.ts';
import { preview } from '../order/draft.ts';
import { hideMessage, loadStatus, showError } from '../session.ts';

/** A value, or why it is not available; neither until it is loaded. */
export interface Loaded<Value> {
  readonly value?: Value | undefined;
  readonly fault?: string | undefined;
}

/**
 * Loads the value of a key, and loads it again after each change of `changes`: then the last value stays until the new one, or if that
 * fails. Without `load` there is no value.
 */
export function useLoad<Value>(
  key: string,
  load: ((signal: AbortSignal) => Promise<Value>) | undefined,
  ...changes: readonly unknown[]
): Loaded<Value> {
  const [last, setLast] = useState<Loaded<Value> & { readonly key: string }>({ key });
  useEffect(() => {
    if (!load) return undefined;
    const stop = new AbortController();
    const set = (next: Loaded<Value>): void => {
      if (!stop.signal.aborted)
        setLast((before) => ({ ...(before.key === key && before), key, fault: undefined, ...next }));
    };
    load(stop.signal).then(
      (value) => set({ value }),
      (failure) => set({ fault: errorMessage(failure) }),
    );
    return () => stop.abort();
  }, [key, ...changes]);
  return last.key === key ? last : {};
}

/** Returns an output of the last rendered Order, updated with each rendering; `key` identifies the output. */
export function useRendered<Form>(key: string, make: (order: string) => Promise<Form>): Loaded<Form> {
  const { value } = preview;
  return useLoad(key, value && (() => make(value.order)), value);
}

export function useChart(item: OrderPackage | undefined): Loaded<ShownChart> {
  const request = item && item.chart !== '' ? toChartRequest(item) : undefined;
  return useLoad(request ? chartPath(request) : '', request && (() => loadChartDetails(request)));
}

/** A call of the API with its response, and functions to repeat it and to change what it responds. */
export interface CallState {
  readonly call: ApiCall;
  readonly answer: ApiAnswer | undefined;
  readonly sent: MadeCall | undefined;
  readonly reload: () => Promise<void>;
  /** Sends a request with the same rights, and repeats the call. Returns the response; undefined for an error. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<ApiAnswer | undefined>;
}

/** Makes a call when it is first shown, and after each change of it. */
export function useCall(call: ApiCall): CallState {
  const [answer, setAnswer] = useState<ApiAnswer>();
  const [sent, setSent] = useState<MadeCall>();
  const load = useCallback(
    async (signal?: AbortSignal) => setAnswer(await callApi(call, signal)),
    [JSON.stringify(call)],
  );
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [load]);
  const send = async (method: string, path: string, body?: unknown): Promise<ApiAnswer | undefined> => {
    // A message about an earlier request would be shown beside the response to this one.
    hideMessage();
    const made = { ...call, method, path, body: JSON.stringify(body) };
    const got = await callApi(made);
    setSent({ call: made, answer: got });
    await Promise.all([load(), loadStatus().catch(showError)]);
    return isGood(got) ? got : undefined;
  };
  return { call, answer, sent, reload: () => load(), send };
}

/** Makes a call of a control route, by its path below `/__drydock/`. `data` is its last good response. Paths of `send` are below that, too. */
export function useControl<Data>(path: string): CallState & { readonly data: Data | undefined } {
  const state = useCall(controlCall('GET', path));
  const { answer } = state;
  const last = useRef<Data | undefined>(undefined);
  last.current = useMemo(() => (answer && isGood(answer) ? bodyOf<Data>(answer) : last.current), [answer]);
  return { ...state, data: last.current, send: (method, to, body) => state.send(method, `__drydock/${to}`, body) };
}

/** Returns a call of a control route, by its path below `/__drydock/`. */
export function controlCall(method: string, path: string): ApiCall {
  return { method, path: `__drydock/${path}` };
}
