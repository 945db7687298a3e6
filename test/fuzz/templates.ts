// Generates templates: control structures, whitespace, comments, definitions, variables, and templates with a few changed characters.

import { type Dice, wordList } from '../support/dice.ts';
import { bounded, expression } from './expressions.ts';
import { mutated, quoted } from './words.ts';

const texts = ['a', ' ', '\n', ' \n ', 'x: ', '- y\n', '\t', '', '}', '{', '#', '\r\n', 'é', '}} ', '"', '{ {', '  '];
const simple = [
  ...wordList`
    . $ .Values.l .Values.m .Values.s .Values.none $x $y .Values.em "t" 0 nil true .a .b.c $.Values.i 3 .Values.lm $x.a
    .Values.el
  `,
  '(list 1 2 3)',
  '(dict "a" 1 "b" 2)',
  '(until 3)',
  '(index .Values.l 1)',
  'not .',
];

function pipe(dice: Dice): string {
  return dice.chance(0.75) ? dice.pick(simple) : expression(dice);
}

const open = (dice: Dice): string => dice.pickEarly(['{{ ', '{{- ', '{{', '{{-\n', '{{-', '{{ \n']);
const close = (dice: Dice): string => dice.pickEarly([' }}', ' -}}', '}}', '\n-}}', '-}}', ' \t}}']);

interface Context {
  readonly dice: Dice;
  readonly id: number;
  readonly inRange: boolean;
}

function action(context: Context, text: string): string {
  return open(context.dice) + text + close(context.dice);
}

function declaration(dice: Dice): string {
  return dice.pick(['$x := ', '$y := ', '$x = ', '$ := ', '$x, $y := ', '$y = ', '$z := ', '$x:=', '$x , $y = ']);
}

function list(context: Context, depth: number): string {
  return context.dice.list(0, 3, () => node(context, depth)).join('');
}

function branch(context: Context, depth: number): string {
  const { dice } = context;
  const word = dice.pick(['if', 'with', 'range', 'range', 'if']);
  const inner = { ...context, inRange: context.inRange || word === 'range' };
  const heads = `${word} ${dice.chance(word === 'range' ? 0.4 : 0.15) ? declaration(dice) : ''}${pipe(dice)}`;
  let text = action(context, heads) + list(inner, depth - 1);
  if (dice.chance(0.2))
    text +=
      action(context, `else ${dice.pick(['if', 'with', 'range', 'if'])} ${pipe(dice)}`) + list(context, depth - 1);
  if (dice.chance(0.35)) text += action(context, 'else') + list(context, depth - 1);
  return text + action(context, 'end');
}

function named(context: Context, depth: number): string {
  const { dice, id } = context;
  const name = quoted(`${dice.pick(['t', 'u', 'v'])}${id}`);
  return dice.pick([
    () => action(context, `define ${name}`) + list({ ...context, inRange: false }, depth - 1) + action(context, 'end'),
    () => action(context, `block ${name} ${pipe(dice)}`) + list(context, depth - 1) + action(context, 'end'),
    () => action(context, `template ${name}${dice.chance(0.7) ? ` ${pipe(dice)}` : ''}`),
    () => action(context, `include ${name} ${pipe(dice)}`),
    () =>
      action(
        context,
        `tpl ${quoted(list({ ...context, id: -1 }, depth - 1))} ${dice.pick(['.', '$', '.Values', '(dict)', pipe(dice)])}`,
      ),
    () => action(context, `include (print $.Template.BasePath "/nope") .`),
  ])();
}

function node(context: Context, depth: number): string {
  const { dice } = context;
  const roll = dice.next();
  if (roll < 0.25 || depth <= 0) return dice.pick(texts);
  if (roll < 0.5) return action(context, pipe(dice));
  if (roll < 0.58) return action(context, declaration(dice) + pipe(dice));
  if (roll < 0.8) return branch(context, depth);
  if (roll < 0.9) return named(context, depth);
  if (roll < 0.94)
    return dice.pick([
      '{{/* c */}}',
      '{{- /* c */ -}}',
      '{{/**/}}',
      '{{- /* a\nb */}}',
      '{{ /* c */}}',
      '{{/* c }}',
      '{{/* c */ }}',
      '{{- /*c*/ }}',
    ]);
  if (roll < 0.97 && (context.inRange || dice.chance(0.1))) return action(context, dice.pick(['break', 'continue']));
  return dice.pick([
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

/** Generates a template of nested structures. `id` makes the names of its definitions unique. */
export function drawTemplate(dice: Dice, id: number): string {
  const context: Context = { dice, id, inRange: false };
  const whole = dice.list(1, 4, () => node(context, 3)).join('');
  const drawn = bounded(dice.chance(0.3) ? mutated(dice, whole) : whole);
  return /\p{Cs}/u.test(drawn) || drawn.includes('\u0000') ? 'x' : drawn;
}
