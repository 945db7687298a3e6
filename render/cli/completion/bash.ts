// The completion script for bash. It does not need bash-completion, and runs in the bash 3.2 of macOS.

import type { OfferedCommand, OfferedFlag, Offers } from './model.ts';

/** Returns the script. */
export function bashScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
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
      const separate = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
      const pattern = [...(takesValue ? separate : []), `--${name}=`].join('|');
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
  return flags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]).join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
