// A handle between two panes, moved by pointer or arrow keys. The width is stored.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { keepItem, storedItem } from '../storage.ts';

const step = 24;

interface SplitterProps {
  /** The key of the width in the browser's storage. */
  readonly name: string;
  readonly label: string;
  /** Limits of the pane before it, in pixels. */
  readonly least: number;
  readonly most: number;
}

/** The handle: it sets `--split-NAME` on its parent, the width of the pane before it. */
export function Splitter({ name, label, least, most }: SplitterProps) {
  const key = `drydock.split.${name}`;
  const paneOf = (element: Element): Element => element.previousElementSibling ?? element;
  const resize = (element: HTMLElement, width: number): number => {
    const room = (element.parentElement?.clientWidth ?? innerWidth) - least;
    const px = Math.round(Math.min(Math.max(width, least), most, room));
    element.parentElement?.style.setProperty(`--split-${name}`, `min(${px}px, 65%)`);
    element.setAttribute('aria-valuenow', String(px));
    return px;
  };
  const keep = (width: number): void => keepItem(key, String(width));
  const kept = Number(storedItem(key) ?? 0);
  const handle = useRef<HTMLDivElement>(null);
  // A narrow window shows less than the stored width, which is kept for a wide one.
  useLayoutEffect(() => {
    if (handle.current && kept > 0) resize(handle.current, kept);
  }, []);
  const onPointerDown = (event: PointerEvent): void => {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent): void => {
    const element = event.currentTarget as HTMLElement;
    if (!element.hasPointerCapture(event.pointerId)) return;
    const { left, right } = paneOf(element).getBoundingClientRect();
    keep(resize(element, isRightToLeft(element) ? right - event.clientX : event.clientX - left));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const element = event.currentTarget as HTMLElement;
    const turn = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (turn === undefined) return;
    event.preventDefault();
    keep(resize(element, paneOf(element).getBoundingClientRect().width + (isRightToLeft(element) ? -turn : turn)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule is not moved.
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={kept || least}
      tabIndex={0}
      ref={handle}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}

function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl';
}
