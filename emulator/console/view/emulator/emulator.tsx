// The emulator: its requests, its behavior and its data.

import type { ComponentChildren } from 'preact';
import { isInPage, root, world } from '../../api.ts';
import { hrefOf, place } from '../../place.ts';
import { resetData, restoreSnapshot } from '../../session.ts';
import { StateCalls } from '../call.tsx';
import { type CallState, useControl } from '../load.ts';
import { Button, downloadText, Nav, TextForm } from '../parts.tsx';
import { FaultsPart, ScenariosPart } from './faults.tsx';
import { RequestsPart } from './requests.tsx';

const parts = [
  { name: 'requests', label: 'Requests', Part: RequestsPart },
  { name: 'scenarios', label: 'Scenarios', Part: ScenariosPart },
  { name: 'faults', label: 'Faults', Part: FaultsPart },
  { name: 'snapshots', label: 'Snapshots', Part: SnapshotsPart },
  { name: 'worlds', label: 'Worlds', Part: WorldsPart },
] as const;

export function EmulatorScreen() {
  const [name = 'requests'] = place.value.about;
  const { Part, name: here } = parts.find((part) => part.name === name) ?? parts[0];
  return (
    <div class="page">
      <div class="bar">
        <h1 class="bar-title">Emulator</h1>
      </div>
      <Nav label="Emulator" kind="nav pages" pages={parts} here={here} hrefOf={(part) => hrefOf('control', [part])} />
      <div class="scroll page-body">
        <Part />
      </div>
    </div>
  );
}

function SnapshotsPart() {
  const snapshots = useControl<Names>('snapshots');
  const { reload, send } = snapshots;
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
      <NamedList
        {...snapshots}
        kind="snapshot"
        create={{ button: 'Take snapshot', method: 'POST' }}
        rowOf={(name) => (
          <>
            <b>{name}</b>
            <span class="spring" />
            <Button label={`Restore ${name}`} onPress={() => restoreSnapshot(name, `Restored ${name}`)}>
              Restore
            </Button>
          </>
        )}
      />
      <div class="form-line">
        <Button icon="undo" onPress={reset}>
          Reset data
        </Button>
        <Button icon="download" onPress={exportAll}>
          Export data
        </Button>
      </div>
      <StateCalls {...snapshots} />
    </>
  );
}

function WorldsPart() {
  const worlds = useControl<Names>('worlds');
  const base = world === '' ? root : root.replace(/@[^/@]+\/$/, '');
  return (
    <>
      <p class="pad soft">A world has its own data, clock and faults. A new one starts as a copy of this one.</p>
      <NamedList
        {...worlds}
        kind="world"
        create={{ button: 'Create', method: 'PUT' }}
        rowOf={(name) => {
          const words = `${name}${(world || 'default') === name ? ' (current)' : ''}`;
          // Without a server, a world can only be used by programs in this page.
          if (isInPage) return <span>{words}</span>;
          return <a href={name === 'default' ? base : `${base}@${encodeURIComponent(name)}/`}>{words}</a>;
        }}
      />
      <StateCalls {...worlds} />
    </>
  );
}

interface Names {
  readonly names: readonly string[];
}

interface NamedListProps extends Pick<CallState, 'send'> {
  readonly data: Names | undefined;
  /** What is listed; its path is the plural. */
  readonly kind: 'snapshot' | 'world';
  readonly create: { readonly button: string; readonly method: string };
  readonly rowOf: (name: string) => ComponentChildren;
}

/** Creates, lists and deletes what only has a name. */
function NamedList({ data, send, kind, create, rowOf }: NamedListProps) {
  const change = async (method: string, name: string): Promise<boolean> =>
    (await send(method, `${kind}s/${encodeURIComponent(name)}`)) !== undefined;
  return (
    <>
      <TextForm
        label={`New ${kind}`}
        buttons={[create.button]}
        placeholder="Name"
        onSend={(name) => change(create.method, name)}
      />
      {data?.names.length === 0 ? <p class="soft pad">No {kind}s</p> : undefined}
      <ul>
        {data?.names.map((name) => (
          <li key={name} class="issue">
            {rowOf(name)}
            <Button icon="remove" kind="quiet" onPress={async () => void (await change('DELETE', name))}>
              {kind === 'world' && name === 'default' ? 'Reset default' : `Delete ${name}`}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
