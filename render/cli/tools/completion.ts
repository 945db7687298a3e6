// `drydock completion`: prints a completion script for a shell. The script calls `drydock completion words=TYPED -- WORD…`, which lists the
// completions of the word that is being typed, after the words before it.

import { didYouMean } from '../../core/suggest.ts';
import { type FlagSpec, type ParsedFlags, UsageError } from '../flags.ts';
import { type CommandContext, findCommand, type Program } from '../program.ts';
import { overviewFlags } from '../table/shared.ts';
import { shells } from '../table/tools.ts';

const requestPrefix = 'words=';

/** Prints the script of a shell, or the completions that a script requests. Returns 0. Throws UsageError. */
export async function completionCommand({ args }: ParsedFlags, { program, stdout }: CommandContext): Promise<number> {
  const [word = '', ...more] = args;
  const shell = shells.find((name) => name === (word === 'pwsh' ? 'powershell' : word));
  if (word.startsWith(requestPrefix)) stdout(await completionsOf(program, word.slice(requestPrefix.length), more));
  else if (shell !== undefined && more.length === 0) stdout(completionScripts[shell]);
  else throw new UsageError(`"drydock completion" takes one of ${shells.join(', ')}${didYouMean(word, shells)}`);
  return 0;
}

/** Completions, each with its description; or paths. */
type Offers = 'files' | 'folders' | readonly (readonly [word: string, about: string])[];

const helpFlag: FlagSpec = { name: 'help', short: 'h', type: 'bool', help: 'print help' };

/** Returns a line for each completion: the word, a tab, and what it means; or the line `:files` or `:folders`. */
async function completionsOf(program: Program, typed: string, before: readonly string[]): Promise<string> {
  // bash splits words at "=".
  const at = before.findIndex(
    (word, i) =>
      !/^(?:-|=$)/.test(word) && before[i - 1] !== '=' && valueFlag(overviewFlags, before[i - 1]) === undefined,
  );
  const entry = at < 0 ? undefined : findCommand(program, before[at]!);
  if (at >= 0 && entry === undefined) return '';
  const spec = await entry?.spec(before.slice(at + 1));
  const flags = spec === undefined ? overviewFlags : [...spec.flags, ...(spec.ignoredFlags ?? []), helpFlag];
  const names = program.commands.map(({ heading }) => [heading.name, heading.summary] as const);
  const [, prefix = '', name] = /^(--([^=]*)=)/.exec(typed) ?? [];
  const joined = before.at(-1) === '=' ? flags.find((flag) => `--${flag.name}` === before.at(-2)) : undefined;
  const flag = flags.find((one) => one.name === name) ?? joined ?? valueFlag(flags, before.at(-1));
  let offers: Offers;
  if (flag !== undefined) offers = wordsOf(flag.words ?? flag.offers ?? []);
  else if (typed.startsWith('-'))
    offers = flags.flatMap((one) => spellings(one).map((word) => [word, one.help] as const));
  else if (spec === undefined || spec.name === 'help') offers = names;
  else offers = wordsOf(spec.offers === 'none' ? [] : spec.offers);
  if (typeof offers === 'string') return `:${offers}\n`;
  const lines = offers.map(([word, about]) => `${prefix}${word}\t${about}\n`);
  return lines.filter((line) => line.startsWith(typed)).join('');
}

function wordsOf(offers: 'files' | 'folders' | readonly string[]): Offers {
  return typeof offers === 'string' ? offers : offers.map((word) => [word, ''] as const);
}

function spellings({ name, short }: FlagSpec): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

// The flag whose value follows a word. pflag reads an optional value only after `=`.
function valueFlag(flags: readonly FlagSpec[], word = ''): FlagSpec | undefined {
  const flag = flags.find((one) => spellings(one).includes(word));
  return flag?.type === 'bool' || flag?.bare !== undefined ? undefined : flag;
}

/** The scripts. bash needs no bash-completion, and may be the 3.2 of macOS; PowerShell must be 5.1 or later. */
export const completionScripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# Completion of drydock for bash: save it as ~/.local/share/bash-completion/completions/drydock

_drydock() {
  local cur=\${COMP_WORDS[COMP_CWORD]} count=$((COMP_CWORD - 1)) line
  # bash splits words at "=".
  if [[ $cur == "=" ]]; then cur= count=$COMP_CWORD; fi
  COMPREPLY=()
  while IFS= read -r line; do
    local IFS=$'\\n'
    case $line in
      :files) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null ;;
      :folders) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(drydock completion "words=$cur" -- "\${COMP_WORDS[@]:1:count}" 2>/dev/null)
}

complete -F _drydock drydock
`,
  zsh: `#compdef drydock
# Completion of drydock for zsh: save it as _drydock in a folder of $fpath

_drydock() {
  local line
  local -a offered
  for line in "\${(@f)$(drydock completion "words=$PREFIX" -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    case $line in
      :files) compset -P '--*='; _files; return ;;
      :folders) compset -P '--*='; _path_files -/; return ;;
      ?*) offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe drydock offered
}

if [[ $funcstack[1] == _drydock ]]; then _drydock "$@"; else compdef _drydock drydock; fi
`,
  fish: `# Completion of drydock for fish: save it as ~/.config/fish/completions/drydock.fish

function __drydock_complete
  set -l typed (commandline -ct)
  set -l before (commandline -opc)
  set -l offered (drydock completion "words=$typed" -- $before[2..] 2>/dev/null)
  set -l prefix (string match -r '^--[^=]*=' -- "$typed")
  set -l path (string replace -r '^--[^=]*=' '' -- "$typed")
  switch "$offered[1]"
    case :files
      printf "$prefix%s\\n" (__fish_complete_path "$path")
    case :folders
      printf "$prefix%s\\n" (__fish_complete_directories "$path" '')
    case '*'
      printf '%s\\n' $offered
  end
end

complete -c drydock -f -a '(__drydock_complete)'
`,
  powershell: `# Completion of drydock for PowerShell: add it to the file $PROFILE

Register-ArgumentCompleter -Native -CommandName drydock -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  # Nothing leaves the word to PowerShell, which completes paths.
  drydock completion "words=$wordToComplete" '--' @before 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $word, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
  }
}
`,
};
