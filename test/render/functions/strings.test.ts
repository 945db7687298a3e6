import { caseFuncs } from '../../../render/functions/cases.ts';
import { dictFuncs } from '../../../render/functions/dicts.ts';
import { listFuncs } from '../../../render/functions/lists.ts';
import { stringFuncs } from '../../../render/functions/strings.ts';
import { typeFuncs } from '../../../render/functions/types.ts';
import { wrappingFuncs } from '../../../render/functions/wrapping.ts';
import { testRows } from '../../support/evaluate.ts';

const funcs = new Map([...stringFuncs, ...caseFuncs, ...wrappingFuncs, ...listFuncs, ...dictFuncs, ...typeFuncs]);
const values = { i: 3, l: ['a', 'b'], nul: null };

testRows('trimming follows Unicode white space and sets of characters', funcs, [
  ['{{ trim "\\u00a0\\u2003\\ufeff a \\u0085\\v\\f" | quote }}', '"\\ufeff a"'],
  ['{{ trimAll "é😀" "😀éaé😀b😀é" }}', 'aé😀b'],
  ['{{ trimall "-" "--a-b--" }}', 'a-b'],
  ['{{ trimSuffix "-" "hello--" }} {{ trimSuffix "" "x" }}', 'hello- x'],
  ['{{ trimPrefix "-" "--hello" }}', '-hello'],
]);

testRows('lengths and offsets count bytes', funcs, [
  ['{{ trunc 1 "é" | printf "%q" }} {{ trunc -1 "é" | printf "%q" }}', '"\\xc3" "\\xa9"'],
  ['{{ trunc 4 "日本" | printf "%q" }}', '"日\\xe6"'],
  ['{{ trunc 0 "abc" | quote }} {{ trunc -3 "abc" }} {{ trunc -99 "abc" }} {{ trunc 99 "abc" }}', '"" abc abc abc'],
  [
    '{{ substr 0 2 "éa" }} {{ substr 2 -1 "hello" }} {{ substr -1 3 "hello" }} {{ substr 2 99 "hello" }}',
    'é llo hel llo',
  ],
  ['{{ substr 4 2 "hello" }}', 'ERR error calling substr: runtime error: slice bounds out of range [4:2]'],
  ['{{ substr 9 10 "hello" }}', 'ERR error calling substr: runtime error: slice bounds out of range [9:5]'],
  ['{{ substr -1 -2 "hello" }}', 'ERR error calling substr: runtime error: slice bounds out of range [:-2]'],
  [
    '{{ substr -1 9 "hello" }}',
    'ERR error calling substr: runtime error: slice bounds out of range [:9] with length 5',
  ],
  ['{{ abbrev 5 "日本語日本語" | printf "%q" }}', '"\\xe6\\x97..."'],
  ['{{ abbrev 3 "hello world" }}|{{ abbrev 10 "hello" }}|{{ abbrev 5 "hello world" }}', 'hello world|hello|he...'],
  ['{{ abbrevboth 5 10 "1234 5678 9123" }} {{ abbrevboth 0 7 "1234 5678 9123" }}', '...5678... 1234...'],
  ['{{ abbrevboth 5 6 "1234 5678 9123" }} {{ abbrevboth 99 8 "1234 5678 9123" }}', '1234 5678 9123 ... 9123'],
  ['{{ initials "First  try" }} {{ initials "é à" }}', 'Ft ÃÃ'],
  [
    '{{ nospace "a b" }} {{ nospace "a\\u00a0b\\u2003c\\td" | quote }} {{ nospace "à" | quote }}',
    'ab "aÂbâ\\u0080\\u0083cd" "Ã"',
  ],
  ['{{ nospace "é" }}', 'é'],
]);

testRows('lines break at spaces', funcs, [
  ['{{ wrap 5 "hello big world" }}', 'hello\nbig\nworld'],
  ['{{ wrap 5 "superlongword x" }}', 'superlongword\nx'],
  ['{{ wrap 4 "日本 語" }}', '日本\n語'],
  ['{{ wrap 0 "a b" }}|{{ wrap 3 "" }}|{{ wrap 3 "   abcdef" }}', 'a\nb||abcdef'],
  ['{{ wrapWith 3 "|" "superlongword x" }}', 'sup|erl|ong|wor|d x'],
  ['{{ wrapWith 5 "" "hello big world" }}', 'hello\nbig\nworld'],
]);

testRows('quoting and joining leave nil out', funcs, [
  ['{{ quote 1 2.5 true nil "x" "a\\"b" }}', '"1" "2.5" "true" "x" "a\\"b"'],
  ['{{ quote nil }}|{{ quote }}|{{ quote (list) }}', '||"[]"'],
  ['{{ squote "it\'s" nil 1e6 }}', "'it's' '1e+06'"],
  ['{{ cat "a" 1 nil true 2.5 (list 1 2) "z" }}|{{ cat "" "a" "" }}', 'a 1 true 2.5 [1 2] z| a '],
  ['{{ toString nil }} {{ toString (dict "b" 1 "a" (list)) }}', '<nil> map[a:[] b:1]'],
  ['{{ toStrings (list 1 2.5 "a" nil) | printf "%q" }} {{ typeOf (toStrings nil) }}', '["1" "2.5" "a"] []string'],
  ['{{ toStrings 5 }} {{ toStrings nil }}', '[5] []'],
  ['{{ join "," (list 1 "a" nil true) }} {{ join "," "abc" }} {{ join "," nil }}', '1,a,true abc '],
]);

