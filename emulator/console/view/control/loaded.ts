// What a control route tells, asked for when a part is opened and after each change.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { wordsOf } from '../orders/actions.ts';

/** What was told last, why nothing was, and a function that asks again. */
export interface Loaded<Told> {
  readonly told: Told | undefined;
  readonly fault: string | undefined;
  readonly again: () => Promise<void>;
}

/** Asks a control route. */
export function useLoaded<Told>(path: string): Loaded<Told> {
  const [told, setTold] = useState<Told>();
  const [fault, setFault] = useState<string>();
  const again = useCallback(async () => {
    try {
      setTold(await ask<Told>('GET', `__drydock/${path}`));
      setFault(undefined);
    } catch (failure) {
      setFault(wordsOf(failure));
    }
  }, [path]);
  useEffect(() => void again(), [again]);
  return { told, fault, again };
}
