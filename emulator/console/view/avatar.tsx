// The avatar of a user or an organization, as the emulator draws it.

import { useEffect, useState } from 'preact/hooks';
import { isInPage, requestText, root } from '../api.ts';

/** Shows an avatar. It has no text of its own, because the name is next to it. */
export function Avatar({ name, size }: { readonly name: string; readonly size: number }) {
  const path = `avatars/${encodeURIComponent(name)}`;
  const [drawn, setDrawn] = useState<string>();
  // Without a server, an image has no address to load from.
  useEffect(() => {
    if (!isInPage) return;
    requestText('GET', path).then(
      (svg) => setDrawn(`data:image/svg+xml,${encodeURIComponent(svg)}`),
      () => undefined,
    );
  }, [path]);
  const source = isInPage ? drawn : root + path;
  return source === undefined ? undefined : <img class="avatar" src={source} alt="" width={size} height={size} />;
}
