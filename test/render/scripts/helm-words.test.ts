// Helm scripts for Helm 3, for Helm 4, and for whichever is there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOrder, renderSample } from '../../support/orders.ts';
import { runScript, testShellCheck } from '../../support/shells.ts';

const shop = await renderSample(loadOrder('shop.yaml'));
const upgradesOf = (script: string, args: readonly string[] = []): readonly string[][] =>
  runScript(script, ['sh'], { args })
    .calls.filter(({ words }) => words[0] === 'upgrade')
    .map(({ words }) => [...words]);

test('each Helm hears the flags that it has', () => {
  const three = upgradesOf(shop.helmScript());
  assert.ok(three.length > 0 && three.every((words) => words.includes('--wait')));
  assert.deepEqual(upgradesOf(shop.helmScript('linux', { forHelm: 'any' })), three);
  const script = shop.helmScript('linux', { forHelm: 4 });
  assert.ok(upgradesOf(script).every((words) => words.includes('--wait=watcher')));
  assert.ok(upgradesOf(script, ['--force-conflicts']).every((words) => words.at(-1) === '--force-conflicts'));
  assert.equal(runScript(shop.helmScript(), ['sh'], { args: ['--force-conflicts'] }).code, 2);
});

test('an Order that is rendered as Helm 4 has a script for it', async () => {
  const rendered = await renderSample(loadOrder('shop.yaml'), { helm: 4 });
  assert.match(rendered.helmScript(), /--wait=watcher/);
  assert.match(rendered.helmScript('windows'), /Test-Helm @\('4'\)/);
  const { code, stderr } = runScript(rendered.helmScript(), ['sh'], {
    behaviour: '[ "$1" != version ] || echo v3.17.3+ge4da497',
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /this script is for Helm 4, and this is v3\.17\.3\+ge4da497: run Helm 4, or make the script anew/,
  );
});

testShellCheck('the script for Helm 4', () => shop.helmScript('linux', { forHelm: 4 }));
testShellCheck('the uninstallation with any Helm', () =>
  shop.helmScript('linux', { forHelm: 'any', action: 'uninstall' }),
);
