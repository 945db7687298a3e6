// The emulator: its requests, its behavior and its data.

import { useState } from 'preact/hooks';
import { isInPage, root, world } from '../../api.ts';
import { hrefOf, place } from '../../place.ts';
import {
  type ClockStatus,
  type ClockStep,
  clockSteps,
  resetData,
  restoreSnapshot,
  showMessage,
} from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useControl } from '../load.ts';
import { Button, downloadText, Input, Nav } from '../parts.tsx';
import { FaultsPart, ScenariosPart } from './faults.tsx';
import { RequestsPart } from './requests.tsx';

const parts = [
  { name: 'requests', label: 'Requests', Part: RequestsPart },
  { name: 'scenarios', label: 'Scenarios', Part: ScenariosPart },
  { name: 'faults', label: 'Faults', Part: FaultsPart },
  { name: 'clock', label: 'Clock', Part: ClockPart },
  { name: 'snapshots', label: 'Snapshots', Part: SnapshotsPart },
  { name: 'worlds', label: 'Worlds', Part: WorldsPart },
] as const;

export function EmulatorScreen() {
  const [name = 'requests'] = place.value.about;
  const { Part, label } = parts.find((part) => part.name === name) ?? parts[0];
  return (
    <div class="page">
      <div class="bar">
        <h1 class="bar-title">Emulator</h1>
      </div>
      <Nav
        label="Emulator"
        kind="nav pages"
        links={parts.map((part) => ({
          href: hrefOf('control', [part.name]),
          label: part.label,
          isHere: part.label === label,
        }))}
      />
      <div class="scroll page-body">
        <Part />
      </div>
    </div>
  );
}

/** Sets, freezes and advances the clock. */
function ClockPart() {
  const clock = useControl<ClockStatus>('clock');
  const { data, sent, reload, send } = clock;
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
        <Button onPress={() => set({ frozen: !data?.frozen })}>{data?.frozen ? 'Run' : 'Freeze'}</Button>
        <Button onPress={reload}>Refresh</Button>
        <span class="soft">Advance by</span>
        {clockSteps.map((step) => (
          <Button key={step.label} onPress={() => advance(step)}>
            {step.label}
          </Button>
        ))}
      </div>
      <div class="form-line">
        <label>
          <span class="soft">Set to</span>
          <Input value={time} placeholder="2026-01-31T12:00:00Z" onWrite={setTime} />
        </label>
        <Button disabled={time.trim() === ''} onPress={() => set({ now: time.trim() })}>
          Set
        </Button>
      </div>
      <SentCall sent={sent} />
      <PageCall {...clock} />
    </>
  );
}

interface Names {
  readonly names: readonly string[];
}

/** Takes, restores and deletes snapshots; resets the data. */
function SnapshotsPart() {
  const snapshots = useControl<Names>('snapshots');
  const { data, sent, reload, send } = snapshots;
  const act = async (method: string, name: string, message: string): Promise<boolean> => {
    if (!(await send(method, `snapshots/${encodeURIComponent(name)}`))) return false;
    showMessage(message);
    return true;
  };
  const reset = async (): Promise<void> => {
    await resetData();
    await reload();
  };
  const exportAll = async (): Promise<void> => {
    const answer = await send('GET', 'state');
    if (answer) downloadText(answer.text, `${world || 'default'}-state.json`);
  };
  return (
    <>
      <NewName
        label="New snapshot"
        button="Take snapshot"
        onMake={(name) => act('POST', name, `Snapshot ${name} taken`)}
      />
      {data?.names.length === 0 ? <p class="soft pad">No snapshots</p> : undefined}
      <ul>
        {data?.names.map((name) => (
          <li key={name} class="issue">
            <b>{name}</b>
            <span class="row-tools">
              <Button label={`Restore ${name}`} onPress={() => restoreSnapshot(name, `Restored ${name}`)}>
                Restore
              </Button>
              <Button
                icon="remove"
                kind="quiet"
                label={`Delete ${name}`}
                onPress={async () => void (await act('DELETE', name, `Deleted ${name}`))}
              >
                Delete
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div class="form-line">
        <Button icon="undo" onPress={reset}>
          Reset data
        </Button>
        <Button icon="download" onPress={exportAll}>
          Export data
        </Button>
      </div>
      <SentCall sent={sent} />
      <PageCall {...snapshots} />
    </>
  );
}

/** Creates, opens and deletes worlds. */
function WorldsPart() {
  const worlds = useControl<Names>('worlds');
  const { data, sent, send } = worlds;
  const act = async (method: string, name: string): Promise<boolean> =>
    (await send(method, `worlds/${encodeURIComponent(name)}`)) !== undefined;
  const base = world === '' ? root : root.replace(/@[^/@]+\/$/, '');
  return (
    <>
      <p class="pad soft">A world has its own data, clock and faults. A new one starts as a copy of this one.</p>
      <NewName label="New world" button="Create" onMake={(name) => act('PUT', name)} />
      <ul>
        {data?.names.map((name) => (
          <li key={name} class="issue">
            <WorldName name={name} base={base} />
            <Button icon="remove" kind="quiet" onPress={async () => void (await act('DELETE', name))}>
              {name === 'default' ? 'Reset default' : `Delete ${name}`}
            </Button>
          </li>
        ))}
      </ul>
      <SentCall sent={sent} />
      <PageCall {...worlds} />
    </>
  );
}

// Without a server, a world can only be used by programs in this page.
function WorldName({ name, base }: { readonly name: string; readonly base: string }) {
  const words = `${name}${(world || 'default') === name ? ' (current)' : ''}`;
  if (isInPage) return <span>{words}</span>;
  return <a href={name === 'default' ? base : `${base}@${encodeURIComponent(name)}/`}>{words}</a>;
}

interface NewNameProps {
  readonly label: string;
  readonly button: string;
  /** Reports whether it was created. */
  readonly onMake: (name: string) => Promise<boolean>;
}

function NewName({ label, button, onMake }: NewNameProps) {
  const [name, setName] = useState('');
  const make = async (): Promise<void> => {
    if (await onMake(name.trim())) setName('');
  };
  return (
    <div class="form-line">
      <label>
        <span class="soft">{label}</span>
        <Input value={name} placeholder="Name" onWrite={setName} />
      </label>
      <Button disabled={name.trim() === ''} onPress={make}>
        {button}
      </Button>
    </div>
  );
}
