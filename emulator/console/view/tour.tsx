// A tour of the console in six steps: each shows a screen, highlights a part of it and explains it.

import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openOrder, orderView } from '../order/draft.ts';
import { exampleOrders } from '../order/examples.ts';
import { goTo, hrefOf } from '../place.ts';
import { charts } from '../session.ts';
import { editorTab, narrowSide, previewTab } from './orders/selection.ts';
import { Button } from './parts.tsx';

interface TourStep {
  readonly title: string;
  readonly text: string;
  /** The highlighted part. */
  readonly target: string;
  /** Shows it on the screen. */
  readonly show: () => void;
}

function showEditor(): void {
  goTo(hrefOf('orders'));
  editorTab.value = 'form';
  narrowSide.value = 'write';
}

function showPreview(tab: 'manifest' | 'scripts'): void {
  goTo(hrefOf('orders'));
  previewTab.value = tab;
  narrowSide.value = 'preview';
}

const steps: readonly TourStep[] = [
  {
    title: 'An Order lists charts',
    text: 'Packages are installed from top to bottom. Add a chart, drag a package to move it, or drop a chart folder on the page.',
    target: '.packages',
    show: showEditor,
  },
  {
    title: 'Set values in a form',
    text: 'Every field is a value of the chart, with its description. The manifest follows while you type; Values and Order YAML are the same as text.',
    target: '.writing',
    show: showEditor,
  },
  {
    title: 'See why a line is there',
    text: 'Point at a line of the manifest to see the template that wrote it, the values that it read and where they were set. Click to edit the value.',
    target: '.preview',
    show: () => showPreview('manifest'),
  },
  {
    title: 'Take it to a cluster',
    text: 'Scripts installs the Order with Helm or kubectl. Checks lists what a cluster would refuse, and Compare what an upgrade changes.',
    target: '.preview',
    show: () => showPreview('scripts'),
  },
  {
    title: 'Use the API behind it',
    text: 'An emulated platform answers every request: people, clusters, credentials, saved Orders. Sign in as anyone, here or at the top of the page.',
    target: '.shelf-list',
    show: () => goTo(hrefOf('users')),
  },
  {
    title: 'Stage a demo',
    text: 'Freeze the clock, switch to a scenario or let requests fail. Reset data starts again from the seed. All of it is in the command palette, too.',
    target: '.demo-bar',
    show: () => undefined,
  },
];

/** The current step, from 0; undefined outside of the tour. */
const step: Signal<number | undefined> = signal(undefined);

/** Starts the tour, with an example if the Order is empty. */
export function startTour(): void {
  const names = new Set(charts.peek()?.map(({ name }) => name));
  const example = exampleOrders.findLast((one) => one.charts.every((chart) => names.has(chart)));
  if (orderView.peek().packages.length === 0 && example) openOrder(example.text, `open ${example.title}`);
  step.value = 0;
}

/** The card of the tour. */
export function Tour() {
  const at = step.value;
  const shown = at === undefined ? undefined : steps[at];
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!shown) return undefined;
    shown.show();
    title.current?.focus();
    let outlined: Element | null = null;
    // A screen may have to load its code first.
    const timer = setInterval(() => {
      outlined = document.querySelector(shown.target);
      if (!outlined) return;
      clearInterval(timer);
      outlined.setAttribute('data-tour', '');
    }, 50);
    const onKey = ({ key }: KeyboardEvent): void => void (key === 'Escape' && end());
    addEventListener('keydown', onKey);
    return () => {
      clearInterval(timer);
      removeEventListener('keydown', onKey);
      outlined?.removeAttribute('data-tour');
    };
  }, [shown]);
  if (at === undefined || !shown) return null;
  const isLast = at === steps.length - 1;
  return (
    <section class="tour" role="dialog" aria-label="Tour">
      <p class="soft">
        {at + 1} of {steps.length}
      </p>
      <h2 class="tour-title" tabIndex={-1} ref={title}>
        {shown.title}
      </h2>
      <p>{shown.text}</p>
      <div class="tour-buttons">
        {isLast ? undefined : (
          <Button kind="quiet" onPress={end}>
            End tour
          </Button>
        )}
        <span class="spring" />
        {at === 0 ? undefined : <Button onPress={() => go(at - 1)}>Back</Button>}
        <Button kind="main" onPress={() => (isLast ? end() : go(at + 1))}>
          {isLast ? 'Done' : 'Next'}
        </Button>
      </div>
    </section>
  );
}

function go(at: number): void {
  step.value = at;
}

function end(): void {
  step.value = undefined;
}
