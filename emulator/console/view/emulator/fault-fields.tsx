// The fields of a fault, with errors beside them: the common ones first, the rest under “More”.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api.ts';
import type { FaultDraft, Misplaced } from '../../fault-draft.ts';
import { users } from '../../session.ts';
import { Button } from '../parts.tsx';

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

interface ApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The suggestions for the fields of faults: routes and users. Once per page. */
export function FaultWords() {
  useEffect(() => {
    if (routes.value.length > 0) return;
    request<ApiPaths>('GET', 'api/v1/swagger.v1.json').then(
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

/** Buttons that fill in a fault. */
export function FaultPresets({ onChoose }: { readonly onChoose: (draft: FaultDraft) => void }) {
  return (
    <p class="whole-row">
      <span class="soft">Presets</span>
      {presets.map(({ label, draft }) => (
        <Button key={label} kind="plain" onPress={() => onChoose(draft)}>
          {label}
        </Button>
      ))}
    </p>
  );
}

/** The fields of one fault. */
export function FaultFields(props: FieldsProps) {
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

function FaultField({
  field: { name, label, placeholder, list },
  draft,
  place = '',
  misplaced,
  onWrite,
}: FaultFieldProps) {
  return (
    <label class={name === 'headers' || name === 'body' ? 'field long' : 'field'}>
      <span>{label}</span>
      <input
        type="text"
        list={list}
        value={String(draft[name] ?? '')}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={misplaced.has(place + name)}
        onInput={({ currentTarget }) => onWrite(name, currentTarget.value)}
      />
      <FieldFault words={misplaced.get(place + name)} />
    </label>
  );
}

/** The error of a field, below it. */
export function FieldFault({ words }: { readonly words: string | undefined }) {
  return words === undefined ? undefined : (
    <span class="field-fault" role="alert">
      {words}
    </span>
  );
}
