// Generates command lines of `template` for the fixture charts: values files, every kind of --set, and all other flags.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Dice, wordList } from '../support/dice.ts';
import { chartsDirectory } from '../support/golden.ts';
import { type Command, runCommands } from './commands.ts';
import type { Family, Tools } from './family.ts';
import { mutated, scalars, text, word } from './words.ts';

const charts = wordList`
  values-as-json values-as-json values-as-json umbrella web schema library-user values-and-text crds-and-hooks
`;
const keys = wordList`
  a b a.b a.b.c l[0] l[1] l[2].x a\.b global.x tags.caching database.enabled replicaCount image.tag env.PORT
  nested.list[0] service metrics.nope l[0][1]
`;

function setKey(dice: Dice): string {
  if (dice.chance(0.75)) return dice.pick(keys);
  if (dice.chance(0.5))
    return dice
      .list(1, 3, () =>
        dice.pick(['a', 'b', '[0]', '[x]', '[', ']', '.', '..', '\\.', '=', '{', '[-1]', '[65537]', 'é', ' ']),
      )
      .join('');
  return text(dice, 6);
}

function setValue(dice: Dice): string {
  return dice.pick([
    () =>
      dice.pick([
        ...wordList`1 true null 007 1e3 0x1 x {a,b} {} {a a\,b -1 9223372036854775808 1.5 a=b {1,null,true}`,
        '',
        '" "',
      ]),
    () => dice.pick(scalars),
    () => text(dice, 8),
  ])();
}

function jsonValue(dice: Dice): string {
  return dice.chance(0.6)
    ? dice.pick(['{"a":1}', '[1,2]', '"x"', 'null', '1', '{"a":null}', '1.0', '1e21', '[{"x":{}}]', '{', ''])
    : mutated(dice, '{"a": [1, 2.5e3, null, "b"], "c": {"d": true}}');
}

type MakeFlag = (dice: Dice, folder: string) => Promise<readonly string[]>;

const setters: readonly MakeFlag[] = [
  async (dice) => ['--set', dice.list(1, 3, () => `${setKey(dice)}=${setValue(dice)}`).join(',')],
  async (dice) => ['--set-string', dice.list(1, 3, () => `${setKey(dice)}=${setValue(dice)}`).join(',')],
  async (dice) => ['--set-json', dice.chance(0.15) ? jsonValue(dice) : `${setKey(dice)}=${jsonValue(dice)}`],
  async (dice) => ['--set-literal', `${setKey(dice)}=${setValue(dice)}`],
  async (dice) => ['--set-file', `${setKey(dice)}=${dice.pick(['v.yaml', 'nope.txt', '', 'binary.txt'])}`],
  async (dice) => ['--set', dice.pick([setKey(dice), setValue(dice), ''])],
  async (dice, folder) => {
    const name = `v${dice.below(3)}.yaml`;
    await writeFile(join(folder, name), dice.chance(0.7) ? valuesText(dice) : mutated(dice, valuesText(dice)));
    return [dice.pick(['-f', '--values']), name];
  },
];

/** Generates typical values. */
function valuesText(dice: Dice): string {
  const value = (depth: number, indent: string): string => {
    if (depth <= 0 || dice.chance(0.4))
      return ` ${dice.chance(0.7) ? dice.pick(['1', 'true', 'null', '~', 'x', '"y"', '1.5', '[]', '{}', '[a, b]', '{a: 1, b: null}', '1e3']) : JSON.stringify(word(dice))}\n`;
    return `\n${dice.list(1, 3, () => `${indent}  ${dice.pick(['a', 'b', 'c', 'tag', 'enabled', 'global', 'PORT'])}${dice.below(4) || ''}:${value(depth - 1, `${indent}  `)}`).join('')}`;
  };
  return [
    ...new Set(
      dice.list(1, 4, () =>
        dice.pick(wordList`a b l global tags database metrics replicaCount image env service nested common`),
      ),
    ),
  ]
    .map((key) => `${key}:${value(3, '')}`)
    .join('');
}

