// Prints a script in POSIX sh.

import { commentText } from '../output/comment.ts';
import { helpersFor } from './helpers.ts';
import {
  type Branch,
  type Call,
  type Condition,
  hasAttempts,
  type Input,
  type Part,
  type PartCall,
  type Script,
  type ScriptOption,
  type ScriptWord,
  type Step,
  variableOf,
  verbsOf,
} from './steps.ts';
import { freeMarker, hereDocument, shellQuote } from './words.ts';

/** Gives the text of a script. */
export function printShell(script: Script): string {
  const body = [...script.parts.map((part) => printPart(part)), printDispatch(script)].join('\n');
  const roots = [
    'fail',
    'finish',
    'stop',
    'chosen',
    'work_on',
    ...verbsOf(script),
    ...(hasAttempts(script) ? ['attempt', 'is_there'] : []),
  ];
  const helpers = helpersFor('sh', roots);
  const options = printOptions(script);
  const main = printMain(script, `${helpers}\n${body}\n${options}`);
  return [printHead(script), helpers, options, body, main].join('\n');
}

// The trap stands first: a script that was cut off ends with an error, wherever that was.
function printHead(script: Script): string {
  const width = Math.max(...script.options.map(({ flag, value }) => `${flag} ${value}`.trim().length), 10);
  const lines = script.options.map(({ flag, value, help }) => `  ${`${flag} ${value}`.trim().padEnd(width)} ${help}\n`);
  return `#!/bin/sh
# shellcheck disable=SC1003,SC1112,SC2016,SC2034 # words of the order stand in single quotes, whatever they hold
trap 'echo "error: the script is not complete" >&2; exit 2' EXIT
${script.title.map((line) => `# ${commentText(line)}\n`).join('')}set -eu
# Only the complete last line hands this word on: a script that was cut off does nothing.
set -- complete "$@"

usage() {
  cat <<'USAGE'
${script.summary}

${lines.join('')}  ${'-h, --help'.padEnd(width)} print this text
USAGE
}
`;
}

function printOptions({ options, names, context }: Script): string {
  return `# known NAME: stops where no package has this name.
known() {
  case $1 in
${names.map((name) => `    ${shellQuote(name)}) ;;\n`).join('')}    *) fail 2 "no package is named '$1' (try --help)" ;;
  esac
}

# read_options WORDS: reads the command line.
read_options() {
  while [ "$#" -gt 0 ]; do
    case $1 in
      --*=*)
        option=\${1%%=*}
        value=\${1#*=}
        shift
        set -- "$option" "$value" "$@"
        continue
        ;;
      -h | --help)
        usage
        exit 0
        ;;
${options
  .filter(({ value }) => value === '')
  .map(({ flag }) => `      ${flag}) ${variableOf(flag)}=yes ;;\n`)
  .join('')}      ${options
    .filter(({ value }) => value !== '')
    .map(({ flag }) => flag)
    .join(' | ')})
        [ "$#" -gt 1 ] || fail 2 "$1 needs a value"
        case $1 in
${options
  .filter(({ value }) => value !== '')
  .map((option) => printOption(option, context))
  .join('')}        esac
        shift
        ;;
      *) fail 2 "unknown option '$1' (try --help)" ;;
    esac
    shift
  done
}
`;
}

function printOption({ flag, value }: ScriptOption, context: string): string {
  const variable = variableOf(flag);
  if (flag === '--only')
    return '          --only)\n            known "$2"\n            only="$only $2"\n            ;;\n';
  if (flag === '--from') return '          --from)\n            known "$2"\n            from=$2\n            ;;\n';
  if (flag === '--context' && context !== '') {
    return `          --context) [ "$2" = ${shellQuote(context)} ] || fail 2 'this script is for the context '${shellQuote(context)} ;;\n`;
  }
  if (value !== 'SECONDS' && value !== 'NUMBER') return `          ${flag}) ${variable}=$2 ;;\n`;
  const what = value === 'SECONDS' ? 'a number of seconds' : 'a number';
  return `          ${flag})
            case $2 in
              '' | 0* | *[!0-9]* | ???????*) fail 2 "${flag} takes ${what}, not '$2'" ;;
            esac
            ${variable}=$2
            ;;
`;
}

function printPart({ name, steps, isLenient }: Part): string {
  return `${name}() {\n${printSteps(steps, '  ', isLenient === true)}}\n`;
}

function printDispatch({ choices }: Script): string {
  const cases = choices.map(
    ({ number, namespace, release, part }) =>
      `    ${number}) if chosen ${shellQuote(namespace)} ${shellQuote(release)}; then ${part}; fi ;;\n`,
  );
  return `# work_on NUMBER: works on a package, if it is chosen.
