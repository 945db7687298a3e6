// The tables of flags, and everything generated from them: help, reference pages, completion, the configuration's type and schema.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingNames } from '../../../emulator/app/settings.ts';
import { configSchema, configType } from '../../../emulator/cli/describe-config.node.ts';
import { program } from '../../../emulator/cli/program.node.ts';
import { parseFlags, UsageError } from '../../../render/cli/flags.ts';
import { describeFlag, formatHelp, formatReference, signatureOf } from '../../../render/cli/help.ts';
import { allSpecs } from '../../../render/cli/program.ts';
import { flagsOf } from '../../../render/cli/table/command.ts';
import { captureCommand } from '../../support/cli.ts';

const root = join(import.meta.dirname, '../../..');
const specs = await allSpecs(program);
const squeeze = (text: string): string => text.replace(/\s+/g, ' ');

for (const spec of specs) {
  test(`${spec.name}: no two flags share a name or a letter, and -h is free`, () => {
    const words = flagsOf(spec).flatMap(({ name, short }) => [name, ...(short === undefined ? [] : [`-${short}`])]);
    assert.deepEqual(words, [...new Set(words)]);
    assert.ok(!words.includes('help') && !words.includes('-h'));
  });

  test(`${spec.name}: its help describes each flag as the table does`, () => {
    const help = squeeze(formatHelp(spec));
    for (const flag of spec.flags) {
      assert.ok(help.includes(squeeze(`${signatureOf(flag)} ${describeFlag(flag)}`)), flag.name);
    }
  });

  test(`${spec.name}: each flag is accepted, and if it has a list of values, only those`, () => {
    for (const flag of flagsOf(spec)) {
      const samples: Record<string, string> = {
        port: '0',
        helm: '3.19',
        time: '2025-01-01',
        server: 'http://a',
        setting: 'a=b',
        address: 'a:1',
        labels: 'a=b',
        vmodule: 'a=1',
        codePlace: 'a.go:1',
      };
      const text = flag.words?.[0] ?? samples[flag.form ?? flag.type] ?? (flag.type === 'duration' ? '1s' : '1');
      const flags = parseFlags(flagsOf(spec), [flag.type === 'bool' ? `--${flag.name}` : `--${flag.name}=${text}`]);
      assert.ok(flags.isGiven(flag.name), flag.name);
      if (flag.words === undefined) continue;
      assert.throws(() => parseFlags(flagsOf(spec), [`--${flag.name}=no such word`]), UsageError);
    }
  });
}

test('the reference contains every command, with its flags in the order of help', () => {
  const page = formatReference(specs);
  for (const spec of specs) {
    const start = page.indexOf(`\n## drydock ${spec.name}\n`);
    assert.ok(start >= 0, spec.name);
    const end = page.indexOf('\n## ', start + 4);
    const shown = [...page.slice(start, end < 0 ? undefined : end).matchAll(/^\| `(?:-\w, )?--([\w-]+)/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      shown,
      spec.flags.map(({ name }) => name),
      spec.name,
    );
  }
});

test('every command, flag, value and setting is completed', async () => {
  const offered = async (...argv: readonly string[]): Promise<string[]> => {
    const { stdout } = await captureCommand(['completion', ...argv], { cwd: root });
    return stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
  };
  const commands = new Set(await offered('words='));
  for (const spec of specs) {
    assert.ok(commands.has(spec.name), spec.name);
    const flags = new Set(await offered('words=-', '--', spec.name));
    for (const { name, words = [] } of [...spec.flags, ...(spec.ignoredFlags ?? [])]) {
      assert.ok(flags.has(`--${name}`), name);
      const values = words.length === 0 ? [] : await offered(`words=--${name}=`, '--', spec.name);
      for (const word of words) assert.ok(values.includes(`--${name}=${word}`), `${spec.name} --${name}=${word}`);
    }
  }
  const settings = await offered('words=', '--', 'serve', '--set');
  assert.deepEqual(
    settingNames.filter((name) => !settings.includes(`${name}=`)),
    [],
  );
});

test('the type of a configuration matches the tables: npm run generate', async () => {
  const file = join(root, 'emulator/cli/config-type.generated.ts');
  assert.equal(await configType(), readFileSync(file, 'utf8'));
});

test('the type and the schema of a configuration have the same members', async () => {
  interface Part {
    readonly properties?: object;
    readonly additionalProperties?: Part;
  }
  const { properties } = (await configSchema()) as unknown as { readonly properties: Record<string, Part> };
  const [settings = '', config = ''] = (await configType()).split('export interface DrydockConfig');
  const membersIn = (text: string): string[] =>
    [...text.matchAll(/^( +)readonly (\w+)\?:/gm)].map(([, indent = '', key]) => `${indent.length} ${key}`);
  const ofCharts = Object.keys(properties.chartSettings?.additionalProperties?.properties ?? {});
  assert.deepEqual(
    membersIn(settings),
    ofCharts.map((name) => `2 ${name}`),
  );
  const inType = membersIn(config);
  const inSchema = Object.entries(properties)
    .filter(([key]) => key !== '$schema')
    .flatMap(([key, part]) => [`2 ${key}`, ...Object.keys(part.properties ?? {}).map((name) => `4 ${name}`)]);
  assert.deepEqual(inType, inSchema);
});
