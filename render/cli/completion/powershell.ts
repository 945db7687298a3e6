// The completion script for PowerShell, 5.1 and later.

import type { OfferedCommand, OfferedFlag, Offers } from './model.ts';

/** Returns the script. */
export function powershellScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completion of drydock for PowerShell: add it to the file $PROFILE

Register-ArgumentCompleter -Native -CommandName drydock -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${commands.map(({ name, about }) => `    ${quote(name)} = ${quote(about)}`).join('\n')}
  }
  $values = @{
${['', ...names].map((name, at) => valueTable(name, at === 0 ? leading : (commands[at - 1]?.flags ?? []))).join('\n')}
  }
  $flags = @{
${['', ...names].map((name, at) => flagTable(name, at === 0 ? leading : (commands[at - 1]?.flags ?? []))).join('\n')}
  }
  $words = @{
${commands.map(({ name, offers }) => `    ${quote(name)} = ${listOf(offers)}`).join('\n')}
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
    .flatMap(({ name: flag, short, offers }) =>
      [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])].map(
        (word) => `      ${quote(word)} = ${listOf(offers)}`,
      ),
    );
  return `    ${quote(name)} = @{\n${rows.join('\n')}\n    }`;
}

// Hashtable keys are case-insensitive, so letters that differ only in case are left out.
function flagTable(name: string, flags: readonly OfferedFlag[]): string {
  const rows = flags.map(({ name: flag, about }) => `      ${quote(`--${flag}`)} = ${quote(about || flag)}`);
  return `    ${quote(name)} = @{\n${rows.join('\n')}\n    }`;
}

function listOf(offers: Offers): string {
  return typeof offers === 'string' ? '@()' : `@(${offers.map(quote).join(', ')})`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
