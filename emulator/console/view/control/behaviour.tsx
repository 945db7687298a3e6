// How the emulator behaves: scenarios, single faults, the clock.

import { useState } from 'preact/hooks';
import { say } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useLoaded } from '../loaded.ts';
import { Button } from '../parts.tsx';

interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly on: boolean;
}

/** Turns scenarios on and off. */
export function ScenariosPart() {
  const { told, asked, sent, send } = useLoaded<readonly Scenario[]>('scenarios');
  const turn = async ({ name, on }: Scenario): Promise<void> =>
    void (await send(on ? 'DELETE' : 'PUT', `scenarios/${encodeURIComponent(name)}`));
  return (
    <>
      <PageCall {...asked} />
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Scenario</th>
            <th scope="col">What it does</th>
            <th scope="col">
              <span class="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {told?.map((one) => (
            <tr key={one.name}>
              <td data-label="Scenario">
                <span>
                  {one.name} {one.on ? <span class="tag risk">on</span> : undefined}
                </span>
              </td>
              <td data-label="What it does">{one.description}</td>
              <td class="row-tools">
                <Button kind={one.on ? 'main' : 'plain'} onPress={() => turn(one)}>
                  Turn {one.on ? 'off' : 'on'}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <SentCall sent={sent} />
    </>
  );
}

interface ActiveFault {
  readonly id: number;
  readonly fault: Readonly<Record<string, unknown>>;
  readonly scenario?: string;
  readonly seen: number;
  readonly struck: number;
}

const fields = [
  { name: 'route', label: 'Route', placeholder: 'GET /user, or all' },
  { name: 'user', label: 'For the user', placeholder: 'anyone' },
  { name: 'status', label: 'Status', placeholder: '503' },
  { name: 'message', label: 'Message', placeholder: '' },
  { name: 'latencyMs', label: 'Waits, in ms', placeholder: '0' },
  { name: 'times', label: 'Times', placeholder: 'always' },
  { name: 'probability', label: 'Chance', placeholder: '1' },
] as const;
const flags = [
  { name: 'drop', label: 'close the connection' },
  { name: 'malformed', label: 'cut the answer' },
  { name: 'expiredToken', label: 'the token has expired' },
] as const;
const numbers = new Set(['status', 'latencyMs', 'times', 'probability']);

/** Lists faults, sets and lifts them. */
export function FaultsPart() {
  const { told, asked, sent, send } = useLoaded<readonly ActiveFault[]>('faults');
  const [draft, setDraft] = useState<Readonly<Record<string, string | boolean>>>({});
  const body = Object.fromEntries(
    Object.entries(draft)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => value !== '' && value !== false)
      .map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]),
  );
  // Who types fast is in the next field before this one is drawn.
  const write = (name: string, value: string | boolean): void => setDraft((last) => ({ ...last, [name]: value }));
  const set = async (): Promise<void> => {
    if (await send('POST', 'faults', body)) setDraft({});
  };
  const lift = async (id: number): Promise<void> => void (await send('DELETE', `faults/${id}`));
  return (
    <>
      <PageCall {...asked} />
      <fieldset class="fault-form">
        <legend>A new fault</legend>
        {fields.map(({ name, label, placeholder }) => (
          <label key={name} class="field">
            <span>{label}</span>
            <input
              type="text"
              value={String(draft[name] ?? '')}
              placeholder={placeholder}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => write(name, currentTarget.value)}
            />
          </label>
        ))}
        {flags.map(({ name, label }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={draft[name] === true}
              onChange={({ currentTarget }) => write(name, currentTarget.checked)}
            />
            <span>{label}</span>
          </label>
        ))}
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
