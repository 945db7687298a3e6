// A row of links to what is beside each other, one of which is the present place.

import { useEffect, useRef } from 'preact/hooks';

/** One of the links. */
export interface NavLink {
  readonly href: string;
  readonly label: string;
  readonly isHere: boolean;
}

/** The row. Where it is longer than the page is wide, the present link is brought into sight. */
export function Nav({
  label,
  kind = 'nav',
  links,
}: {
  readonly label: string;
  readonly kind?: 'nav' | 'nav pages';
  readonly links: readonly NavLink[];
}) {
  const row = useRef<HTMLElement>(null);
  const here = links.find(({ isHere }) => isHere)?.href;
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [here]);
  return (
    <nav class={kind} aria-label={label} ref={row}>
      {links.map(({ href, label: words, isHere }) => (
        <a key={href} href={href} data-label={words} aria-current={isHere ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}
