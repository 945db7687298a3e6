// Markdown as elements. HTML is dropped, images are replaced with their names, links open in a new tab.

import { micromark, type Options } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { useEffect, useRef } from 'preact/hooks';

// Keeps the text of HTML without its tags.
const withoutHtml: NonNullable<Options['htmlExtensions']>[number] = {
  exit: {
    htmlFlowData(token) {
      this.raw(this.encode(this.sliceSerialize(token).replace(/<[^>]*>?/g, '')));
    },
    htmlTextData() {},
  },
};

export function Markdown({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(...elementsOf(text)), [text]);
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
  return <div class="markdown" tabIndex={0} ref={place} />;
}

function elementsOf(text: string): readonly Node[] {
  const html = micromark(text.replace(/<!--.*?(?:-->|$)/gs, ''), {
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml(), withoutHtml],
  });
  // A detached document loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const image of body.querySelectorAll('img')) image.replaceWith(image.alt);
  for (const link of body.querySelectorAll('a')) {
    if (!isAbsolute(link.getAttribute('href') ?? '')) link.replaceWith(...link.childNodes);
    else Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' });
  }
  return [...body.childNodes].map((node) => document.importNode(node, true));
}

/** Reports whether a link leads to another site. An address such as `http://localhost:PORT` leads nowhere. */
export function isAbsolute(href: string): boolean {
  return URL.canParse(href, 'relative:/') && new URL(href, 'relative:/').protocol !== 'relative:';
}
