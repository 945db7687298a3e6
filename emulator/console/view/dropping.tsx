// Files that are dragged onto the page: wherever it is, they may be dropped, and what that does is said before.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { droppedFiles } from '../order/files.ts';
import { sayFailure } from '../session.ts';
import { openFiles } from './orders/actions.ts';

const isOver = signal(false);

/** Explains what a drop does while files are dragged over the page. */
export function Dropping() {
  useEffect(() => {
    const events = { dragenter: hold, dragover: hold, dragleave: leave, drop } as const;
    for (const [name, hear] of Object.entries(events)) addEventListener(name as keyof typeof events, hear);
    return () => {
      for (const [name, hear] of Object.entries(events)) removeEventListener(name as keyof typeof events, hear);
    };
  }, []);
  if (!isOver.value) return undefined;
  return (
    <div class="dropping" role="status">
      <p>Drop it: a chart joins the Order, values are laid over, an Order or a bundle is opened.</p>
    </div>
  );
}

// A browser that is not told so leaves the page for the file.
function hold(event: DragEvent): void {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  isOver.value = true;
}

function leave(event: DragEvent): void {
  // Within the page it goes from one element to the next.
  if (event.relatedTarget === null) isOver.value = false;
}

function drop(event: DragEvent): void {
  isOver.value = false;
  if (!holdsFiles(event) || !event.dataTransfer) return;
  event.preventDefault();
  void droppedFiles(event.dataTransfer).then(openFiles).catch(sayFailure);
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
