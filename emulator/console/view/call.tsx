// A request to the API on the page: the request, ways to copy it, and the response.

import {
  type ApiAnswer,
  type ApiCall,
  curlOf,
  fetchOf,
  hintOf,
  isGood,
  type LoadCall,
  type MadeCall,
  maskedText,
  parseAnswer,
  refusalWords,
} from '../call.ts';
import { Button, copyText, ErrorMessage, Loading, TextBlock } from './parts.tsx';

/** A request in one line. */
export function CallLine({ call, answer }: LoadCall) {
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

function StatusTag({ answer }: { readonly answer: ApiAnswer | undefined }) {
  if (!answer) return undefined;
  return (
    <span class="tag" data-status={statusClass(answer.status)}>
      {answer.status || 'no response'} · {Math.round(answer.took)} ms
    </span>
  );
}

/** Copies a call as `curl` and as `fetch`. `of` names its result, if the page has several calls. */
export function CallCopies({ call, of }: { readonly call: ApiCall; readonly of?: string }) {
  const labelOf = (form: string): string | undefined => (of === undefined ? undefined : `Copy ${form} for ${of}`);
  return (
    <>
      <Button icon="copy" label={labelOf('curl')} kind="quiet" onPress={() => copyText(curlOf(call), 'curl')}>
        curl
      </Button>
      <Button icon="copy" label={labelOf('fetch')} kind="quiet" onPress={() => copyText(fetchOf(call), 'fetch')}>
        fetch
      </Button>
    </>
  );
}

/** Classifies a response for its color. */
export function statusClass(status: number): string {
  return status >= 200 && status < 300 ? 'good' : status >= 300 && status < 400 ? 'moved' : 'bad';
}

/** The message of an error response. */
export function Refused({ answer }: { readonly answer: ApiAnswer }) {
  return <ErrorMessage message={refusalWords(answer)} where={`${answer.status || ''}`} hint={hintOf(answer)} />;
}

/** The request behind a page, collapsed; with its loading state or error. */
export function PageCall({ call, answer }: LoadCall) {
  return (
    <>
      <details class="request">
        <summary>
          Request <StatusTag answer={answer} />
        </summary>
        <CallLine call={call} answer={undefined} />
        {answer && answer.text !== '' ? <ResponseText answer={answer} /> : undefined}
      </details>
      {answer ? isGood(answer) ? undefined : <Refused answer={answer} /> : <Loading />}
    </>
  );
}

/** The last request that changed something, and the error, if it failed. */
export function SentCall({ sent }: { readonly sent: MadeCall | undefined }) {
  if (!sent) return undefined;
  return (
    <div class="last-call">
      <CallLine call={sent.call} answer={sent.answer} />
      {isGood(sent.answer) ? undefined : <Refused answer={sent.answer} />}
    </div>
  );
}

/** The body of a response, with secrets masked if it is JSON; the copy has them. */
export function ResponseText({ answer }: { readonly answer: ApiAnswer }) {
  const body = parseAnswer(answer);
  return (
    <section class="answer" aria-label="Response">
      <div class="answer-head">
        <h3>Response</h3>
        <Button icon="copy" kind="quiet" onPress={() => copyText(answer.text, 'Response, secrets included,')}>
          Copy
        </Button>
      </div>
      <TextBlock text={body === undefined ? answer.text : maskedText(body)} />
    </section>
  );
}
