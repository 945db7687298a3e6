// Scenarios: sets of faults with a name, turned on and off, and new ones.

import { useRef, useState } from 'preact/hooks';
import { type FaultDraft, faultOf, type Misplaced, misplacedOf, toFaultDraft } from '../../fault-draft.ts';
import { showMessage } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useLoaded } from '../loaded.ts';
import { Button, TableHead } from '../parts.tsx';
import { FaultFields, FaultWords, FieldFault } from './fault-fields.tsx';

interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly on: boolean;
  /** Whether it was created at run time, here or by another client. */
  readonly written: boolean;
  readonly faults: readonly Readonly<Record<string, unknown>>[];
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly faults: readonly FaultDraft[];
}

const emptyDraft: Draft = { name: '', description: '', faults: [{}] };

/** Lists scenarios, activates and deactivates them, and creates new ones. */
export function ScenariosPart() {
  const { data, loadCall, sent, send } = useLoaded<readonly Scenario[]>('scenarios');
  const [draft, setDraft] = useState(emptyDraft);
  const form = useRef<HTMLFieldSetElement>(null);
  const pathOf = (name: string): string => `scenarios/${encodeURIComponent(name)}`;
  const turn = async ({ name, on }: Scenario): Promise<void> => void (await send(on ? 'DELETE' : 'PUT', pathOf(name)));
  const remove = async (name: string): Promise<void> => {
    if (await send('DELETE', `${pathOf(name)}?forget=true`)) showMessage(`Deleted ${name}`);
  };
  const take = ({ name, description, written, faults }: Scenario): void => {
    setDraft({ name: written ? name : `my-${name}`, description, faults: faults.map(toFaultDraft) });
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('input')?.focus();
  };
  const start = async (): Promise<void> => {
    const { name, description, faults } = draft;
    const body = { description: description.trim(), faults: faults.map(faultOf) };
    if (!(await send('PUT', pathOf(name.trim()), body))) return;
    setDraft(emptyDraft);
    showMessage(`Scenario ${name.trim()} is active`);
  };
  return (
    <>
      <table class="table">
        <TableHead columns={['Scenario', 'Description']} hasActions={true} />
        <tbody>
          {data?.map((one) => (
            <ScenarioRow
              key={one.name}
              one={one}
              onTurn={() => turn(one)}
              onTake={() => take(one)}
              onDelete={() => remove(one.name)}
            />
          ))}
        </tbody>
      </table>
      <FaultWords />
      <fieldset class="fault-form" ref={form}>
        <legend>New scenario</legend>
        <ScenarioFields draft={draft} misplaced={misplacedOf(sent?.answer)} onWrite={setDraft} onStart={start} />
      </fieldset>
      <SentCall sent={sent} />
      <PageCall {...loadCall} />
    </>
  );
}

interface RowProps {
  readonly one: Scenario;
  readonly onTurn: () => Promise<void>;
  readonly onTake: () => void;
  readonly onDelete: () => Promise<void>;
}

function ScenarioRow({ one, onTurn, onTake, onDelete }: RowProps) {
  const { name, description, on, written } = one;
  return (
    <tr>
      <td data-label="Scenario">
        <span>
          {name} {on ? <span class="tag risk">on</span> : undefined}
        </span>
      </td>
      <td data-label="Description">{description}</td>
      <td class="row-tools">
        <Button kind={on ? 'main' : 'plain'} onPress={onTurn}>
          Turn {on ? 'off' : 'on'}
        </Button>
        <Button kind="quiet" label={`${written ? 'Edit' : 'Duplicate'} ${name}`} onPress={onTake}>
          {written ? 'Edit' : 'Duplicate'}
        </Button>
        {written ? <Button icon="remove" kind="quiet" label={`Delete ${name}`} onPress={onDelete} /> : undefined}
      </td>
    </tr>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly misplaced: Misplaced;
  readonly onWrite: (change: (last: Draft) => Draft) => void;
  readonly onStart: () => Promise<void>;
}

const texts = [
  { name: 'name', label: 'Name', placeholder: 'half-open' },
  { name: 'description', label: 'Description', placeholder: 'Reads succeed, writes fail' },
] as const;

function ScenarioFields({ draft, misplaced, onWrite, onStart }: FieldsProps) {
  const { name, faults } = draft;
  const change = (at: number, field: string, value: string | boolean): void =>
    onWrite((last) => ({
      ...last,
      faults: last.faults.map((fault, index) => (index === at ? { ...fault, [field]: value } : fault)),
    }));
  const isDone = name.trim() !== '' && faults.every((fault) => Object.keys(faultOf(fault)).length > 0);
  return (
    <>
      {texts.map(({ name: field, label, placeholder }) => (
        <label key={field} class={field === 'name' ? 'field' : 'field long'}>
          <span>{label}</span>
          <input
            type="text"
            value={draft[field]}
            placeholder={placeholder}
            autocomplete="off"
            aria-invalid={misplaced.has(field)}
            onInput={({ currentTarget: { value } }) => onWrite((last) => ({ ...last, [field]: value }))}
          />
          <FieldFault words={misplaced.get(field)} />
        </label>
      ))}
      {faults.map((fault, at) => (
        <fieldset key={at} class="fault-form part">
          <legend>Fault {at + 1}</legend>
          <FaultFields
            draft={fault}
            place={`faults[${at}].`}
            misplaced={misplaced}
            onWrite={(field, value) => change(at, field, value)}
          />
          {faults.length > 1 ? (
            <Button
              icon="remove"
              kind="quiet"
              onPress={() => onWrite((last) => ({ ...last, faults: last.faults.filter((_, index) => index !== at) }))}
            >
              Remove fault {at + 1}
            </Button>
          ) : undefined}
        </fieldset>
      ))}
      <div class="whole-row">
        <Button kind="main" disabled={!isDone} onPress={onStart}>
          Save and turn on
        </Button>{' '}
        <Button icon="add" kind="plain" onPress={() => onWrite((last) => ({ ...last, faults: [...last.faults, {}] }))}>
          Add fault
        </Button>{' '}
        {isDone ? undefined : <span class="soft">Enter a name, and fill in each fault.</span>}
      </div>
    </>
  );
}
