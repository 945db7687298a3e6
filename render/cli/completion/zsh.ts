// The completion script for zsh, based on its `_arguments`.

import type { OfferedCommand, OfferedFlag, Offers } from './model.ts';

/** Returns the script. */
export function zshScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
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
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}

if [[ $funcstack[1] == _drydock ]]; then _drydock "$@"; else compdef _drydock drydock; fi
`;
}

function commandCase({ name, flags, offers }: OfferedCommand): string {
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

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
