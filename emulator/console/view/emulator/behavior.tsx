// The behavior of the emulator: faults and the clock.

import { useState } from 'preact/hooks';
import { type ClockStep, clockSteps } from '../../demo.ts';
import { type FaultDraft, faultOf, misplacedOf } from '../../fault-draft.ts';
import { type ClockStatus, showMessage } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useLoaded } from '../loaded.ts';
import { Button } from '../parts.tsx';
import { FaultFields, FaultPresets, FaultWords } from './fault-fields.tsx';

interface ActiveFault {
  readonly id: number;
  readonly fault: Readonly<Record<string, unknown>>;
  readonly scenario?: string;
  readonly seen: number;
  readonly struck: number;
}

/** Lists, adds and removes faults. */
export function FaultsPart() {
  const { data, loadCall, sent, send } = useLoaded<readonly ActiveFault[]>('faults');
  const [draft, setDraft] = useState<FaultDraft>({});
  const body = faultOf(draft);
  // A fast typist is in the next field before this one is rendered.
  const write = (name: string, value: string | boolean): void => setDraft((last) => ({ ...last, [name]: value }));
  const set = async (): Promise<void> => {
    if (await send('POST', 'faults', body)) setDraft({});
  };
  const remove = async (id: number): Promise<void> => void (await send('DELETE', `faults/${id}`));
  return (
    <>
      <FaultWords />
      <fieldset class="fault-form">
        <legend>New fault</legend>
        <FaultPresets onChoose={setDraft} />
        <FaultFields draft={draft} misplaced={misplacedOf(sent?.answer)} onWrite={write} />
        <Button kind="main" disabled={Object.keys(body).length === 0} onPress={set}>
          Add fault
        </Button>
      </fieldset>
      <SentCall sent={sent} />
      {data?.length === 0 ? <p class="soft pad">No faults</p> : undefined}
      <ul>
        {data?.map((one) => (
          <li key={one.id} class="issue">
            <div>
              <code>{JSON.stringify(one.fault)}</code>
              <p class="soft">
                {one.scenario === undefined ? '' : `Scenario ${one.scenario} · `}
                applied to {one.struck} of {one.seen} matching requests
              </p>
            </div>
            <Button kind="plain" onPress={() => remove(one.id)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <PageCall {...loadCall} />
    </>
  );
}

/** Sets, freezes and advances the clock. */
export function ClockPart() {
  const { data, loadCall, sent, reload, send } = useLoaded<ClockStatus>('clock');
  const [time, setTime] = useState('');
  const set = async (body: object): Promise<void> => void (await send('PUT', 'clock', body));
  const advance = async ({ label, seconds }: ClockStep): Promise<void> => {
    if (await send('POST', 'clock/advance', { seconds })) showMessage(`Clock advanced by ${label}`);
  };
  return (
    <>
      <p class="clock">
        <time>{data?.now ?? '…'}</time> {data?.frozen ? <span class="tag risk">frozen</span> : undefined}
      </p>
      <div class="form-line">
        <Button kind="plain" onPress={() => set({ frozen: !data?.frozen })}>
          {data?.frozen ? 'Run' : 'Freeze'}
        </Button>
        <Button kind="plain" onPress={reload}>
          Refresh
        </Button>
        <span class="soft">Advance by</span>
        {clockSteps.map((step) => (
          <Button key={step.label} kind="plain" onPress={() => advance(step)}>
            {step.label}
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
      <PageCall {...loadCall} />
    </>
  );
}
