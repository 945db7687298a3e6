// Avatars of people and organizations: initials on two colors and a shape derived from the name.

import { escapeMarkup } from '../../render/core/page/escape.ts';

/** The inputs of an avatar. */
export interface Sitter {
  /** Login or slug: the same name always has the same avatar. */
  readonly name: string;
  readonly fullName: string;
  readonly kind: 'person' | 'organization';
}

// Pairs of colors, dark enough for white text.
const tones = [
  ['#4338ca', '#7c3aed'],
  ['#0369a1', '#4f46e5'],
  ['#0f766e', '#0369a1'],
  ['#15803d', '#0f766e'],
  ['#a16207', '#c2410c'],
  ['#b91c1c', '#be185d'],
  ['#be185d', '#7e22ce'],
  ['#6d28d9', '#a21caf'],
  ['#334155', '#475569'],
  ['#9a3412', '#b91c1c'],
] as const;

/** Returns an avatar as SVG. */
export function drawAvatar({ name, fullName, kind }: Sitter): string {
  const hash = hashOf(name.toLowerCase());
  const [from, to] = tones[hash % tones.length]!;
  const turn = (hash >>> 8) % 360;
  const outline = kind === 'person' ? '<circle cx="48" cy="48" r="48"/>' : '<rect width="96" height="96" rx="20"/>';
  const shape =
    (hash >>> 4) % 2 === 0
      ? '<circle cx="82" cy="20" r="44"/>'
      : '<rect x="48" y="-24" width="96" height="96" rx="28"/>';
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">',
    `<defs><linearGradient id="g" gradientTransform="rotate(${turn % 60} .5 .5)"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`,
    `<clipPath id="c">${outline}</clipPath></defs>`,
    `<g clip-path="url(#c)"><rect width="96" height="96" fill="url(#g)"/>`,
    `<g fill="#fff" fill-opacity=".1" transform="rotate(${turn} 48 48)">${shape}</g></g>`,
    '<text x="48" y="48" dy=".35em" text-anchor="middle" font-family="Inter,ui-sans-serif,system-ui,sans-serif" font-size="36" ',
    `font-weight="600" letter-spacing=".5" fill="#fff">${escapeMarkup(initialsOf(fullName))}</text></svg>\n`,
  ].join('');
}

// Initials of the first and the last word.
function initialsOf(fullName: string): string {
  const words = fullName.split(/[\s._-]+/).filter((word) => word !== '');
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return [first, last]
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).trim())
    .join('')
    .toUpperCase();
}

// FNV-1a.
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}