testRows('repeating, replacing and indenting', funcs, [
  ['{{ repeat 2 "é" }}{{ repeat 0 "a" }}', 'éé'],
  ['{{ repeat -1 "a" }}', 'ERR error calling repeat: strings: negative Repeat count'],
  ['{{ indent -1 "a" }}', 'ERR error calling indent: strings: negative Repeat count'],
  ['{{ replace "" "-" "a😀" }} {{ replace "" "-" "" }} {{ replace "a" "$&" "aba" }}', '-a-😀- - $&b$&'],
  ['{{ nindent 2 "a\\n\\nb\\n" | printf "%q" }}', '"\\n  a\\n  \\n  b\\n  "'],
  ['{{ plural "a" "b" 1.0 }}{{ plural "a" "b" 0 }}', 'ab'],
]);

testRows('splitting', funcs, [
  ['{{ split "$" "foo$bar" }} {{ typeOf (split "" "é😀") }}', 'map[_0:foo _1:bar] map[string]string'],
  [
    '{{ splitn "$" 2 "a$b$c" }} {{ splitn "$" 0 "a$b" }} {{ splitn "" 2 "é😀x" }}',
    'map[_0:a _1:b$c] map[] map[_0:é _1:😀x]',
  ],
  [
    '{{ splitList "," "" | len }} {{ splitList "" "" | len }} {{ splitList "," "a,,b," | printf "%q" }}',
    '1 0 ["a" "" "b" ""]',
  ],
  [
    '{{ hasKey (split "," "a") "_0" }}',
    'ERR wrong type for value; expected map[string]interface {}; got map[string]string',
  ],
]);

testRows('sorting goes by bytes, and sorts a list of strings in place', funcs, [
  ['{{ sortAlpha (list "｡" "😀" "é" "z" "Z" "_" 10 9 nil) }}', '[10 9 Z _ z é ｡ 😀]'],
  ['{{ sortAlpha "z" }} {{ sortAlpha nil }}', '[z] [<nil>]'],
  ['{{ $l := splitList "," "b,a" }}{{ $_ := sortAlpha $l }}{{ $l }}', '[a b]'],
  ['{{ $l := list "b" "a" }}{{ $_ := sortAlpha $l }}{{ $l }}', '[b a]'],
]);

testRows('letter case maps one character to one', funcs, [
  ['{{ upper "ßıŉᾀéǆ" }} {{ lower "ÄẞİΣ" }}', 'ßIŉᾈÉǄ äßiσ'],
  ['{{ upper "\\xffa" | printf "%q" }}', '"�A"'],
  ['{{ title "hello wORLD-foo it\'s o_k ǆ ß ა éa" }}', "Hello WORLD-Foo It'S O_k ǅ ß ა Éa"],
  ['{{ untitle "Hello World" }} {{ swapcase "This Is A.Test é" }}', 'hello world tHIS iS a.tEST É'],
]);

testRows('words of camel case', funcs, [
  ['{{ snakecase "HTTPServer" }} {{ snakecase "ab-cd EF_gh1Two" }}', 'http_server ab_cd_ef_gh1_two'],
  [
    '{{ snakecase "HTTP20xOK" }} {{ snakecase "Bld4Floor3rd" }} {{ snakecase "http2xx" }}',
    'http_20x_ok bld4_floor_3rd http_2xx',
  ],
  ['{{ snakecase "aÉb" }} {{ snakecase "a中b" }} {{ snakecase "a.B!1" }} {{ snakecase "" }}', 'a_éb a_中_b a.b!1 '],
  ['{{ snakecase "A\\xffB" | printf "%q" }}', '"a�b"'],
  ['{{ kebabcase "HTTPServer2Go" }} {{ kebabcase "a b_c.d" }} {{ kebabcase "__a" }}', 'http-server2-go a-b-c.d --a'],
  [
    '{{ camelcase "http_server name" }} {{ camelcase "_foo__bar_" }} {{ camelcase "GOLANG_IS" }}',
    'HttpServerName _Foo_Bar_ GolangIs',
  ],
  ['{{ camelcase "fooBARBaz" }} {{ camelcase "__" }} {{ camelcase "a" }} {{ camelcase "" }}', 'FooBARBaz ___ A '],
]);

testRows(
  'arguments must have the Go types',
  funcs,
  [
    ['{{ trunc .Values.i "abc" }}', 'ERR wrong type for value; expected int; got float64'],
    ['{{ contains "a" .Values.nul }}', 'ERR wrong type for value; expected string; got interface {}'],
    ['{{ hasPrefix "a" .Values.l }}', 'ERR wrong type for value; expected string; got []interface {}'],
    ['{{ hasSuffix "b" "ab" }} {{ contains "" "" }} {{ hello }}', 'true true Hello!'],
  ],
  values,
);
