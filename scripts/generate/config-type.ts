// Writes the type of a configuration, emulator/command/config/config-type.ts, from the tables of flags. `npm run generate`

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configType } from '../../emulator/command/config/describe.ts';

await writeFile(join(import.meta.dirname, '../../emulator/command/config/config-type.ts'), await configType());
