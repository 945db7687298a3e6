// A call of the API on the page: its line, ways to copy it, and what came back.

import {
  type ApiAnswer,
  type ApiCall,
  type AskedCall,
  curlOf,
  fetchOf,
  isGood,
  jsonOf,
  type MadeCall,
  maskedText,
  mendOf,
  refusalWords,
} from '../call.ts';
import { Button, copyText, Fault, TextBlock } from './parts.tsx';

/** The line of a call. */
export function CallLine({ call, answer }: AskedCall) {
  return (
    <div class="call">
      <code class="call-line">
        <b>{call.method}</b> /{call.path}
      </code>
      {answer ? (
        <span class="tag" data-status={statusClass(answer.status)}>
          {answer.status || 'no answer'} · {Math.round(answer.took)} ms
        </span>
      ) : undefined}
      <span class="spring" />
      <span class="call-copies">
        <CallCopies call={call} />
      </span>
    </div>
  );
}

/** Copies a call as `curl` and as `fetch`. `of` names what the call gives, where the page has several calls. */
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

/** Names how an answer went, for its colour. */
export function statusClass(status: number): string {
  return status >= 200 && status < 300 ? 'good' : status >= 300 && status < 400 ? 'moved' : 'bad';
}

/** What an answer that is no success says. */
export function Refused({ answer }: { readonly answer: ApiAnswer }) {
  return <Fault message={refusalWords(answer)} where={`${answer.status || ''}`} mend={mendOf(answer)} />;
}

/** The call that a page makes, and why it was refused where it was. */
export function PageCall({ call, answer }: AskedCall) {
  return (
    <>
      <CallLine call={call} answer={answer} />
      {answer && !isGood(answer) ? <Refused answer={answer} /> : undefined}
    </>
  );
}

/** The call that changed something last, and why it was refused where it was. */
export function SentCall({ sent }: { readonly sent: MadeCall | undefined }) {
  if (!sent) return undefined;
  return (
    <div class="last-call">
      <CallLine call={sent.call} answer={sent.answer} />
      {isGood(sent.answer) ? undefined : <Refused answer={sent.answer} />}
    </div>
  );
}

/** The text of an answer, secrets masked where it is JSON; copied as it came. */
export function AnswerText({ answer, of }: { readonly answer: ApiAnswer; readonly of?: string }) {
  const body = jsonOf(answer);
  return (
    <details class="answer">
      <summary>The answer{of === undefined ? '' : ` to ${of}`} as it came</summary>
      <Button icon="copy" kind="quiet" onPress={() => copyText(answer.text, 'Answer, with its secrets')}>
        Copy
      </Button>
      <TextBlock text={body === undefined ? answer.text : maskedText(body)} />
    </details>
  );
}
