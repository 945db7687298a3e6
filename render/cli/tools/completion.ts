// `drydock completion`: a script with which a shell completes what follows `drydock`.

import { didYouMean } from '../../core/suggest.ts';
import { type FlagSpec, type ParsedFlags, UsageError } from '../flags.ts';
import { allSpecs, type CommandContext, type Program } from '../program.ts';
import type { CommandSpec } from '../table/command.ts';
import { overviewFlags } from '../table/shared.ts';
import { shells } from '../table/tools.ts';

export type Shell = (typeof shells)[number];

type Writer = (commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]) => string;

const writers: Readonly<Record<Shell, Writer>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Prints the script of a shell. Returns 0. Throws UsageError. */
export async function completionCommand({ args }: ParsedFlags, { program, stdout }: CommandContext): Promise<number> {
  const [word = '', ...more] = args;
  const shell = shells.find((name) => name === (word === 'pwsh' ? 'powershell' : word));
  if (shell === undefined || more.length > 0) {
    throw new UsageError(`"drydock completion" takes one of ${shells.join(', ')}${didYouMean(word, shells)}`);
  }
  stdout(await completionScript(program, shell));
  return 0;
}

export async function completionScript(program: Program, shell: Shell): Promise<string> {
  return writers[shell](offeredCommands(await allSpecs(program)), overviewFlags.map(offeredFlag));
}

// The completions after `drydock`: commands, flags and their values, from the flag tables.

/** The completions of a value: paths, or these words; `none` if unknown. */
export type Offers = 'files' | 'folders' | 'none' | readonly string[];

interface OfferedFlag {
  readonly name: string;
  readonly short: string | undefined;
  readonly about: string;
  /** Whether the next word is its value. */
  readonly takesValue: boolean;
  readonly offers: Offers;
}

interface OfferedCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly OfferedFlag[];
  readonly offers: Offers;
}

const helpFlag: OfferedFlag = { name: 'help', short: 'h', about: 'print help', takesValue: false, offers: 'none' };

/** Returns the completions of each command. `help` offers the names of all. */
function offeredCommands(specs: readonly CommandSpec[]): readonly OfferedCommand[] {
  const names = specs.map(({ name }) => name);
  return specs.map((spec) => ({
    name: spec.name,
    about: spec.summary,
    flags: [...spec.flags, ...(spec.ignoredFlags ?? [])].map(offeredFlag).concat(helpFlag),
    offers: spec.name === 'help' ? names : spec.offers,
  }));
}

function offeredFlag(flag: FlagSpec): OfferedFlag {
  return {
    name: flag.name,
    short: flag.short,
    about: flag.help,
    // pflag reads the value of a flag with an optional value only after `=`.
    takesValue: flag.type !== 'bool' && flag.bare === undefined,
    offers: flag.words ?? flag.offers ?? 'none',
  };
}

const spellings = ({ name, short }: Pick<OfferedFlag, 'name' | 'short'>): readonly string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

// The completion script for bash. It does not need bash-completion, and runs in the bash 3.2 of macOS.

function bashScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of drydock for bash: save it as ~/.local/share/bash-completion/completions/drydock

_drydock() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= equals= i
  COMPREPLY=()
  # bash splits words at "=".
  if [[ $cur == "=" ]]; then cur= equals="="
  elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]} equals="="; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${leading
        .filter(({ takesValue }) => takesValue)
        .map(({ name }) => `--${name}`)
        .join('|')}) ((i++)) ;;
      -*|=) ;;
      *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
    '')
      case $prev$equals in
${valueCases(leading)}      esac
      _drydock_words ${quote(`${names} ${words(leading)}`)} ;;
${commands.map(commandCase).join('\n')}
  esac
}

_drydock_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_drydock_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2>/dev/null
}

complete -F _drydock drydock
`;
}

function commandCase({ name, flags, offers }: OfferedCommand): string {
  return `    ${name})
      case $prev$equals in
${valueCases(flags)}      esac
      if [[ $cur == -* ]]; then _drydock_words ${quote(words(flags))}
      else ${offer(offers)}; fi ;;`;
}

function valueCases(flags: readonly OfferedFlag[]): string {
  return flags
    .filter(({ takesValue, offers }) => takesValue || offers !== 'none')
    .map(({ name, short, offers, takesValue }) => {
      const pattern = [...(takesValue ? spellings({ name, short }) : []), `--${name}=`].join('|');
      return `        ${pattern}) ${offer(offers)}; return ;;\n`;
    })
    .join('');
}

function offer(offers: Offers): string {
  if (offers === 'files') return '_drydock_paths -f';
  if (offers === 'folders') return '_drydock_paths -d';
  return offers === 'none' ? ':' : `_drydock_words ${quote(offers.join(' '))}`;
}

function words(flags: readonly OfferedFlag[]): string {
  return flags.flatMap(spellings).join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// The completion script for zsh, based on its `_arguments`.

function zshScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
  const names = commands.map(({ name, about }) => `    ${quote(`${escapeColon(name)}:${about}`)}`).join('\n');
  return `#compdef drydock
# Completion of drydock for zsh: save it as _drydock in a folder of $fpath

_drydock() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
${names}
  )
  _arguments -C -A '-*' \\
${leading
  .flatMap(flagSpecs)
  .map((spec) => `    ${spec} \\\n`)
  .join('')}    '(-h --help)'{-h,--help}'[print help]' \\
    '1: :->command' '*:: :->words'
  case $state in
    command) _describe -t commands 'command' commands ;;
    words)
      case $line[1] in
${commands.map(zshCommandCase).join('\n')}
      esac ;;
  esac
}

