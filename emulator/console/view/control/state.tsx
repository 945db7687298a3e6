// What the emulator holds: snapshots to go back to, worlds of their own, and all of it as a document.

import { useState } from 'preact/hooks';
import { isInPage, root, world } from '../../api.ts';
import { loadSession, say } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useLoaded } from '../loaded.ts';
import { Button, downloadText } from '../parts.tsx';

interface Names {
  readonly names: readonly string[];
}

// What a reset takes away, so that it can be undone.
const beforeReset = 'before-reset';

/** Keeps snapshots, goes back to them, and to the seed. */
export function SnapshotsPart() {
  const { told, asked, sent, send } = useLoaded<Names>('snapshots');
  const act = async (method: string, name: string, words: string, end = ''): Promise<boolean> => {
    if (!(await send(method, `snapshots/${encodeURIComponent(name)}${end}`))) return false;
    if (end !== '') await loadSession();
    say(words);
    return true;
  };
  const reset = async (): Promise<void> => {
    if (!(await send('POST', `snapshots/${beforeReset}`)) || !(await send('POST', 'reset'))) return;
    await loadSession();
    say('Data reset', false, {
      label: 'Undo',
      run: () => void act('POST', beforeReset, 'The data is as it was before the reset.', '/restore'),
    });
  };
  const exportAll = async (): Promise<void> => {
    const answer = await send('GET', 'state');
    if (answer) downloadText(answer.text, `${world || 'default'}-state.json`);
  };
  return (
    <>
      <PageCall {...asked} />
      <NewName
        label="New snapshot"
        button="Keep"
        onMake={(name) => act('POST', name, `The present state is kept as ${name}.`)}
      />
      {told?.names.length === 0 ? <p class="soft pad">Nothing is kept yet.</p> : undefined}
      <ul>
        {told?.names.map((name) => (
          <li key={name} class="issue">
            <b>{name}</b>
            <span class="row-tools">
              <Button
                kind="plain"
                onPress={async () => void (await act('POST', name, `All is as it was at ${name}.`, '/restore'))}
              >
                Go back to {name}
              </Button>
              <Button
                icon="remove"
                kind="quiet"
                onPress={async () => void (await act('DELETE', name, `${name} is forgotten.`))}
              >
                Forget {name}
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
          Export the present state
        </Button>
      </div>
      <SentCall sent={sent} />
    </>
  );
}

/** Makes worlds, opens and forgets them. */
export function WorldsPart() {
  const { told, asked, sent, send } = useLoaded<Names>('worlds');
  const act = async (method: string, name: string): Promise<boolean> =>
    (await send(method, `worlds/${encodeURIComponent(name)}`)) !== undefined;
  const base = world === '' ? root : root.replace(/@[^/@]+\/$/, '');
  return (
    <>
      <PageCall {...asked} />
      <p class="pad soft">A world has rows, a clock and faults of its own; a new one begins as this one is now.</p>
      <NewName label="New world" button="Make" onMake={(name) => act('PUT', name)} />
      <ul>
        {told?.names.map((name) => (
          <li key={name} class="issue">
            <WorldName name={name} base={base} />
            <Button icon="remove" kind="quiet" onPress={async () => void (await act('DELETE', name))}>
              {name === 'default' ? 'Reset default' : `Forget ${name}`}
            </Button>
          </li>
        ))}
      </ul>
      <SentCall sent={sent} />
    </>
  );
}

// Without a server no other page answers: the world is there for programs of this page alone.
function WorldName({ name, base }: { readonly name: string; readonly base: string }) {
  const words = `${name}${(world || 'default') === name ? ' (this one)' : ''}`;
  if (isInPage) return <span>{words}</span>;
  return <a href={name === 'default' ? base : `${base}@${encodeURIComponent(name)}/`}>{words}</a>;
}

interface NewNameProps {
  readonly label: string;
  readonly button: string;
  /** Reports whether it was made. */
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
          placeholder="a name"
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
