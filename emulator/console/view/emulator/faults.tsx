// Faults, and scenarios, which are sets of faults with a name: lists and forms, with errors beside the fields.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActiveFault, Scenario } from '../../../world/faults.ts';
import { request } from '../../api.ts';
import { type FaultDraft, faultOf, type Misplaced, misplacedOf, toFaultDraft } from '../../fault-draft.ts';
import { showMessage, users } from '../../session.ts';
import { PageCall, SentCall } from '../call.tsx';
import { useControl } from '../load.ts';
import { Button, Input, TableHead } from '../parts.tsx';

/** Lists, adds and removes faults. */
export function FaultsPart() {
  const faults = useControl<readonly ActiveFault[]>('faults');
  const { data, sent, send } = faults;
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
        <p class="whole-row">
          <span class="soft">Presets</span>
          {presets.map((preset) => (
            <Button key={preset.label} onPress={() => setDraft(preset.draft)}>
              {preset.label}
            </Button>
          ))}
        </p>
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
            <Button onPress={() => remove(one.id)}>Remove</Button>
          </li>
        ))}
      </ul>
      <PageCall {...faults} />
    </>
  );
}

interface ListedScenario extends Scenario {
  readonly name: string;
  readonly on: boolean;
  /** Whether it was created at run time, here or by another client. */
  readonly written: boolean;
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly faults: readonly FaultDraft[];
}

const emptyDraft: Draft = { name: '', description: '', faults: [{}] };

