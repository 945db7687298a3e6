// The data of the emulator: snapshots, worlds and the export.

import { useState } from 'preact/hooks';
import { isInPage, root, world } from '../../api.ts';
import { resetData, restoreSnapshot } from '../../demo.ts';
import { showMessage } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useLoaded } from '../loaded.ts';
import { Button, downloadText } from '../parts.tsx';

interface Names {
  readonly names: readonly string[];
}

/** Takes, restores and deletes snapshots; resets the data. */
export function SnapshotsPart() {
  const { data, loadCall, sent, reload, send } = useLoaded<Names>('snapshots');
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
              <Button kind="plain" label={`Restore ${name}`} onPress={() => restoreSnapshot(name, `Restored ${name}`)}>
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
        <Button icon="undo" kind="plain" onPress={reset}>
          Reset data
        </Button>
        <Button icon="download" kind="plain" onPress={exportAll}>
          Export data
        </Button>
      </div>
      <SentCall sent={sent} />
      <PageCall {...loadCall} />
    </>
  );
}

/** Creates, opens and deletes worlds. */
export function WorldsPart() {
  const { data, loadCall, sent, send } = useLoaded<Names>('worlds');
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
      <PageCall {...loadCall} />
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
        <input
          type="text"
          value={name}
          placeholder="Name"
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <Button kind="plain" disabled={name.trim() === ''} onPress={make}>
        {button}
      </Button>
    </div>
  );
}