const others: readonly MakeFlag[] = [
  async (dice) => ['--namespace', dice.pick(['shop', '', 'x'.repeat(64), 'A', 'kube-system', word(dice)])],
  async (dice) => [
    '--kube-version',
    dice.pick(['1.22', 'v1.30.1', '1', 'x', '', '1.31.0-rc.1', '1.25.3+k3s1', 'v1.20.x', word(dice)]),
  ],
  async (dice) => ['--api-versions', dice.pick(['apps/v1', 'a/v1,b/v1/Kind', '', ',', word(dice)])],
  async (dice) => [
    '--show-only',
    dice.pick([
      ...wordList`templates/service.yaml templates/*.yaml templates/nope.yaml templates/** [ crds/x.yaml ../x`,
      '',
      word(dice),
    ]),
  ],
  async (dice) => [
    '--name-template',
    dice.pick(['x{{ 1 }}', '{{ randAlpha 0 }}y', '{{', '{{ fail "x" }}', 'UPPER', '', '{{ .x }}', word(dice)]),
  ],
  // Arguments that look like a global flag, as the value of another flag or after its letter.
  async (dice) => [
    dice.pick(['--set', '--set-string', '--set-literal', '-a', '-f', '--version', '--kube-context', '-ga', '--labels']),
    dice.pick(wordList`-n=x -nx=1 --namespace=y -n -- -h -v=x -v=3 --qps=x ---a=1 -an=b -=1`),
    ...dice.pick([[], ['-n', 'z'], ['extra']]),
  ],
  async (dice) => [
    `-${dice.pick(['f', 'a', 's', 'l', 'g'])}${dice.pick(['new.yaml', 'v.yaml', 'n', 'n=x', 'vn', 'an=x'])}`,
  ],
  async (dice) => [
    dice.pick(wordList`
      --include-crds --skip-crds --no-hooks --skip-tests --is-upgrade --skip-schema-validation --debug
      --render-subchart-notes
    `),
  ],
  async (dice) => [
    `--${dice.pick(['include-crds', 'no-hooks', 'skip-tests', 'is-upgrade', 'debug'])}=${dice.pick(['true', 'false', '1', '0', 'T', 'x', ''])}`,
  ],
  async (dice) => ['--dry-run', ...dice.pick([[], ['client'], ['server']])],
  async (dice) => [
    dice.pick(wordList`
      --wait --atomic --create-namespace --dependency-update=false --devel --disable-openapi-validation --force --nope -x
      --set
    `),
  ],
  async (dice) => [
    dice.pick(['--timeout', '--version', '--history-max', '--description', '--labels', '--kube-context']),
    dice.pick(['1', 'x', '5m', 'a=b', '']),
  ],
  async (dice) => [dice.pick(['extra', '--', '-', ''])],
];

async function makeCommand(seed: number, tools: Tools, onlyValues: boolean): Promise<Command> {
  const dice = new Dice(seed);
  const folder = join(tools.folder, 'flags');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'v.yaml'), 'a: 1\n');
  await writeFile(join(folder, 'new.yaml'), 'a: 2\n');
  await writeFile(join(folder, 'binary.txt'), new Uint8Array([0x61, 0xff, 0x0a, 0xc3, 0xa9]));
  const flags: string[] = [];
  for (let count = 1 + dice.below(onlyValues ? 4 : 3); count > 0; count--) {
    const makers = onlyValues || dice.chance(0.3) ? setters : others;
    flags.push(...(await dice.pick(makers)(dice, folder)));
  }
  const name =
    onlyValues || dice.chance(0.85) ? 'demo' : dice.pick(['', 'UPPER', 'a b', '-x', 'x'.repeat(54), '1', 'a.b', 'é']);
  const chart = join(chartsDirectory, dice.pick(onlyValues ? charts : [...charts, 'nope', 'broken-syntax']));
  const args = ['template', name, chart, ...flags].map((word) => word.replaceAll('\u0000', ''));
  return {
    args: args.filter((word) => !/\p{Cs}/u.test(word)),
    cwd: folder,
    about: 'in a folder with v.yaml, binary.txt and the generated values files',
  };
}

/** Command lines with flags of every kind. */
export const flags: Family = {
  name: 'flags',
  about: 'command lines with valid and invalid flags of template',
  batch: 50,
  share: 1,
  run: (job, tools) => runCommands(job, tools, (seed) => makeCommand(seed, tools, false)),
};

/** Command lines with values files and every kind of --set. */
export const values: Family = {
  name: 'values',
  about: 'values files combined with every kind of --set',
  batch: 50,
  share: 2,
  run: (job, tools) => runCommands(job, tools, (seed) => makeCommand(seed, tools, true)),
};