if [[ $funcstack[1] == _drydock ]]; then _drydock "$@"; else compdef _drydock drydock; fi
`;
}

function zshCommandCase({ name, flags, offers }: OfferedCommand): string {
  const action = actionOf(offers);
  const words = offers === 'none' ? [] : [quote(`*:${name}:${action}`)];
  const lines = [...flags.flatMap(flagSpecs), ...words].join(' \\\n          ');
  return `        ${name})
        _arguments \\
          ${lines} ;;`;
}

// A flag can be repeated, as in pflag.
function flagSpecs({ name, short, about, takesValue, offers }: OfferedFlag): readonly string[] {
  const value = takesValue ? `:value:${actionOf(offers)}` : '';
  const text = `[${about.replaceAll('\\', '\\\\').replaceAll(']', '\\]').replaceAll('[', '\\[').replaceAll(':', '\\:')}]${value}`;
  const long = quote(`*--${name}${takesValue ? '=' : ''}${text}`);
  return short === undefined ? [long] : [long, quote(`*-${short}${takesValue ? '+' : ''}${text}`)];
}

function actionOf(offers: Offers): string {
  if (offers === 'files') return '_files';
  if (offers === 'folders') return '_path_files -/';
  return offers === 'none' ? ' ' : `(${offers.map((word) => word.replaceAll(':', '\\:')).join(' ')})`;
}

function escapeColon(text: string): string {
  return text.replaceAll(':', '\\:');
}

// The completion script for fish.

function fishScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const first = fishQuote(`not __fish_seen_subcommand_from ${names}`);
  const lines = [
    ...commands.map(({ name, about }) => `complete -c drydock -n ${first} -a ${name} -d ${fishQuote(about)}`),
    ...leading.map((flag) => `complete -c drydock -n ${first}${flagWords(flag)}`),
    ...commands.flatMap(({ name, flags, offers }) => {
      const condition = fishQuote(`__fish_seen_subcommand_from ${name}`);
      const seen = `complete -c drydock -n ${condition}`;
      return [
        ...(offers === 'none' ? [] : [`${seen}${offerWords(offers)}`]),
        ...flags.map((flag) => `${seen}${flagWords(flag)}`),
      ];
    }),
  ];
  return `# Completion of drydock for fish: save it as ~/.config/fish/completions/drydock.fish

complete -c drydock -f
${lines.join('\n')}
`;
}

function flagWords({ name, short, about, takesValue, offers }: OfferedFlag): string {
  const letter = short === undefined ? '' : ` -s ${short}`;
  const value = takesValue ? ` -r${offerWords(offers)}` : '';
  return ` -l ${name}${letter}${value} -d ${fishQuote(about)}`;
}

function offerWords(offers: Offers): string {
  if (offers === 'files') return ' -F';
  if (offers === 'folders') return " -f -a '(__fish_complete_directories)'";
  return offers === 'none' ? ' -f' : ` -f -a ${fishQuote(offers.join(' '))}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

// The completion script for PowerShell, 5.1 and later.

function powershellScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completion of drydock for PowerShell: add it to the file $PROFILE

Register-ArgumentCompleter -Native -CommandName drydock -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${commands.map(({ name, about }) => `    ${powerShellQuote(name)} = ${powerShellQuote(about)}`).join('\n')}
  }
  $values = @{
${['', ...names].map((name, at) => valueTable(name, at === 0 ? leading : (commands[at - 1]?.flags ?? []))).join('\n')}
  }
  $flags = @{
${['', ...names].map((name, at) => flagTable(name, at === 0 ? leading : (commands[at - 1]?.flags ?? []))).join('\n')}
  }
  $words = @{
${commands.map(({ name, offers }) => `    ${powerShellQuote(name)} = ${listOf(offers)}`).join('\n')}
  }
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $command = ''
  $previous = ''
  foreach ($word in $before) {
    if ($command -eq '' -and $commands.ContainsKey($word)) { $command = $word }
    $previous = $word
  }
  $offered = @()
  if ($values[$command].ContainsKey($previous)) { $offered = $values[$command][$previous] }
  elseif ($wordToComplete.StartsWith('-')) { $offered = $flags[$command].Keys | Sort-Object }
  elseif ($command -eq '') { $offered = $commands.Keys | Sort-Object }
  else { $offered = $words[$command] }
  # Nothing leaves the word to PowerShell, which completes paths.
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    $about = $_
    if ($flags[$command].ContainsKey($_)) { $about = $flags[$command][$_] }
    elseif ($command -eq '' -and $commands.ContainsKey($_)) { $about = $commands[$_] }
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $about)
  }
}
`;
}

function valueTable(name: string, flags: readonly OfferedFlag[]): string {
  const rows = flags
    .filter(({ takesValue }) => takesValue)
    .flatMap((flag) => spellings(flag).map((word) => `      ${powerShellQuote(word)} = ${listOf(flag.offers)}`));
  return `    ${powerShellQuote(name)} = @{\n${rows.join('\n')}\n    }`;
}

// Hashtable keys are case-insensitive, so letters that differ only in case are left out.
function flagTable(name: string, flags: readonly OfferedFlag[]): string {
  const rows = flags.map(
    ({ name: flag, about }) => `      ${powerShellQuote(`--${flag}`)} = ${powerShellQuote(about || flag)}`,
  );
  return `    ${powerShellQuote(name)} = @{\n${rows.join('\n')}\n    }`;
}

function listOf(offers: Offers): string {
  return typeof offers === 'string' ? '@()' : `@(${offers.map(powerShellQuote).join(', ')})`;
}

function powerShellQuote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
