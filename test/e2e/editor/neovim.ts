// Opens a chart in headless Neovim with the language server. `npm run test:e2e -- language-server`

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { sourceServer } from '../../support/language-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = temporaryFolder('drydock-neovim-');
const chart = join(folder, 'web');

/** The editor's output, by name. */
async function runNeovim(): Promise<ReadonlyMap<string, unknown>> {
  const { stdout } = await execa(
    'nvim',
    ['--headless', '-u', 'NONE', '-c', `luafile ${join(root, 'test/e2e/editor/neovim.lua')}`],
    {
      cwd: chart,
      env: { DRYDOCK_SERVER: JSON.stringify(sourceServer), DRYDOCK_FILE: join(chart, 'templates/deployment.yaml') },
      timeout: 60_000,
      reject: false,
    },
  );
  const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
  return new Map(
    answers.map((line) => JSON.parse(line) as { name: string; value: unknown }).map(({ name, value }) => [name, value]),
  );
}

await cp(join(root, 'fixtures/charts/web'), chart, { recursive: true });
const answer = await runNeovim();
const shown = (name: string): string => JSON.stringify(answer.get(name) ?? answer.get('timeout') ?? null);
check(`hover: ${shown('hover')}`, /IfNotPresent.* values\.yaml:8/.test(shown('hover')));
check(`definition: ${shown('definition')}`, /web\/values\.yaml"$/.test(shown('definition')));
check(`completion: ${shown('completion')}`, /"repository","tag"/.test(shown('completion')));
check(`unclosed action: ${shown('broken')}`, /^\["34: unclosed action"\]$/.test(shown('broken')));
check('the diagnostic disappears when the action is closed again', shown('repaired') === '0');
