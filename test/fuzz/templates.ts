// Draws templates: control structures, white space, comments, definitions, variables, and texts with a few wrong characters.

import type { Dice } from './dice.ts';
import { bounded, expression } from './expressions.ts';
import { mutated, quoted } from './words.ts';

const texts = ['a', ' ', '\n', ' \n ', 'x: ', '- y\n', '\t', '', '}', '{', '#', '\r\n', 'é', '}} ', '"', '{ {', '  '];
const simple = [
  '.',
  '$',
  '.Values.l',
  '.Values.m',
  '.Values.s',
  '.Values.none',
  '$x',
  '$y',
  '.Values.em',
  '(list 1 2 3)',
  '(dict "a" 1 "b" 2)',
  '"t"',
  '0',
  'nil',
  'true',
  '(until 3)',
  '.a',
  '.b.c',
  '$.Values.i',
  '3',
  '.Values.lm',
  '(index .Values.l 1)',
  '$x.a',
  'not .',
  '.Values.el',
];

function pipe(dice: Dice): string {
  return dice.chance(0.75) ? dice.of(simple) : expression(dice);
}

const open = (dice: Dice): string => dice.early(['{{ ', '{{- ', '{{', '{{-\n', '{{-', '{{ \n']);
const close = (dice: Dice): string => dice.early([' }}', ' -}}', '}}', '\n-}}', '-}}', ' \t}}']);

interface Scene {
  readonly dice: Dice;
  readonly id: number;
  readonly inRange: boolean;
}

function action(scene: Scene, text: string): string {
  return open(scene.dice) + text + close(scene.dice);
}

function declaration(dice: Dice): string {
  return dice.of(['$x := ', '$y := ', '$x = ', '$ := ', '$x, $y := ', '$y = ', '$z := ', '$x:=', '$x , $y = ']);
}

function list(scene: Scene, depth: number): string {
  return scene.dice.some(0, 3, () => node(scene, depth)).join('');
}

function branch(scene: Scene, depth: number): string {
  const { dice } = scene;
  const word = dice.of(['if', 'with', 'range', 'range', 'if']);
  const inner = { ...scene, inRange: scene.inRange || word === 'range' };
  const heads = `${word} ${dice.chance(word === 'range' ? 0.4 : 0.15) ? declaration(dice) : ''}${pipe(dice)}`;
  let text = action(scene, heads) + list(inner, depth - 1);
  if (dice.chance(0.2))
    text += action(scene, `else ${dice.of(['if', 'with', 'range', 'if'])} ${pipe(dice)}`) + list(scene, depth - 1);
  if (dice.chance(0.35)) text += action(scene, 'else') + list(scene, depth - 1);
  return text + action(scene, 'end');
}

function named(scene: Scene, depth: number): string {
  const { dice, id } = scene;
  const name = quoted(`${dice.of(['t', 'u', 'v'])}${id}`);
  return dice.of([
    () => action(scene, `define ${name}`) + list({ ...scene, inRange: false }, depth - 1) + action(scene, 'end'),
    () => action(scene, `block ${name} ${pipe(dice)}`) + list(scene, depth - 1) + action(scene, 'end'),
    () => action(scene, `template ${name}${dice.chance(0.7) ? ` ${pipe(dice)}` : ''}`),
    () => action(scene, `include ${name} ${pipe(dice)}`),
    () =>
      action(
        scene,
        `tpl ${quoted(list({ ...scene, id: -1 }, depth - 1))} ${dice.of(['.', '$', '.Values', '(dict)', pipe(dice)])}`,
      ),
    () => action(scene, `include (print $.Template.BasePath "/nope") .`),
  ])();
}

function node(scene: Scene, depth: number): string {
  const { dice } = scene;
  const roll = dice.next();
  if (roll < 0.25 || depth <= 0) return dice.of(texts);
  if (roll < 0.5) return action(scene, pipe(dice));
  if (roll < 0.58) return action(scene, declaration(dice) + pipe(dice));
  if (roll < 0.8) return branch(scene, depth);
  if (roll < 0.9) return named(scene, depth);
  if (roll < 0.94)
    return dice.of([
      '{{/* c */}}',
      '{{- /* c */ -}}',
      '{{/**/}}',
      '{{- /* a\nb */}}',
      '{{ /* c */}}',
      '{{/* c }}',
      '{{/* c */ }}',
      '{{- /*c*/ }}',
    ]);
  if (roll < 0.97 && (scene.inRange || dice.chance(0.1))) return action(scene, dice.of(['break', 'continue']));
  return dice.of([
    '{{ end }}',
    '{{ else }}',
    '{{}}',
    '{{ }}',
    '{{--}}',
    '{{- -}}',
    '{{ .. }}',
    '{{ "a" | }}',
    '{{ (1) }}',
    '{{ $q }}',
    '{{ 1 2 }}',
    '{{"\\q"}}',
    "{{ 'ab' }}",
    '{{ .a.b.c.1 }}',
    '{{ `r\naw` }}',
    '{{ 1.x }}',
    '{{ nil }}',
    '{{ ) }}',
    '{{ a }}',
    '{{ - 1 }}',
    '{{ -1 }}',
    '{{ 5i }}',
  ]);
}

/** Draws a template of nested structures; `id` makes the names of its definitions unique. */
export function drawTemplate(dice: Dice, id: number): string {
  const scene: Scene = { dice, id, inRange: false };
  const whole = dice.some(1, 4, () => node(scene, 3)).join('');
  const drawn = bounded(dice.chance(0.3) ? mutated(dice, whole) : whole);
  return /\p{Cs}/u.test(drawn) || drawn.includes('\u0000') ? 'x' : drawn;
}
