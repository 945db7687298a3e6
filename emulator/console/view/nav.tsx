// A row of links to sibling pages, one of which is current.

import { useEffect, useRef } from 'preact/hooks';

/** One of the links. */
export interface NavLink {
  readonly href: string;
  readonly label: string;
  readonly isHere: boolean;
}

/** The row. If it is wider than the page, the current link is scrolled into view. */
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
