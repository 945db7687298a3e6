// The demo bar below every screen: world, clock, scenario, faults and reset.

import { useEffect } from 'preact/hooks';
import { world } from '../api.ts';
import { hrefOf } from '../place.ts';
import {
  advanceClock,
  clearFaults,
  clockSteps,
  freezeClock,
  loadStatus,
  resetData,
  type Status,
  showError,
  status,
  switchScenario,
} from '../session.ts';
import { Button, Icon, Select } from './parts.tsx';

// Other clients change the state too.
const pollMs = 5000;

/** The bar. */
export function DemoBar() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) loadStatus().catch(() => undefined);
    }, pollMs);
    return () => clearInterval(timer);
  }, []);
  const { value } = status;
  return (
    <section class="demo-bar" aria-label="Emulator">
      {value ? (
        <>
          <a class="demo-item wide" href={hrefOf('control', ['worlds'])}>
            World <b>{world || 'default'}</b>
          </a>
          <ClockChoice {...value} />
          <ScenarioChoice {...value} />
          <FaultCount {...value} />
        </>
      ) : undefined}
      <span class="spring" />
      <Button icon="undo" label="Reset data" kind="quiet" onPress={resetData}>
        <span class="wide">Reset data</span>
      </Button>
    </section>
  );
}

function ClockChoice({ clock: { now, frozen } }: Status) {
  const choose = (choice: string): Promise<void> => {
    const step = clockSteps.find(({ label }) => label === choice);
    return step ? advanceClock(step) : freezeClock(!frozen);
  };
  return (
    <label class="demo-item">
      <Icon name="clock" />
      <time dateTime={now} title={now}>
        {formatTime(now)}
      </time>
      {frozen ? <span class="tag risk">frozen</span> : undefined}
      <select
        aria-label="Clock"
        value=""
        onChange={({ currentTarget }) => {
          const { value: choice } = currentTarget;
          currentTarget.value = '';
          void choose(choice).catch(showError);
        }}
      >
        <option value="">Clock</option>
        <option value="freeze">{frozen ? 'Run' : 'Freeze'}</option>
        {clockSteps.map(({ label }) => (
          <option key={label} value={label}>
            Advance by {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function ScenarioChoice({ scenarios, activeScenarios }: Status) {
  const [active = '', ...others] = activeScenarios;
  return (
    <label class="demo-item">
      <span class="wide">Scenario</span>
      <Select
        aria-label="Scenario"
        data-active={active !== ''}
        value={active}
        options={[['', 'None'], ...scenarios]}
        onChoose={(name) => void switchScenario(name).catch(showError)}
      />
      {others.length > 0 ? <span class="tag risk">+{others.length}</span> : undefined}
    </label>
  );
}

function FaultCount({ faults }: Status) {
  if (faults === 0) {
    return (
      <a class="demo-item wide" href={hrefOf('control', ['faults'])}>
        No faults
      </a>
    );
  }
  return (
    <span class="demo-item">
      <a href={hrefOf('control', ['faults'])}>
        <span class="tag risk">{faults === 1 ? '1 fault' : `${faults} faults`}</span>
      </a>
      <Button kind="quiet" onPress={clearFaults}>
        Clear
      </Button>
    </span>
  );
}

// To the minute, in UTC.
function formatTime(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
}
