// The Helm script of a pinned Order: the archive is downloaded from a classic repository, verified, and only then installed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { folderRegistry } from '../../../render/chart/registry.node.ts';
import type { Registry } from '../../../render/chart/registry.ts';
import { chartsDirectory, renderSample } from '../../support/orders.ts';
import { parsePowerShell } from '../../support/powershell.ts';
import { runScript, shells, testShellCheck } from '../../support/shells.ts';

const archive = 'the archive of web in the repository';
const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const flat = folderRegistry([chartsDirectory], { isFlat: true });
const registry: Registry = {
  resolve: (wanted) => flat.resolve({ ...wanted, sourceRef: { kind: 'Local', name: wanted.name } }),
};

async function scriptOf(seal: object, system?: 'windows'): Promise<string> {
  const chart = {
    name: 'web',
    sourceRef: { kind: 'HelmRepository', name: 'https://charts.example.com' },
    releaseName: 'shop',
    namespace: 'shop',
    seal,
  };
  const rendered = await renderSample({ spec: { packages: [{ chart }] } }, { registry });
  return rendered.helmScript(system);
}

// Writes the archive to the folder in the last argument of `helm pull`.
const pulls = `
if [ "$1" = pull ]; then
  for folder in "$@"; do :; done
  printf '%s' '${archive}' >"$folder/web-1.4.2.tgz"
fi
`;

for (const { name, command } of shells) {
  test(`Helm installs the pinned archive (${name})`, async () => {
    const { code, stderr, calls } = runScript(await scriptOf({ archive: digest(archive) }), command, {
      behavior: pulls,
    });
    assert.equal(code, 0, stderr);
    const pull = calls.find(({ words }) => words[0] === 'pull');
    assert.deepEqual(pull?.words, [
      ...['pull', 'web', '--repo', 'https://charts.example.com', '--version', '1.4.2'],
      ...['--destination', '1'],
    ]);
    const deploy = calls.find(({ words }) => words[0] === 'upgrade');
    assert.deepEqual(deploy?.words.slice(0, 4), ['upgrade', '--install', 'shop', './1/web-1.4.2.tgz']);
    assert.ok(!deploy?.words.includes('--repo'));
  });

  test(`a different archive is not installed (${name})`, async () => {
    const { code, stderr, calls } = runScript(await scriptOf({ archive: digest('old') }), command, {
      behavior: pulls,
    });
    assert.equal(code, 1);
    assert.match(stderr, /error: 1\/web-1\.4\.2\.tgz has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}/);
    assert.ok(!calls.some(({ words }) => words[0] === 'upgrade'));
  });
}

test('the PowerShell script verifies the archive too', async () => {
  const script = await scriptOf({ archive: digest(archive) }, 'windows');
  assert.match(script, /Get-FileHash \$archive\)\.Hash -ne '[0-9a-f]{64}'/);
  assert.match(script, /Invoke-Helm upgrade --install 'shop' \$archive /);
  assert.deepEqual((await parsePowerShell(script)).errors, []);
});

test('an Order that is not pinned is installed from its repository', async () => {
  const script = await scriptOf({});
  assert.doesNotMatch(script, /verify|helm pull/);
});

testShellCheck('the script of a pinned Order', () => scriptOf({ archive: digest(archive) }));
