// Components whose code is loaded when they are first shown.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorMessage, Loading } from './parts.tsx';

type Component<Props> = (props: Props) => ComponentChildren;

/** Returns a component that loads its code when it is first shown. */
export function late<Props extends object = object>(load: () => Promise<Component<Props>>): Component<Props> {
  let Loaded: Component<Props> | undefined;
  return function Late(props) {
    const [, setCount] = useState(0);
    const [fault, setFault] = useState(false);
    useEffect(() => {
      if (Loaded) return;
      load().then(
        (component) => {
          Loaded = component;
          setCount((count) => count + 1);
        },
        () => setFault(true),
      );
    }, []);
    if (Loaded) return <Loaded {...props} />;
    if (fault) return <ErrorMessage message="This screen could not be loaded." hint="Reload the page." />;
    return <Loading />;
  };
}