/** Lists scenarios, activates and deactivates them, and creates new ones. */
export function ScenariosPart() {
  const scenarios = useControl<readonly ListedScenario[]>('scenarios');
  const { data, sent, send } = scenarios;
  const [draft, setDraft] = useState(emptyDraft);
  const form = useRef<HTMLFieldSetElement>(null);
  const pathOf = (name: string): string => `scenarios/${encodeURIComponent(name)}`;
  const turn = async ({ name, on }: ListedScenario): Promise<void> =>
    void (await send(on ? 'DELETE' : 'PUT', pathOf(name)));
  const remove = async (name: string): Promise<void> => {
    if (await send('DELETE', `${pathOf(name)}?forget=true`)) showMessage(`Deleted ${name}`);
  };
  const take = ({ name, description, written, faults }: ListedScenario): void => {
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
  const misplaced = misplacedOf(sent?.answer);
  const change = (at: number, field: string, value: string | boolean): void =>
    setDraft((last) => ({
      ...last,
      faults: last.faults.map((fault, index) => (index === at ? { ...fault, [field]: value } : fault)),
    }));
  const isDone = draft.name.trim() !== '' && draft.faults.every((fault) => Object.keys(faultOf(fault)).length > 0);
  return (
    <>
      <table class="table">
        <TableHead columns={['Scenario', 'Description']} hasActions />
        <tbody>
          {data?.map((one) => (
            <tr key={one.name}>
              <td data-label="Scenario">
                <span>
                  {one.name} {one.on ? <span class="tag risk">on</span> : undefined}
                </span>
              </td>
              <td data-label="Description">{one.description}</td>
              <td class="row-tools">
                <Button kind={one.on ? 'main' : 'plain'} onPress={() => turn(one)}>
                  Turn {one.on ? 'off' : 'on'}
                </Button>
                <Button kind="quiet" label={`${verbOf(one)} ${one.name}`} onPress={() => take(one)}>
                  {verbOf(one)}
                </Button>
                {one.written ? (
                  <Button icon="remove" kind="quiet" label={`Delete ${one.name}`} onPress={() => remove(one.name)} />
                ) : undefined}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <FaultWords />
      <fieldset class="fault-form" ref={form}>
        <legend>New scenario</legend>
        {texts.map(({ name: field, label, placeholder }) => (
          <label key={field} class={field === 'name' ? 'field' : 'field long'}>
            <span>{label}</span>
            <Input
              value={draft[field]}
              placeholder={placeholder}
              aria-invalid={misplaced.has(field)}
              onWrite={(value) => setDraft((last) => ({ ...last, [field]: value }))}
            />
            <FieldFault words={misplaced.get(field)} />
          </label>
        ))}
        {draft.faults.map((fault, at) => (
          <fieldset key={at} class="fault-form part">
            <legend>Fault {at + 1}</legend>
            <FaultFields
              draft={fault}
              place={`faults[${at}].`}
              misplaced={misplaced}
              onWrite={(field, value) => change(at, field, value)}
            />
            {draft.faults.length > 1 ? (
              <Button
                icon="remove"
                kind="quiet"
                onPress={() =>
                  setDraft((last) => ({ ...last, faults: last.faults.filter((_, index) => index !== at) }))
                }
              >
                Remove fault {at + 1}
              </Button>
            ) : undefined}
          </fieldset>
        ))}
        <div class="whole-row">
          <Button kind="main" disabled={!isDone} onPress={start}>
            Save and turn on
          </Button>{' '}
          <Button icon="add" onPress={() => setDraft((last) => ({ ...last, faults: [...last.faults, {}] }))}>
            Add fault
          </Button>{' '}
          {isDone ? undefined : <span class="soft">Enter a name, and fill in each fault.</span>}
        </div>
      </fieldset>
      <SentCall sent={sent} />
      <PageCall {...scenarios} />
    </>
  );
}

const verbOf = ({ written }: ListedScenario): string => (written ? 'Edit' : 'Duplicate');

const texts = [
  { name: 'name', label: 'Name', placeholder: 'half-open' },
  { name: 'description', label: 'Description', placeholder: 'Reads succeed, writes fail' },
] as const;

// The fields of a fault: the common ones first, the rest under “More”.

const commonFields = [
  { name: 'route', label: 'Route', placeholder: 'All routes', list: 'fault-routes' },
  { name: 'status', label: 'Status', placeholder: '503' },
  { name: 'latencyMs', label: 'Delay (ms)', placeholder: '200 or 200-800' },
] as const;
const moreFields = [
  { name: 'user', label: 'User', placeholder: 'Everyone', list: 'fault-users' },
  { name: 'message', label: 'Message', placeholder: '' },
  { name: 'times', label: 'Times', placeholder: 'Always' },
  { name: 'skip', label: 'Skip first', placeholder: '0' },
  { name: 'probability', label: 'Probability', placeholder: '1' },
  { name: 'location', label: 'Redirect to', placeholder: '/user/login' },
  { name: 'headers', label: 'Headers', placeholder: 'Retry-After: 2; X-Other: 1' },
  { name: 'body', label: 'Body (JSON)', placeholder: '{"message": "slow down"}' },
] as const;
const flags = [
  { name: 'drop', label: 'Drop the connection' },
  { name: 'malformed', label: 'Truncate the response' },
  { name: 'expiredToken', label: 'Token expired' },
] as const;

// Constant for the lifetime of the page.
const routes = signal<readonly string[]>([]);

/** The suggestions for the fields of faults: routes and users. Once per page. */
function FaultWords() {
  useEffect(() => {
    if (routes.value.length > 0) return;
    request<{ readonly paths: Readonly<Record<string, object>> }>('GET', 'api/v1/swagger.v1.json').then(
      ({ paths }) => {
        routes.value = Object.entries(paths).flatMap(([path, item]) =>
          Object.keys(item)
            .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method))
            .map((method) => `${method.toUpperCase()} ${path}`),
        );
      },
      // Routes can be typed without suggestions.
      () => undefined,
    );
  }, []);
  return (
    <>
      <datalist id="fault-routes">
        {routes.value.map((route) => (
          <option key={route} value={route} />
        ))}
      </datalist>
      <datalist id="fault-users">
        {users.value?.map(({ login }) => (
          <option key={login} value={login} />
        ))}
      </datalist>
    </>
  );
}

interface FieldsProps {
  readonly draft: FaultDraft;
  /** Prefix of the field names in `misplaced`, such as `faults[0].`. */
  readonly place?: string;
  readonly misplaced: Misplaced;
  readonly onWrite: (name: string, value: string | boolean) => void;
}

const presets: readonly { readonly label: string; readonly draft: FaultDraft }[] = [
  { label: 'Server down', draft: { status: '503', message: 'Service Unavailable' } },
  { label: 'Slow network', draft: { latencyMs: '500-2000' } },
  { label: 'Token expired', draft: { expiredToken: true } },
  { label: 'Empty list', draft: { route: 'GET /user/clusters', status: '200', body: '[]' } },
];

/** The fields of one fault. */
function FaultFields(props: FieldsProps) {
  const { draft, place = '', misplaced, onWrite } = props;
  const isMore = ({ name }: { readonly name: string }): boolean =>
    (draft[name] ?? '') !== '' || misplaced.has(place + name);
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || moreFields.some(isMore) || flags.some(({ name }) => draft[name] === true);
  return (
    <>
      {commonFields.map((field) => (
        <FaultField key={field.name} field={field} {...props} />
      ))}
      <details class="whole-row more" open={isShown} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>More</summary>
        <div class="fault-form more-fields">
          {moreFields.map((field) => (
            <FaultField key={field.name} field={field} {...props} />
          ))}
          <div class="checks">
            {flags.map(({ name, label }) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={draft[name] === true}
                  onChange={({ currentTarget }) => onWrite(name, currentTarget.checked)}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </div>
      </details>
    </>
  );
}

interface FaultFieldProps extends FieldsProps {
  readonly field: {
    readonly name: string;
    readonly label: string;
    readonly placeholder: string;
    readonly list?: string;
  };
}

function FaultField({ field, draft, place = '', misplaced, onWrite }: FaultFieldProps) {
  const { name, label, placeholder, list } = field;
  return (
    <label class={name === 'headers' || name === 'body' ? 'field long' : 'field'}>
      <span>{label}</span>
      <Input
        list={list}
        value={String(draft[name] ?? '')}
        placeholder={placeholder}
        spellcheck={false}
        aria-invalid={misplaced.has(place + name)}
        onWrite={(value) => onWrite(name, value)}
      />
      <FieldFault words={misplaced.get(place + name)} />
    </label>
  );
}

/** The error of a field, below it. */
function FieldFault({ words }: { readonly words: string | undefined }) {
  return words === undefined ? undefined : (
    <span class="field-fault" role="alert">
      {words}
    </span>
  );
}
