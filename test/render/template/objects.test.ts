// Named Go types in templates: structs, pointers, named maps and slices, bytes.

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  func,
  GoError,
  type GoFunc,
  type GoMap,
  GoObject,
  type GoValue,
  NamedMap,
  stringSlice,
  typedSlice,
} from '../../../render/go/value.ts';
import { createSet } from '../../support/evaluate.ts';

class Machine extends GoObject {
  override readonly type: string;
  override readonly kind: 'struct' | 'ptr';
  readonly #members: ReadonlyMap<string, GoValue>;

  constructor(kind: 'struct' | 'ptr', members: Record<string, GoValue>) {
    super();
    this.kind = kind;
    this.type = kind === 'ptr' ? '*pkg.Machine' : 'pkg.Machine';
    this.#members = new Map(Object.entries(members));
  }

  override fields(): ReadonlyMap<string, GoValue> {
    return this.#members;
  }

  override layout(): ReadonlyMap<string, GoValue> {
    return new Map([...this.#members, ['hidden', 1]]);
  }

  override get embedded(): readonly string[] {
    return ['Base'];
  }

  override method(name: string): GoFunc | undefined {
    if (name === 'Join') return func(['string', 'int'], (text, count) => text.repeat(count));
    if (name === 'Break') {
      return func([], () => {
        throw new GoError('broken');
      });
    }
    return name === 'Self' ? func([], () => this) : undefined;
  }
}

/** A struct whose `String` method has a pointer receiver: an action calls it, a function does not. */
class Label extends GoObject {
  override readonly type = 'pkg.Label';

  override fields(): ReadonlyMap<string, GoValue> {
    return new Map([['Text', 'x']]);
  }

  override method(name: string): GoFunc | undefined {
    return name === 'String' ? func([], () => 'label') : undefined;
  }
}

function data(): GoMap {
  const base = new Machine('struct', { Deep: 'down' });
  const has = new Map([['Has', func(['string'], (item) => item === 'a')]]);
  return new Map<string, GoValue>([
    ['struct', new Machine('struct', { Name: 'm', Base: base })],
    ['pointer', new Machine('ptr', { Name: 'p', Base: base })],
    ['label', new Label()],
    ['files', new NamedMap(new Map([['f', new Uint8Array([104, 105])]]), 'engine.files', undefined, '[]uint8')],
    ['texts', new NamedMap(new Map([['a', 'b']]), 'map[string]string')],
    ['set', typedSlice('pkg.Set', ['a', 'b'], has)],
    ['strings', stringSlice(['s'])],
  ]);
}

const rows: readonly (readonly [text: string, want: string])[] = [
  ['{{ .struct.Name }} {{ .pointer.Name }} {{ .struct.Deep }} {{ .struct.Base.Deep }}', 'm p down down'],
  ['{{ .struct.Join "ab" 2 }} {{ 3 | .pointer.Join "x" }} {{ .struct.Self.Self.Name }}', 'abab xxx m'],
  ['{{ (.struct.Self).Name }} {{ $m := .struct }}{{ $m.Self.Name }}', 'm m'],
  ['{{ .struct.name }}', "1:10 <.struct.name>: can't evaluate field name in type interface {}"],
  ['{{ .struct.hidden }}', '1:10 <.struct.hidden>: hidden is an unexported field of struct type interface {}'],
  ['{{ (.struct).nope }}', "1:4 <.struct>: can't evaluate field nope in type pkg.Machine"],
  ['{{ .struct.Base.nope }}', "1:10 <.struct.Base.nope>: can't evaluate field nope in type pkg.Machine"],
  ['{{ .struct.Self.nope }}', "1:10 <.struct.Self.nope>: can't evaluate field nope in type pkg.Machine"],
  ['{{ .pointer.Self.nope }}', "1:11 <.pointer.Self.nope>: can't evaluate field nope in type *pkg.Machine"],
  ['{{ .struct.Name 1 }}', '1:10 <.struct.Name>: Name has arguments but cannot be invoked as function'],
  ['{{ .struct.Join "a" }}', '1:10 <.struct.Join>: wrong number of args for Join: want 2 got 1'],
  ['{{ .struct.Join "a" "b" }}', '1:20 <"b">: expected integer; found "b"'],
  ['{{ .struct.Break }}', '1:10 <.struct.Break>: error calling Break: broken'],
  ['{{ print .struct.Break 1 }}', '1:16 <.struct.Break>: error calling Break: broken'],
  ['{{ .label }} {{ print .label }}', 'label {x}'],
  ['{{ range .struct }}{{ end }}', "1:9 <.struct>: range can't iterate over {m {down 1} 1}"],
  ['{{ range .pointer }}{{ end }}', "1:9 <.pointer>: range can't iterate over {p {down 1} 1}"],
  ['{{ len .pointer }}', '1:3 <len .pointer>: error calling len: len of type pkg.Machine'],
  ['{{ index .pointer 1 }}', "1:3 <index .pointer 1>: error calling index: can't index item of type pkg.Machine"],
  ['{{ eq .pointer .pointer }} {{ eq .struct .struct }} {{ eq .struct nil }}', 'true true false'],
  ['{{ .files.f }} {{ .files.nope }} {{ index .files "nope" }} {{ index .files "f" 1 }}', '[104 105] [] [] 105'],
  ['{{ .files.f.x }}', "1:9 <.files.f.x>: can't evaluate field x in type []uint8"],
  ['{{ set .files "a" 1 }}', '1:7 <.files>: wrong type for value; expected map[string]interface {}; got engine.files'],
  [
    '{{ range .files.f }}{{ . }},{{ end }}{{ range $i, $b := .files.f }}{{ $i }}{{ typeOf $b }}{{ end }}',
    '104,105,0uint81uint8',
  ],
  ['{{ range .files.f }}{{ .x }}{{ end }}', "1:23 <.x>: can't evaluate field x in type uint8"],
  ['{{ .texts.a }}{{ .texts.nope }}{{ index .texts "nope" }}|', 'b|'],
  ['{{ .texts.a.x }}', "1:9 <.texts.a.x>: can't evaluate field x in type string"],
  [
    '{{ get .texts "a" }}',
    '1:7 <.texts>: wrong type for value; expected map[string]interface {}; got map[string]string',
  ],
  ['{{ .set.Has "a" }} {{ "b" | .set.Has }} {{ len .set }} {{ index .set 1 }}', 'true false 2 b'],
  ['{{ range .set }}{{ .x }}{{ end }}', "1:19 <.x>: can't evaluate field x in type string"],
  ['{{ range $s := .strings }}{{ $s.x }}{{ end }}', "1:31 <$s.x>: can't evaluate field x in type string"],
  ['{{ .strings.x }}', "1:11 <.strings.x>: can't evaluate field x in type interface {}"],
];

test('structs, pointers and named types', () => {
  for (const [text, want] of rows) {
    const set = createSet();
    set.parse('t', text);
    let got: string;
    try {
      got = set.execute('t', data());
    } catch (error) {
      got = (error as Error).message.replace(/^template: t:(\d+:\d+): executing "t" at /, '$1 ');
    }
    equal(got, want, text);
  }
});
