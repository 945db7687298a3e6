// JSON Schemas of the files of a fixtures folder, for editors; each allows the `$schema` line that names it.

import { scenariosSchema } from '../app/fault-rules.ts';
import { recordingsSchema } from '../app/recordings.ts';
import { settingsSchema } from '../app/settings.ts';
import type { Schema } from '../store/compile.ts';
import { fixtureSchemas } from '../store/fixtures.ts';

const named = { $schema: { type: 'string', description: 'The schema of this file, for editors' } };

/** Returns the schemas by their file names without `.schema.json`, such as `settings` and `fixtures/users`. */
export function folderFileSchemas(): ReadonlyMap<string, Schema> {
  const kinds = Object.entries(fixtureSchemas).map(
    ([kind, list]) => [`fixtures/${kind}`, listOrMember(kind, list)] as const,
  );
  return new Map<string, Schema>([
    ['settings', withName(settingsSchema)],
    ['scenarios', withName(scenariosSchema)],
    ['recorded', recordingsSchema],
    ...kinds,
  ]);
}

function withName(schema: Schema): Schema {
  return { ...schema, properties: { ...named, ...(schema.properties as Schema | undefined) } };
}

// A list has no place for that line; in an object it is a further member.
function listOrMember(kind: string, list: Schema): Schema {
  const properties = { ...named, [kind]: list };
  const member = { type: 'object', required: [kind], properties, additionalProperties: false };
  return { title: `Fixtures: ${kind}`, anyOf: [member, list] };
}
