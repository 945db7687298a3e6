// The icon of a chart: its own, or the first letters of its name.

import { useState } from 'preact/hooks';
import type { AvailableChart } from '../session.ts';

// The number of colors in style/charts.css.
const tones = 8;

/** The icon; the adjacent name is its text. */
export function ChartIcon({ chart: { name, icon } }: { readonly chart: Pick<AvailableChart, 'name' | 'icon'> }) {
  const [broken, setBroken] = useState<string>();
  if (icon !== undefined && icon !== broken) {
    return (
      <span class="tile" aria-hidden="true">
        {/* As an image, an SVG runs no script and loads nothing. */}
        <img
          src={icon}
          alt=""
          draggable={false}
          width="28"
          height="28"
          decoding="async"
          onError={() => setBroken(icon)}
        />
      </span>
    );
  }
  return (
    <span class="tile" data-tone={toneOf(name)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** Returns two letters for a name: of its first two words, or of its only one. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = '', second] = words.map((word) => [...word]);
  const letters = second === undefined ? [...first].slice(0, 2) : [first[0], second[0]];
  return letters.join('').toUpperCase();
}

/** Returns the color index for a name, always the same one. */
function toneOf(name: string): number {
  let mixed = 0x811c9dc5;
  for (const letter of name) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % tones;
}
