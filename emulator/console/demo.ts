// The actions of the demo bar and the command palette.

import { request } from './api.ts';
import { loadSession, loadStatus, showError, showMessage, status } from './session.ts';

// A reset saves the data as this snapshot, so that it can be undone.
const beforeReset = 'before-reset';

/** Resets data, clock and faults to the seed, and offers to undo that. Rejects with an `ApiFailure`. */
export async function resetData(): Promise<void> {
  // A world has a limited number of snapshots.
  const isKept = await request('POST', `__drydock/snapshots/${beforeReset}`).then(
    () => true,
    () => false,
  );
  await request('POST', '__drydock/reset');
  await loadSession();
  const undo = { label: 'Undo', run: () => void restoreSnapshot(beforeReset, 'Reset undone').catch(showError) };
  showMessage('Data reset', false, isKept ? undo : undefined);
}

/** Restores a snapshot and shows a message. Rejects with an `ApiFailure`. */
export async function restoreSnapshot(name: string, message: string): Promise<void> {
  await request('POST', `__drydock/snapshots/${encodeURIComponent(name)}/restore`);
  await loadSession();
  showMessage(message);
}

/** Activates only this scenario; an empty name deactivates all. Rejects with an `ApiFailure`. */
export async function switchScenario(name: string): Promise<void> {
  const others = status.peek()?.activeScenarios.filter((one) => one !== name) ?? [];
  for (const other of others) await request('DELETE', `__drydock/scenarios/${encodeURIComponent(other)}`);
  if (name !== '') await request('PUT', `__drydock/scenarios/${encodeURIComponent(name)}`);
  await loadStatus();
  showMessage(name === '' ? 'No scenario is active' : `Scenario ${name} is active`);
}

/** Freezes or resumes the clock. Rejects with an `ApiFailure`. */
export async function freezeClock(frozen: boolean): Promise<void> {
  await request('PUT', '__drydock/clock', { body: { frozen } });
  await loadStatus();
  showMessage(frozen ? 'Clock frozen' : 'Clock running');
}

/** A step of the clock. */
export interface ClockStep {
  readonly label: string;
  readonly seconds: number;
}

/** The steps that the console offers. */
export const clockSteps: readonly ClockStep[] = [
  { label: '1 minute', seconds: 60 },
  { label: '1 hour', seconds: 3600 },
  { label: '1 day', seconds: 86_400 },
  { label: '30 days', seconds: 2_592_000 },
];

/** Advances the clock. Rejects with an `ApiFailure`. */
export async function advanceClock({ label, seconds }: ClockStep): Promise<void> {
  await request('POST', '__drydock/clock/advance', { body: { seconds } });
  await loadStatus();
  showMessage(`Clock advanced by ${label}`);
}

/** Removes all faults and deactivates all scenarios. Rejects with an `ApiFailure`. */
export async function clearFaults(): Promise<void> {
  await request('DELETE', '__drydock/faults');
  await loadStatus();
  showMessage('Faults cleared');
}
