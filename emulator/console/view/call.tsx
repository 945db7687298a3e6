// A request to the API on the page: the request, ways to copy it, and the response.

import {
  type ApiAnswer,
  type ApiCall,
  bodyOf,
  curlOf,
  fetchOf,
  hintOf,
  isGood,
  type MadeCall,
  maskedText,
  refusalWords,
} from '../api.ts';
import type { CallState } from './load.ts';
import { CopyButton, ErrorMessage, Loading, TextBlock } from './parts.tsx';

type CallProps = Pick<CallState, 'call' | 'answer'>;

/** A request in one line. */
export function CallLine({ call, answer }: CallProps) {
  return (
    <div class="call">
      <code class="call-line">
        <b>{call.method}</b> /{call.path}
      </code>
      <StatusTag answer={answer} />
      <span class="spring" />
      <span class="call-copies">
        <CallCopies call={call} />
      </span>
    </div>
  );
}

function StatusTag({ answer }: Pick<CallProps, 'answer'>) {
  if (!answer) return undefined;
  return (
    <span class="tag" data-status={statusClass(answer.status)}>
      {answer.status || 'no response'} · {Math.round(answer.took)} ms
    </span>
  );
}

const forms = { curl: curlOf, fetch: fetchOf };

/** Copies a call as `curl` and as `fetch`. `of` names its result, if the page has several calls. */
export function CallCopies({ call, of }: { readonly call: ApiCall; readonly of?: string }) {
  return Object.entries(forms).map(([form, format]) => (
    <CopyButton key={form} label={of && `Copy ${form} for ${of}`} text={format(call)} what={form}>
      {form}
    </CopyButton>
  ));
}

/** Classifies a response for its color. */
export function statusClass(status: number): string {
  return status >= 200 && status < 300 ? 'good' : status >= 300 && status < 400 ? 'moved' : 'bad';
}

/** The message of an error response. */
export function Refused({ answer }: { readonly answer: ApiAnswer | undefined }) {
  if (!answer || isGood(answer)) return undefined;
  return <ErrorMessage message={refusalWords(answer)} where={`${answer.status || ''}`} hint={hintOf(answer)} />;
}

/** The request behind a page, collapsed; with its loading state or error. */
export function PageCall({ call, answer }: CallProps) {
  return (
    <>
      <details class="request">
        <summary>
          Request <StatusTag answer={answer} />
        </summary>
        <CallLine call={call} answer={undefined} />
        <ResponseText answer={answer} />
      </details>
      {answer ? <Refused answer={answer} /> : <Loading />}
    </>
  );
}

/** The last request that changed something, and the error, if it failed. */
export function SentCall({ sent }: { readonly sent: MadeCall | undefined }) {
  if (!sent) return undefined;
  return (
    <div class="last-call">
      <CallLine {...sent} />
      <Refused answer={sent.answer} />
    </div>
  );
}

/** The body of a response, with secrets masked if it is JSON; the copy has them. */
export function ResponseText({ answer }: { readonly answer: ApiAnswer | undefined }) {
  if (!answer || answer.text === '') return undefined;
  const body = bodyOf<unknown>(answer);
  return (
    <section class="answer" aria-label="Response">
      <div class="answer-head">
        <h3>Response</h3>
        <CopyButton text={answer.text} what="Response, secrets included," />
      </div>
      <TextBlock text={body === undefined ? answer.text : maskedText(body)} />
    </section>
  );
}
