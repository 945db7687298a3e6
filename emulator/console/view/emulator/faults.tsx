// Faults, and scenarios, which are sets of faults with a name: lists and forms.

import { useId, useRef, useState } from 'preact/hooks';
import { isSchema } from '../../../../render/language/yaml/parts.ts';
import type { ActiveFault, Fault, Scenario } from '../../../world/faults.ts';
import { loadOperations } from '../../operations.ts';
import { showMessage } from '../../session.ts';
import { StateCalls } from '../call.tsx';
import { useControl, useLoad } from '../load.ts';
import { Button, DataTable, LabeledInput } from '../parts.tsx';
import { YamlInput } from '../yaml-input.tsx';

/** A fault in the form: three fields as typed, and its other members. Invalid texts are sent unchanged, so that the server reports them. */
interface FaultDraft {
  readonly route: string;
  readonly status: string;
  readonly delay: string;
  readonly more: object;
}

const emptyFault: FaultDraft = { route: '', status: '', delay: '', more: {} };

const presets: readonly { readonly label: string; readonly draft: FaultDraft }[] = [
  { label: 'Server down', draft: { ...emptyFault, status: '503', more: { message: 'Service Unavailable' } } },
  { label: 'Slow network', draft: { ...emptyFault, delay: '500-2000' } },
  { label: 'Token expired', draft: { ...emptyFault, more: { expiredToken: true } } },
  { label: 'Empty list', draft: { ...emptyFault, route: 'GET /user/clusters', status: '200', more: { body: [] } } },
];

function toFault({ route, status, delay, more }: FaultDraft): object {
  const range = /^(\d+) *- *(\d+)$/.exec(delay.trim());
  const latencyMs = range ? { min: Number(range[1]), max: Number(range[2]) } : readNumber(delay);
  const common = Object.entries({ route: route.trim(), status: readNumber(status), latencyMs });
  return { ...more, ...Object.fromEntries(common.filter(([, value]) => value !== '')) };
}

function readNumber(text: string): number | string {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text.trim() : number;
}

function toDraft({ route = '', status, latencyMs, ...more }: Fault): FaultDraft {
  const delay = typeof latencyMs === 'object' ? `${latencyMs.min}-${latencyMs.max}` : `${latencyMs ?? ''}`;
  return { route, status: `${status ?? ''}`, delay, more };
}

export function FaultsPart() {
  const faults = useControl<readonly ActiveFault[]>('faults');
  const { data, send } = faults;
  const [draft, setDraft] = useState(emptyFault);
  const fault = toFault(draft);
  const add = async (): Promise<void> => {
    if (await send('POST', 'faults', fault)) setDraft(emptyFault);
  };
  const remove = async (id: number): Promise<void> => void (await send('DELETE', `faults/${id}`));
  return (
    <>
      <fieldset class="fault-form">
        <legend>New fault</legend>
        <p class="whole-row">
          <span class="soft">Presets</span>
          {presets.map((preset) => (
            <Button key={preset.label} onPress={() => setDraft(preset.draft)}>
              {preset.label}
            </Button>
          ))}
        </p>
        <FaultFields draft={draft} onWrite={(part) => setDraft((last) => ({ ...last, ...part }))} />
        <Button kind="main" disabled={Object.keys(fault).length === 0} onPress={add}>
          Add fault
        </Button>
      </fieldset>
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
            <Button onPress={() => remove(one.id)}>Remove</Button>
          </li>
        ))}
      </ul>
      <StateCalls {...faults} />
    </>
  );
}

interface ListedScenario extends Scenario {
  readonly name: string;
  readonly on: boolean;
  /** Whether it was created at run time, here or by another client. */
  readonly written: boolean;
}

interface ScenarioDraft {
  readonly name: string;
  readonly description: string;
  readonly faults: readonly FaultDraft[];
}

const emptyDraft: ScenarioDraft = { name: '', description: '', faults: [emptyFault] };

