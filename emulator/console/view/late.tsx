// Screens whose code comes when they are first shown: who never opens them loads none of it.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Fault } from './parts.tsx';

type Screen = () => ComponentChildren;

/** Returns a screen that loads itself. */
export function late(load: () => Promise<Screen>): Screen {
  let Loaded: Screen | undefined;
  return function Late() {
    const [, setCount] = useState(0);
    const [fault, setFault] = useState(false);
    useEffect(() => {
      if (Loaded) return;
      load().then(
        (screen) => {
          Loaded = screen;
          setCount((count) => count + 1);
        },
        () => setFault(true),
      );
    }, []);
    if (Loaded) return <Loaded />;
    if (fault) return <Fault message="The code of this screen did not come." mend="Load the page again." />;
    return (
      <p class="pad soft" role="status">
        Opening…
      </p>
    );
  };
}
