// A request to the API on the page: the request, ways to copy it, and the response.

import { type ApiAnswer, bodyOf, curlOf, fetchOf, hintOf, isGood, maskedText, refusalWords } from '../api.ts';
import type { CallState } from './load.ts';
import { CopyButton, ErrorMessage, Loading, TextBlock } from './parts.tsx';

type CallProps = Pick<CallState, 'call' | 'answer'>;

const forms = { curl: curlOf, fetch: fetchOf };

/** A request in one line, to copy as `curl` and as `fetch`. */
export function CallLine({ call, answer }: CallProps) {
  return (
    <div class="call">
      <code class="call-line">
        <b>{call.method}</b> /{call.path}
      </code>
      <StatusTag answer={answer} />
      <span class="spring" />
      <span class="call-copies">
        {Object.entries(forms).map(([form, format]) => (
          <CopyButton key={form} text={format(call)} what={form}>
            {form}
          </CopyButton>
        ))}
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

/** Classifies a response for its color. */
export function statusClass(status: number): string {
  return status >= 200 && status < 300 ? 'good' : status >= 300 && status < 400 ? 'moved' : 'bad';
}

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

/** The calls of a page: the last request that changed something, with its error if it failed, and the request behind the page. */
export function StateCalls({ sent, ...page }: CallState) {
  return (
    <>
      {sent ? (
        <div class="last-call">
          <CallLine {...sent} />
          <Refused answer={sent.answer} />
        </div>
      ) : undefined}
      <PageCall {...page} />
    </>
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
