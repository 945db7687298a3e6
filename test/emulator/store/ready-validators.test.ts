import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { build } from 'esbuild';
import fc from 'fast-check';
import * as written from '../../../emulator/store/check.ts';
import { everySchema, readyValidators } from '../../../scripts/build/ready-validators.ts';

// The generated, reduced validators of bundles report the same errors as the full validator.
let ready: typeof written;

before(async () => {
  const { outputFiles } = await build({
    entryPoints: ['emulator/store/check.ts'],
    plugins: [readyValidators()],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = `${outputFiles[0]?.text}//${outputFiles.length}`;
  ready = (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as typeof written;
});

type Shape = Readonly<Record<string, unknown>>;

const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Nearly valid values, so that errors are deep within them.
function near(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));
  if (!isShape(schema) || depth > 6) return wrong;
  const { type, properties, items, enum: choices } = schema;
  const right = (): fc.Arbitrary<unknown> => {
    if (Array.isArray(choices)) return fc.constantFrom(...choices);
    if (isShape(properties)) {
      const members = Object.entries(properties).map(([name, member]) => [name, near(member, depth + 1)] as const);
      return fc
        .tuple(
          fc.record(Object.fromEntries(members), { requiredKeys: [] }),
          fc.dictionary(fc.string(), wrong, { maxKeys: 1 }),
        )
        .map(([known, other]) => ({ ...other, ...known }));
    }
    if (type === 'array' || isShape(items)) return fc.array(near(items, depth + 1), { maxLength: 3 });
    if (type === 'string')
      return fc.oneof(
        fc.string(),
        fc.constantFrom('2024-02-30T00:00:00Z', '2024-02-29T12:00:00Z', 'https://a.b', 'QUJD'),
      );
    if (type === 'integer' || type === 'number') return fc.oneof(fc.integer(), fc.double());
    return wrong;
  };
  return fc.oneof({ weight: 6, arbitrary: right() }, { weight: 1, arbitrary: wrong });
}

describe('validators of bundles', () => {
  it('report the same errors of every schema as the validator', () => {
    let faults = 0;
    for (const text of everySchema()) {
      const schema = JSON.parse(text) as Parameters<typeof written.checkJson>[0];
      fc.assert(
        fc.property(near(schema), (value) => {
          const violations = written.checkJson(schema, value);
          faults += violations.length;
          assert.deepEqual(ready.checkJson(schema, value), violations);
        }),
        { numRuns: 40 },
      );
    }
    assert.ok(faults > 1000, `${faults} faults`);
  });

  it('refuse an unknown schema', () => {
    assert.throws(() => ready.checkJson({ type: 'string', minLength: 12_345 }, ''), /no validator was made/);
  });
});
