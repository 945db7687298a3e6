// Generates the type of the configuration file, emulator/cli/config-type.generated.ts, from the tables of flags. `npm run generate`

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configType } from '../../../emulator/cli/describe-config.node.ts';

await writeFile(join(import.meta.dirname, '../../../emulator/cli/config-type.generated.ts'), await configType());
