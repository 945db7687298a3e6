// Files dragged onto the page, on any screen.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { droppedFiles } from '../order/files.ts';
import { showError } from '../session.ts';
import { openFiles } from './orders/actions.ts';

const isOver = signal(false);

/** Shows what a drop does while files are dragged over the page. */
export function Dropping() {
  useEffect(() => {
    const events = { dragenter: hold, dragover: hold, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(events)) addEventListener(name as keyof typeof events, listener);
    return () => {
      for (const [name, listener] of Object.entries(events)) removeEventListener(name as keyof typeof events, listener);
    };
  }, []);
  if (!isOver.value) return undefined;
  return (
    <div class="dropping" role="status">
      <p>Drop to add charts, apply values, or open an Order or bundle</p>
    </div>
  );
}

// Otherwise the browser would open the file instead of the page.
function hold(event: DragEvent): void {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  isOver.value = true;
}

function leave(event: DragEvent): void {
  // It also fires between elements of the page.
  if (event.relatedTarget === null) isOver.value = false;
}

function drop(event: DragEvent): void {
  isOver.value = false;
  if (!holdsFiles(event) || !event.dataTransfer) return;
  event.preventDefault();
  void droppedFiles(event.dataTransfer).then(openFiles).catch(showError);
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
