// Templates that grow: what stands in them, what they make, and calls that are no matter of their arguments alone.

import { chart, type GrowthCase, template } from './case.ts';

const many = (name: string, size: number, unit: (index: number) => string): GrowthCase => ({
  name,
  size,
  make: (n) => template(Array.from({ length: n }, (_, index) => unit(index)).join('')),
});

/** Templates that grow. */
export const templates: readonly GrowthCase[] = [
  many('definitions', 100_000, (i) => `{{ define "t${i}" }}a{{ end }}`),
  many('the same definition', 100_000, () => '{{ define "t" }}a{{ end }}'),
  many('variables', 20_000, (i) => `{{ $v${i} := 1 }}`),
  many('the same variable', 50_000, () => '{{ $v := 1 }}'),
  many('actions', 200_000, () => '{{ 1 }}'),
  many('comments', 200_000, () => '{{/* c */}}'),
  many('trimmed actions', 100_000, () => ' {{- 1 -}} '),
  many('conditions side by side', 50_000, () => '{{ if true }}a{{ end }}'),
  many('includes of one', 50_000, (i) => (i === 0 ? '{{ define "t" }}a{{ end }}' : '{{ include "t" . }}')),
  many('templates of one', 50_000, (i) => (i === 0 ? '{{ define "t" }}a{{ end }}' : '{{ template "t" . }}')),
  many('calls of tpl', 5000, () => '{{ tpl "{{ 1 }}" . }}'),
  { name: 'a text alone', size: 8_000_000, make: (n) => template('a'.repeat(n)) },
  { name: 'open braces', size: 2_000_000, make: (n) => template('{'.repeat(n)) },
  { name: 'lines', size: 1_000_000, make: (n) => template('a: b\n'.repeat(n)) },
  { name: 'a comment', size: 4_000_000, make: (n) => template(`{{/*${'a'.repeat(n)}*/}}`) },
  { name: 'a quoted text', size: 2_000_000, make: (n) => template(`{{ $x := "${'a'.repeat(n)}" }}`) },
  { name: 'a raw text', size: 2_000_000, make: (n) => template(`{{ $x := \`${'a'.repeat(n)}\` }}`) },
  { name: 'escapes in a text', size: 500_000, make: (n) => template(`{{ $x := "${'\\n'.repeat(n)}" }}`) },
  { name: 'a number', size: 200_000, make: (n) => template(`{{ $x := ${'1'.repeat(n)} }}`) },
  { name: 'a number with a point', size: 200_000, make: (n) => template(`{{ $x := 0.${'1'.repeat(n)} }}`) },
  { name: 'a field of many names', size: 50_000, make: (n) => template(`{{ $x := dict }}{{ $x${'.a'.repeat(n)} }}`) },
  { name: 'a pipe of many calls', size: 50_000, make: (n) => template(`{{ $x := 1${' | print'.repeat(n)} }}`) },
  { name: 'parentheses', size: 50_000, make: (n) => template(`{{ $x := ${'('.repeat(n)}1${')'.repeat(n)} }}`) },
  { name: 'nested conditions', size: 20_000, make: (n) => template('{{ if 1 }}'.repeat(n) + '{{ end }}'.repeat(n)) },
  { name: 'else if', size: 20_000, make: (n) => template(`{{ if 0 }}${'{{ else if 0 }}'.repeat(n)}{{ end }}`) },
  { name: 'an unclosed action of many lines', size: 200_000, make: (n) => template(`{{ 1 ${'\n'.repeat(n)}`) },
  { name: 'an error at the end', size: 1_000_000, make: (n) => template(`${'a\n'.repeat(n)}{{ nope }}`) },
  { name: 'a failure at the end', size: 1_000_000, make: (n) => template(`${'a\n'.repeat(n)}{{ fail "x" }}`) },
  { name: 'a failure in a long action', size: 200_000, make: (n) => template(`{{ fail (print "${'a'.repeat(n)}") }}`) },
  { name: 'range over numbers', size: 1_000_000, make: (n) => template(`{{ range until ${n} }}a{{ end }}`) },
  {
    name: 'range over pipes of a repeated text',
    size: 1_000_000,
    make: (n) => template(`{{ range splitList "|" (repeat ${n} "|") }}{{ end }}`),
  },
  {
    name: 'range over a text that is none',
    size: 2_000_000,
    make: (n) => template(`{{ range repeat ${n} "|" }}{{ end }}`),
  },
  { name: 'repeat of a float', size: 2_000_000, make: (n) => template(`{{ range repeat ${n}.0 "|" }}{{ end }}`) },
  {
    name: 'a variable that grows',
    size: 20_000,
    make: (n) => template(`{{ $x := "" }}{{ range until ${n} }}{{ $x = print $x "a" }}{{ end }}{{ len $x }}`),
  },
  {
    name: 'a list that grows',
    size: 10_000,
    make: (n) => template(`{{ $x := list }}{{ range until ${n} }}{{ $x = append $x 1 }}{{ end }}{{ len $x }}`),
  },
  { name: 'seq', size: 200_000, make: (n) => template(`{{ $x := seq ${n} }}`) },
  { name: 'until', size: 1_000_000, make: (n) => template(`{{ $x := until ${n} }}`) },
  { name: 'untilStep', size: 1_000_000, make: (n) => template(`{{ $x := untilStep 0 ${n} 1 }}`) },
  { name: 'tpl of many actions', size: 100_000, make: (n) => template(`{{ tpl (repeat ${n} "{{ 1 }}") . | len }}`) },
  {
    name: 'tpl of many definitions',
    size: 20_000,
    make: (n) => template(`{{ tpl (repeat ${n} "{{ define \`a\` }}{{ end }}") . | len }}`),
  },
  {
    name: 'tpl among many definitions',
    size: 300,
    make: (n) =>
      template(
        `${Array.from({ length: n * 10 }, (_, i) => `{{ define "t${i}" }}a{{ end }}`).join('')}${'{{ tpl "{{ 1 }}" . }}'.repeat(n)}`,
      ),
  },
  {
    name: 'concat of two long lists',
    size: 1_000_000,
    make: (n) => template(`{{ $l := until ${n} }}{{ concat $l $l | len }}`),
  },
  {
    name: 'items of a printed list',
    size: 200_000,
    make: (n) =>
      template(`a: {{ until ${n} | toJson | len }} {{ until ${n} | toYaml | len }} {{ until ${n} | print | len }}\n`),
  },
  {
    name: 'a manifest of one long line',
    size: 4_000_000,
    make: (n) => template(`kind: A\na: {{ repeat ${n} "a" }}\n`),
  },
  {
    name: 'a manifest of a long list',
    size: 200_000,
    make: (n) => template(`kind: A\na:\n{{ repeat ${n} "- a\\n" }}\n`),
  },
  {
    name: 'a manifest of deep lists',
    size: 9000,
    make: (n) => template(`kind: A\na: {{ repeat ${n} "[" }}{{ repeat ${n} "]" }}\n`),
  },
  { name: 'documents of a manifest', size: 20_000, make: (n) => template('kind: A\n---\n'.repeat(n)) },
  { name: 'empty documents', size: 300_000, make: (n) => template('---\n'.repeat(n)) },
  {
    name: 'hooks',
    size: 5000,
    make: (n) => template('kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n---\n'.repeat(n)),
  },
  {
    name: 'hook events',
    size: 50_000,
    make: (n) => template(`kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: ${'pre-install,'.repeat(n)}\n`),
  },
  {
    name: 'notes',
    size: 1_000_000,
    make: (n) => chart({ 'templates/NOTES.txt': '{{ 1 }}'.repeat(Math.floor(n / 10)) }, ['--notes']),
  },
  {
    name: 'lines of a file',
    size: 300_000,
    make: (n) =>
      chart({
        'f.txt': 'a\n'.repeat(n),
        'templates/a.yaml':
          'a: {{ .Files.Lines "f.txt" | len }} {{ (.Files.Glob "*").AsConfig | len }} {{ (.Files.Glob "*").AsSecrets | len }}\n',
      }),
  },
  {
    name: 'a glob',
    size: 2000,
    make: (n) => chart({ 'f.txt': 'a', 'templates/a.yaml': `{{ $x := .Files.Glob "${'{a,b}*'.repeat(n)}" }}` }),
  },
  { name: 'getHostByName', size: 200_000, make: (n) => template(`{{ $x := getHostByName (repeat ${n} "a") }}`) },
  { name: 'bcrypt', size: 500_000, make: (n) => template(`{{ $x := htpasswd "a" (repeat ${n} "a" | trunc 70) }}`) },
  {
    name: 'derivePassword',
    size: 100_000,
    make: (n) => template(`{{ $x := derivePassword 1 "long" (repeat ${n} "a") "u" "s" }}`),
  },
  {
    name: 'encryptAES',
    size: 500_000,
    make: (n) => template(`{{ $x := encryptAES "k" (repeat ${n} "a") | decryptAES "k" }}`),
  },
  {
    name: 'buildCustomCert',
    size: 200_000,
    make: (n) => template(`{{ $x := buildCustomCert (repeat ${n} "a" | b64enc) (repeat ${n} "a" | b64enc) }}`),
  },
  {
    name: 'genCA of a long name',
    size: 100_000,
    make: (n) => template(`{{ $x := genCAWithKey (repeat ${n} "a") 1 (genPrivateKey "ed25519") }}`),
  },
  { name: 'randAlphaNum', size: 500_000, make: (n) => template(`{{ $x := randAlphaNum ${n} }}`) },
  { name: 'shuffle', size: 300_000, make: (n) => template(`{{ $x := shuffle (repeat ${n} "a") }}`) },
  {
    name: 'regex of many groups',
    size: 900,
    make: (n) => template(`{{ $x := regexMatch (repeat ${n} "(a)") (repeat ${n} "a") }}`),
  },
  {
    name: 'regex that looks back',
    size: 30_000,
    make: (n) => template(`{{ $x := regexMatch "^(a+)+$" (print (repeat ${n} "a") "b") }}`),
  },
  {
    name: 'regex of alternatives',
    size: 3000,
    make: (n) => template(`{{ $x := regexFindAll "(a|aa|aaa)*b" (repeat ${n} "aa") -1 }}`),
  },
  {
    name: 'regex of nested counts',
    size: 5000,
    make: (n) => template(`{{ $x := regexMatch "(a{1,30}){1,30}b" (repeat ${n} "a") }}`),
  },
  {
    name: 'regexReplaceAll of many',
    size: 300_000,
    make: (n) => template(`{{ $x := regexReplaceAll "(a)(b)?" (repeat ${n} "ab") "\${1}-\${2}" }}`),
  },
];
