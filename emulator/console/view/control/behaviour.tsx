// How the emulator behaves: single faults, the clock.

import { useState } from 'preact/hooks';
import { type FaultDraft, faultOf, misplacedOf } from '../../fault-draft.ts';
import { say } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useLoaded } from '../loaded.ts';
import { Button } from '../parts.tsx';
import { FaultFields, FaultWords } from './fault-fields.tsx';

interface ActiveFault {
  readonly id: number;
  readonly fault: Readonly<Record<string, unknown>>;
  readonly scenario?: string;
  readonly seen: number;
  readonly struck: number;
}

/** Lists faults, sets and lifts them. */
export function FaultsPart() {
  const { told, asked, sent, send } = useLoaded<readonly ActiveFault[]>('faults');
  const [draft, setDraft] = useState<FaultDraft>({});
  const body = faultOf(draft);
  // Who types fast is in the next field before this one is drawn.
  const write = (name: string, value: string | boolean): void => setDraft((last) => ({ ...last, [name]: value }));
  const set = async (): Promise<void> => {
    if (await send('POST', 'faults', body)) setDraft({});
  };
  const lift = async (id: number): Promise<void> => void (await send('DELETE', `faults/${id}`));
  return (
    <>
      <PageCall {...asked} />
      <FaultWords />
      <fieldset class="fault-form">
        <legend>A new fault</legend>
        <FaultFields draft={draft} misplaced={misplacedOf(sent?.answer)} onWrite={write} />
        <Button kind="main" disabled={Object.keys(body).length === 0} onPress={set}>
          Set
        </Button>
      </fieldset>
      <SentCall sent={sent} />
      {told?.length === 0 ? <p class="soft pad">No fault is at work.</p> : undefined}
      <ul>
        {told?.map((one) => (
          <li key={one.id} class="issue">
            <div>
              <code>{JSON.stringify(one.fault)}</code>
              <p class="soft">
                {one.scenario === undefined ? '' : `of the scenario ${one.scenario}, `}met {one.seen} calls, struck{' '}
                {one.struck}
              </p>
            </div>
            <Button kind="plain" onPress={() => lift(one.id)}>
              Lift
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface Clock {
  readonly now: string;
  readonly frozen: boolean;
}

const steps = [
  { label: 'a minute', seconds: 60 },
  { label: 'an hour', seconds: 3600 },
  { label: 'a day', seconds: 86_400 },
  { label: '30 days', seconds: 2_592_000 },
] as const;

/** Sets, freezes and moves the clock. */
export function ClockPart() {
  const { told, asked, sent, again, send } = useLoaded<Clock>('clock');
  const [time, setTime] = useState('');
  const set = async (body: object): Promise<void> => void (await send('PUT', 'clock', body));
  const advance = async (seconds: number): Promise<void> => {
    if (await send('POST', 'clock/advance', { seconds })) say('The time moved on.');
  };
  return (
    <>
      <PageCall {...asked} />
      <p class="clock">
        <time>{told?.now ?? '…'}</time> {told?.frozen ? <span class="tag risk">frozen</span> : undefined}
      </p>
      <div class="form-line">
        <Button kind="plain" onPress={() => set({ frozen: !told?.frozen })}>
          {told?.frozen ? 'Let it run' : 'Freeze'}
        </Button>
        <Button kind="plain" onPress={again}>
          Look again
        </Button>
        <span class="soft">Move on by</span>
        {steps.map(({ label, seconds }) => (
          <Button key={label} kind="plain" onPress={() => advance(seconds)}>
            {label}
          </Button>
        ))}
      </div>
      <div class="form-line">
        <label>
          <span class="soft">Set to</span>
          <input
            type="text"
            value={time}
            placeholder="2026-01-31T12:00:00Z"
            autocomplete="off"
            onInput={(event) => setTime(event.currentTarget.value)}
          />
        </label>
        <Button kind="plain" disabled={time.trim() === ''} onPress={() => set({ now: time.trim() })}>
          Set
        </Button>
      </div>
      <SentCall sent={sent} />
    </>
  );
}