export function ScenariosPart() {
  const scenarios = useControl<readonly ListedScenario[]>('scenarios');
  const { data, send } = scenarios;
  const [draft, setDraft] = useState(emptyDraft);
  const form = useRef<HTMLFieldSetElement>(null);
  const pathOf = (name: string): string => `scenarios/${encodeURIComponent(name)}`;
  const turn = async ({ name, on }: ListedScenario): Promise<void> =>
    void (await send(on ? 'DELETE' : 'PUT', pathOf(name)));
  const remove = async (name: string): Promise<void> => {
    if (await send('DELETE', `${pathOf(name)}?forget=true`)) showMessage(`Deleted ${name}`);
  };
  const edit = ({ name, description, written, faults }: ListedScenario): void => {
    setDraft({ name: written ? name : `my-${name}`, description, faults: faults.map(toDraft) });
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('input')?.focus();
  };
  const save = async (): Promise<void> => {
    const { name, description, faults } = draft;
    if (!(await send('PUT', pathOf(name.trim()), { description, faults: faults.map(toFault) }))) return;
    setDraft(emptyDraft);
    showMessage(`Scenario ${name.trim()} is active`);
  };
  const set = (part: Partial<ScenarioDraft>): void => setDraft((last) => ({ ...last, ...part }));
  const changeFaults = (change: (faults: readonly FaultDraft[]) => readonly FaultDraft[]): void =>
    setDraft((last) => ({ ...last, faults: change(last.faults) }));
  const isComplete = draft.name.trim() !== '' && draft.faults.every((fault) => Object.keys(toFault(fault)).length > 0);
  return (
    <>
      <DataTable
        rows={data ?? []}
        keyOf={({ name }) => name}
        columns={{
          Scenario: ({ name, on }) => (
            <span>
              {name} {on ? <span class="tag risk">on</span> : undefined}
            </span>
          ),
          Description: ({ description }) => description,
        }}
        actions={(one) => (
          <>
            <Button kind={one.on ? 'main' : 'plain'} onPress={() => turn(one)}>
              Turn {one.on ? 'off' : 'on'}
            </Button>
            <Button kind="quiet" label={`${one.written ? 'Edit' : 'Duplicate'} ${one.name}`} onPress={() => edit(one)}>
              {one.written ? 'Edit' : 'Duplicate'}
            </Button>
            {one.written ? (
              <Button icon="remove" kind="quiet" label={`Delete ${one.name}`} onPress={() => remove(one.name)} />
            ) : undefined}
          </>
        )}
      />
      <fieldset class="fault-form" ref={form}>
        <legend>New scenario</legend>
        <LabeledInput label="Name" value={draft.name} placeholder="half-open" onWrite={(name) => set({ name })} />
        <LabeledInput
          label="Description"
          isLong
          value={draft.description}
          placeholder="Reads succeed, writes fail"
          onWrite={(description) => set({ description })}
        />
        {draft.faults.map((fault, at) => (
          <fieldset key={at} class="fault-form part">
            <legend>Fault {at + 1}</legend>
            <FaultFields
              draft={fault}
              onWrite={(part) =>
                changeFaults((faults) => faults.map((one, index) => (index === at ? { ...one, ...part } : one)))
              }
            />
            {draft.faults.length > 1 ? (
              <Button
                icon="remove"
                kind="quiet"
                onPress={() => changeFaults((faults) => faults.filter((_, index) => index !== at))}
              >
                Remove fault {at + 1}
              </Button>
            ) : undefined}
          </fieldset>
        ))}
        <div class="whole-row">
          <Button kind="main" disabled={!isComplete} onPress={save}>
            Save and turn on
          </Button>{' '}
          <Button icon="add" onPress={() => changeFaults((faults) => [...faults, emptyFault])}>
            Add fault
          </Button>
        </div>
      </fieldset>
      <StateCalls {...scenarios} />
    </>
  );
}

interface FieldsProps {
  readonly draft: FaultDraft;
  readonly onWrite: (part: Partial<FaultDraft>) => void;
}

/** The fields of one fault: the common ones first, the rest under “More”. */
function FaultFields({ draft, onWrite }: FieldsProps) {
  const { value: operations = [] } = useLoad('operations', loadOperations);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { route, status, delay, more } = draft;
  return (
    <>
      <datalist id={`${id}-routes`}>
        {operations.map(({ method, path }) => (
          <option key={`${method} ${path}`} value={`${method} ${path}`} />
        ))}
      </datalist>
      <LabeledInput
        label="Route"
        value={route}
        placeholder="All routes"
        list={`${id}-routes`}
        onWrite={(text) => onWrite({ route: text })}
      />
      <LabeledInput label="Status" value={status} placeholder="503" onWrite={(text) => onWrite({ status: text })} />
      <LabeledInput
        label="Delay (ms)"
        value={delay}
        placeholder="200 or 200-800"
        onWrite={(text) => onWrite({ delay: text })}
      />
      <details
        class="whole-row more"
        open={isOpen || Object.keys(more).length > 0}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>More</summary>
        <label class="field" for={id}>
          <span>Other fields as YAML: user, message, times, skip, probability, location, headers, body and so on</span>
          <YamlInput
            id={id}
            rows={4}
            value={Object.keys(more).length === 0 ? undefined : more}
            placeholder="headers: {Retry-After: '2'}"
            onWrite={(value) => {
              const members = value ?? {};
              if (!isSchema(members)) return 'kept';
              onWrite({ more: members });
              return undefined;
            }}
          />
        </label>
      </details>
    </>
  );
}
