// An esbuild plugin: replaces emulator/store/compile.ts by validators that ajv generated at build time, so that a bundle generates no code at run
// time (pages may forbid it) and contains no schema compiler.

import { join } from 'node:path';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { type Plugin, transform } from 'esbuild';
import { answersOf } from '../../emulator/app/answers.ts';
import { faultSchema } from '../../emulator/app/fault-rules.ts';
import { querySchema } from '../../emulator/app/input.ts';
import type { Route } from '../../emulator/app/route.ts';
import { folderSchemas } from '../../emulator/fixture-folder.node.ts';
import { limitsSchema } from '../../emulator/rendering/limits.ts';
import { controlRoutes, serviceRoutes } from '../../emulator/routes/index.ts';
import type { Schema } from '../../emulator/store/compile.ts';
import { rowSchemas } from '../../emulator/store/dump.ts';
import { fixtureSchemas } from '../../emulator/store/fixtures.ts';
import { validatorOptions } from '../../emulator/store/validator-options.ts';

/** Returns every schema that the emulator may use, as JSON, each once. */
export function everySchema(): readonly string[] {
  const ofRoutes = [...serviceRoutes, ...controlRoutes].flatMap(schemasOf);
  const all: readonly Schema[] = [
    ...ofRoutes,
    ...Object.values(fixtureSchemas),
    ...Object.values(rowSchemas),
    ...folderSchemas,
    faultSchema,
    limitsSchema,
  ];
  return [...new Set(all.map((schema) => JSON.stringify(schema)))];
}

function schemasOf(route: Route): readonly Schema[] {
  // Input that a handler reads itself is not validated here.
  const body = route.body && !route.body.unread ? [route.body] : [];
  const rules = [...body, ...Object.values(answersOf(route))];
  const schemas = [
    ...Object.values(route.query ?? {}).map(querySchema),
    ...rules.map(({ check, schema }) => check ?? schema),
  ];
  return schemas.filter((schema) => schema !== undefined);
}

/** Returns code without blanks and long names, because nobody reads it. */
async function small(code: string): Promise<string> {
  const { code: minified } = await transform(code, { minify: true, format: 'esm', target: 'es2022', lineLimit: 160 });
  return minified;
}

/** Returns a module that exports the same `compileSchema` for the known schemas. */
function readyModule(): string {
  const ajv = new Ajv({ ...validatorOptions, code: { source: true, esm: true } });
  const texts = everySchema();
  const names = texts.map((_, at) => `validate_${at}`);
  for (const [at, text] of texts.entries()) ajv.addSchema(JSON.parse(text) as Schema, names[at] ?? '');
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const entries = texts.map((text, at) => `[${JSON.stringify(text)}, ${names[at]}]`);
  return `${code}
const ready = new Map([${entries.join(',\n')}]);
export function compileSchema(schema) {
  const text = JSON.stringify(schema);
  const validate = ready.get(text);
  if (!validate) throw new Error('no validator was made for this schema: ' + text);
  return validate;
}
`;
}

/** Returns the plugin. */
export function readyValidators(): Plugin {
  return {
    name: 'ready-validators',
    setup(build) {
      build.onLoad({ filter: /[\\/]emulator[\\/]store[\\/]compile\.ts$/ }, async () => ({
        contents: await small(readyModule()),
        // The location of the validators' helper functions.
        resolveDir: join(import.meta.dirname, '../..'),
      }));
    },
  };
}
