// The emulator: its requests, its behavior and its data.

import { hrefOf } from '../../address.ts';
import { place } from '../../place.ts';
import { Nav } from '../nav.tsx';
import { ClockPart, FaultsPart } from './behavior.tsx';
import { RequestsPart } from './requests.tsx';
import { ScenariosPart } from './scenarios.tsx';
import { SnapshotsPart, WorldsPart } from './state.tsx';

const parts = [
  { name: 'requests', label: 'Requests', Part: RequestsPart },
  { name: 'scenarios', label: 'Scenarios', Part: ScenariosPart },
  { name: 'faults', label: 'Faults', Part: FaultsPart },
  { name: 'clock', label: 'Clock', Part: ClockPart },
  { name: 'snapshots', label: 'Snapshots', Part: SnapshotsPart },
  { name: 'worlds', label: 'Worlds', Part: WorldsPart },
] as const;

/** The screen. */
export function EmulatorScreen() {
  const [name = 'requests'] = place.value.about;
  const { Part, label } = parts.find((part) => part.name === name) ?? parts[0];
  return (
    <div class="page">
      <div class="bar">
        <h1 class="bar-title">Emulator</h1>
      </div>
      <Nav
        label="Emulator"
        kind="nav pages"
        links={parts.map((part) => ({
          href: hrefOf('control', [part.name]),
          label: part.label,
          isHere: part.label === label,
        }))}
      />
      <div class="scroll page-body">
        <Part />
      </div>
    </div>
  );
}
