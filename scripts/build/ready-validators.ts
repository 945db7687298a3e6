// An esbuild plugin: replaces emulator/store/compile.ts by validators that ajv generated at build time, so that a bundle generates no code at run
// time (pages may forbid it) and contains no schema compiler. Pages load all validators before their first request, so they are kept small: an
// error has only what emulator/store/check.ts prints.

import { join } from 'node:path';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { type Plugin, transform } from 'esbuild';
import { serverSchema } from '../../emulator/app/address.ts';
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
import { shortName } from './short-name.ts';

/** Returns every schema that the emulator may check a value by, as JSON, each once. */
export function everySchema(): readonly string[] {
  const ofRoutes = [...serviceRoutes, ...controlRoutes].flatMap(schemasOf);
  const all: readonly Schema[] = [
    ...ofRoutes,
    ...Object.values(fixtureSchemas),
    ...Object.values(rowSchemas),
    ...folderSchemas,
    faultSchema,
    limitsSchema,
    serverSchema,
  ];
  return [...new Set(all.map((schema) => JSON.stringify(schema)))];
}

function schemasOf(route: Route): readonly Schema[] {
  // What a handler reads itself is not checked here.
  const body = route.body && !route.body.unread ? [route.body] : [];
  const rules = [...body, ...Object.values(answersOf(route))];
  const schemas = [
    ...Object.values(route.query ?? {}).map(querySchema),
    ...rules.map(({ check, schema }) => check ?? schema),
  ];
  return schemas.filter((schema) => schema !== undefined);
}

/** Returns code without blanks and long names: nobody reads it. */
async function small(code: string): Promise<string> {
  const { code: minified } = await transform(code, { minify: true, format: 'esm', target: 'es2022', lineLimit: 160 });
  return minified;
}

// How the validator writes down a fault: one object for each place where there can be one, of the same five fields.
const faults =
  /const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:(.*?),keyword:(.*?),params:(.*?),message:(.*?)\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g;

const addFault = `function addFault(faults, instancePath, keyword, params = {}, message, schemaPath = '') {
  const fault = { instancePath, schemaPath, keyword, params, message };
  if (faults === null) return [fault];
  faults.push(fault);
  return faults;
}
`;

/** Of these keywords the parameters are worded; of all others the validator's own message is. */
const worded = new Set([
  ...['enum', 'uniqueItems', 'required', 'type', 'pattern', 'minimum', 'maximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
]);

/** Returns the arguments that follow the path of a violation. */
function toldOf(schemaPath: string, keyword: string, params: string, message: string): readonly string[] {
  const name = JSON.parse(keyword) as string;
  if (name === 'additionalProperties') return [keyword, params, 'undefined', schemaPath];
  if (worded.has(name)) return [keyword, params];
  return [keyword, name === 'format' ? params : 'undefined', message];
}

/** Returns the code of validators with one function that writes faults down: a third less of it. */
function withSharedFaults(code: string): string {
  const shared = code.replace(faults, (_, _name, path = 'instancePath', ...rest: readonly string[]) => {
    const [schemaPath = '', keyword = '', params = '', message = ''] = rest;
    return `vErrors = addFault(vErrors, ${[path, ...toldOf(schemaPath, keyword, params, message)].join(', ')});errors++;`;
  });
  if (shared.includes('vErrors.push(')) throw new Error('the validator writes faults down in another form');
  return addFault + shared;
}

/** Words of a schema that say nothing of what fits it. */
const spoken = new Set(['title', 'description', 'example', 'examples', 'default']);

/** Returns a schema without its words. `inNames`: the members are names of fields, which may be called so. */
function withoutWords(schema: unknown, inNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withoutWords(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name]) => inNames || !spoken.has(name));
  return Object.fromEntries(
    kept.map(([name, member]) => [
      name,
      // Values that are compared are kept as they are.
      name === 'enum' || name === 'const'
        ? member
        : withoutWords(member, !inNames && /^(?:p|patternP)roperties$/.test(name)),
    ]),
  );
}

/** Returns a module that exports `compileSchema` as the one it replaces does, for the known schemas. */
function readyModule(): string {
  const ajv = new Ajv({ ...validatorOptions, code: { source: true, esm: true } });
  const texts = everySchema();
  const names = texts.map((_, at) => `validate_${at}`);
  for (const [at, text] of texts.entries()) ajv.addSchema(withoutWords(JSON.parse(text)) as Schema, names[at] ?? '');
  const code = withSharedFaults(standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name]))));
  const entries = texts.map((text, at) => `[${JSON.stringify(shortName(text))}, ${names[at]}]`);
  if (new Set(texts.map(shortName)).size < texts.length) throw new Error('two schemas have the same short name');
  return `${code}
import { shortName } from './scripts/build/short-name.ts';
const ready = new Map([${entries.join(',\n')}]);
export function compileSchema(schema) {
  const text = JSON.stringify(schema);
  const validate = ready.get(shortName(text));
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
        // Where the few helpers of the validators are found.
        resolveDir: join(import.meta.dirname, '../..'),
      }));
    },
  };
}
