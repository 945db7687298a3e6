// A tour of the console in six steps: each shows a screen, outlines a part of it and explains it.

import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openOrder, orderView } from '../order/draft.ts';
import { exampleOrders } from '../order/examples.ts';
import { goTo, hrefOf } from '../place.ts';
import { charts } from '../session.ts';
import { narrowSide } from './orders/selection.ts';
import { Button } from './parts.tsx';

const editor = hrefOf('orders', [], { editor: 'form' });

/** `part` is the outlined part, `href` the screen that it belongs to. */
const steps = [
  {
    title: 'An Order lists charts',
    text: 'Packages are installed from top to bottom. Add a chart, drag a package to move it, or drop a chart folder on the page.',
    part: 'packages',
    href: editor,
  },
  {
    title: 'Set values in a form',
    text: 'Every field is a value of the chart, with its description. The manifest follows while you type; Values and Order YAML are the same as text.',
    part: 'editor',
    href: editor,
  },
  {
    title: 'See why a line is there',
    text: 'Point at a line of the manifest to see the template that wrote it, the values that it read and where they were set. Click to edit the value.',
    part: 'preview',
    href: hrefOf('orders', [], { tab: 'manifest' }),
  },
  {
    title: 'Take it to a cluster',
    text: 'Scripts installs the Order with Helm or kubectl. Checks lists what a cluster would refuse, and Compare what an upgrade changes.',
    part: 'preview',
    href: hrefOf('orders', [], { tab: 'scripts' }),
  },
  {
    title: 'Use the API behind it',
    text: 'An emulated platform answers every request: people, clusters, credentials, saved Orders. Sign in as anyone, here or at the top of the page.',
    part: 'list',
    href: hrefOf('users'),
  },
  {
    title: 'Stage a demo',
    text: 'Freeze the clock, switch to a scenario or let requests fail. Reset data starts again from the seed. All of it is in the command palette, too.',
    part: 'demo-bar',
    href: hrefOf('users'),
  },
] as const;

const step: Signal<number | undefined> = signal(undefined);

/** Starts the tour, with an example if the Order is empty. */
export function startTour(): void {
  const names = new Set(charts.peek()?.map(({ name }) => name));
  const example = exampleOrders.findLast((one) => one.charts.every((chart) => names.has(chart)));
  if (orderView.peek().packages.length === 0 && example) openOrder(example.text, `open ${example.title}`);
  step.value = 0;
}

export function Tour() {
  const at = step.value ?? 0;
  const shown = step.value === undefined ? undefined : steps[at];
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!shown) return undefined;
    goTo(shown.href);
    narrowSide.value = shown.part === 'preview' ? 'preview' : 'write';
    document.body.dataset.tour = shown.part;
    title.current?.focus();
    return () => delete document.body.dataset.tour;
  }, [shown]);
  if (!shown) return null;
  const go = (to: number | undefined): void => {
    step.value = to;
  };
  const isLast = at === steps.length - 1;
  return (
    <section class="tour" role="dialog" aria-label="Tour" onKeyDown={({ key }) => key === 'Escape' && go(undefined)}>
      <p class="soft">
        {at + 1} of {steps.length}
      </p>
      <h2 class="tour-title" tabIndex={-1} ref={title}>
        {shown.title}
      </h2>
      <p>{shown.text}</p>
      <div class="tour-buttons">
        <Button kind="quiet" onPress={() => go(undefined)}>
          End tour
        </Button>
        <span class="spring" />
        {at === 0 ? undefined : <Button onPress={() => go(at - 1)}>Back</Button>}
        {isLast ? undefined : (
          <Button kind="main" onPress={() => go(at + 1)}>
            Next
          </Button>
        )}
      </div>
    </section>
  );
}