work_on() {
  case $1 in
${cases.join('')}  esac
}
`;
}

function printSteps(steps: readonly Step[], indent: string, isLenient: boolean): string {
  return steps.length === 0 ? `${indent}:\n` : steps.map((step) => printStep(step, indent, isLenient)).join('');
}

function printStep(step: Step, indent: string, isLenient: boolean): string {
  if ('steps' in step) return printBranch(step, indent, isLenient);
  const end = isLenient && step.isAttempt !== true ? ' || return' : '';
  if ('part' in step) return `${indent}${attempted(step)}${step.part}${end}\n`;
  return `${indent}${printCall(step, end)}\n`;
}

function attempted({ isAttempt }: Call | PartCall): string {
  return isAttempt === true ? 'attempt ' : '';
}

function printCall(call: Call, end: string): string {
  const { input } = call;
  const words = (call.words ?? []).map(printWord);
  const command = [`${attempted(call)}${call.do}`, ...(input === undefined ? [] : [markerOf(input)]), ...words].join(
    ' ',
  );
  if (input === undefined || input.file !== '') return `${command}${end}`;
  const document = hereDocument(input.text, input.marker, 'sh');
  const line = document.indexOf('\n');
  return `${command} ${document.slice(0, line)}${end}${document.slice(line)}`;
}

function markerOf({ text, marker, file }: Input): string {
  return file === '' ? freeMarker(text.endsWith('\n') ? text : `${text}\n`, marker) : '-';
}

/** Gives a word as sh reads it. */
function printWord(word: ScriptWord): string {
  if (typeof word === 'string') return shellQuote(word);
  return word.map((part) => (typeof part === 'string' ? shellQuote(part) : `"$${part.setting}"`)).join('');
}

function printBranch({ when, steps }: Branch, indent: string, isLenient: boolean): string {
  return `${indent}if ${printCondition(when)}; then\n${printSteps(steps, `${indent}  `, isLenient)}${indent}fi\n`;
}

function printCondition(when: Condition): string {
  if ('option' in when) return `[ "$${variableOf(when.option)}" = ${when.isOn ? 'yes' : 'no'} ]`;
  if ('mode' in when) return `[ "$mode" = ${when.mode} ]`;
  if ('chosen' in when) return `chosen ${shellQuote(when.chosen.namespace)} ${shellQuote(when.chosen.release)}`;
  if ('namespace' in when) return `is_there ${shellQuote(when.namespace)}`;
  return '[ "$attempt_code" -eq 0 ]';
}

// What the functions of helpers/ keep; only what a script mentions is set.
const variables: Readonly<Record<string, string>> = {
  json: 'no',
  dry_run: 'no',
  diff: 'no',
  differs: 'no',
  force_conflicts: 'no',
  parallel: '1',
  prune_data: 'no',
  prune_packages: 'no',
  unlock: 'no',
  marks: '',
  skip_hooks: 'no',
  marker: '-',
  mode: 'install',
  work: '',
  summary: '',
  step: '',
  doomed: '',
  doomed_namespace: '',
  waiting: '',
  chosen_from: '',
  manager: 'drydock',
  pids: '',
  child: '',
  logger: '',
  starting: 'no',
  caught: '',
  permitted: '',
  almighty: '',
  repositories: 'unread',
  first_failure: '0',
  told: ' ',
  attempt_code: '0',
};

function printMain(script: Script, text: string): string {
  const fallbacks = new Map(Object.entries(variables));
  for (const { flag, fallback } of script.options) fallbacks.set(variableOf(flag), fallback);
  fallbacks.set('total', String(script.choices.length));
  fallbacks.set('rendered_for', script.kubeVersion);
  const steps = printSteps(script.main, '  ', false);
  const own = new Set(script.options.map(({ flag }) => variableOf(flag)));
  const settings = [...fallbacks].filter(
    ([name]) => name !== 'context' && (own.has(name) || mentions(`${text}\n${steps}`, name)),
  );
  const context =
    script.context === '' ? (script.readsHelmContext ? '$' + '{HELM_KUBECONTEXT-}' : '') : shellQuote(script.context);
  return `main() {
${settings.map(([name, value]) => `  ${name}=${value === '' ? '' : shellQuote(value)}\n`).join('')}  context=${context}
${script.hasFiles ? `  here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)\n` : ''}  exec 4>&2
  trap finish EXIT
  [ "\${1-}" = complete ] || fail 2 'the script is not complete'
  shift
  read_options "$@"
${fallbacks.has('charts') ? `  charts=$(CDPATH='' cd -- "$charts" && pwd)\n` : ''}  trap 'stop 129' HUP
  trap 'stop 130' INT
  trap 'stop 143' TERM
${steps}}

main "$@"
`;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\$\\{?${name}(?![A-Za-z0-9_])`).test(text);
}
