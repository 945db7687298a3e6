// The fields of a fault, with what is wrong with them beside them.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../api.ts';
import type { FaultDraft, Misplaced } from '../../fault-draft.ts';
import { users } from '../../session.ts';

const fields = [
  { name: 'route', label: 'Route', placeholder: 'GET /user, or all', list: 'fault-routes' },
  { name: 'user', label: 'For the user', placeholder: 'anyone', list: 'fault-users' },
  { name: 'status', label: 'Status', placeholder: '503' },
  { name: 'message', label: 'Message', placeholder: '' },
  { name: 'latencyMs', label: 'Waits, in ms', placeholder: '200, or 200-800' },
  { name: 'times', label: 'Times', placeholder: 'always' },
  { name: 'skip', label: 'Lets pass first', placeholder: '0' },
  { name: 'probability', label: 'Chance', placeholder: '1' },
  { name: 'location', label: 'Redirects to', placeholder: '/user/login' },
  { name: 'headers', label: 'Headers', placeholder: 'Retry-After: 2; X-Other: 1' },
  { name: 'body', label: 'Body, as JSON', placeholder: '{"message": "slow down"}' },
] as const;
const flags = [
  { name: 'drop', label: 'close the connection' },
  { name: 'malformed', label: 'cut the answer' },
  { name: 'expiredToken', label: 'the token has expired' },
] as const;

// The same for as long as the page is there.
const routes = signal<readonly string[]>([]);

interface ApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the fields of faults offer: the routes of the API and its users. Once on a page. */
export function FaultWords() {
  useEffect(() => {
    if (routes.value.length > 0) return;
    ask<ApiPaths>('GET', 'api/v1/swagger.v1.json').then(
      ({ paths }) => {
        routes.value = Object.entries(paths).flatMap(([path, item]) =>
          Object.keys(item)
            .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method))
            .map((method) => `${method.toUpperCase()} ${path}`),
        );
      },
      // Routes can be written without being offered.
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
  /** What stands before the names of the fields in `misplaced`, such as `faults[0].`. */
  readonly place?: string;
  readonly misplaced: Misplaced;
  readonly onWrite: (name: string, value: string | boolean) => void;
}

/** The fields of one fault. */
export function FaultFields({ draft, place = '', misplaced, onWrite }: FieldsProps) {
  return (
    <>
      {fields.map(({ name, label, placeholder, ...rest }) => (
        <label key={name} class={name === 'headers' || name === 'body' ? 'field long' : 'field'}>
          <span>{label}</span>
          <input
            type="text"
            list={'list' in rest ? rest.list : undefined}
            value={String(draft[name] ?? '')}
            placeholder={placeholder}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={misplaced.has(place + name)}
            onInput={({ currentTarget }) => onWrite(name, currentTarget.value)}
          />
          <FieldFault words={misplaced.get(place + name)} />
        </label>
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
    </>
  );
}

/** What is wrong with a field, below it. */
export function FieldFault({ words }: { readonly words: string | undefined }) {
  return words === undefined ? undefined : (
    <span class="field-fault" role="alert">
      {words}
    </span>
  );
}
