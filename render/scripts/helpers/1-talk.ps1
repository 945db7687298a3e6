# Tells what happens, on standard error.
function Write-Step([string[]]$Words) {
  Write-Line 'info' ($Words -join ' ')
}

# Tells what may matter.
function Write-Warn([string]$Text) {
  Write-Line 'warning' "warning: $Text"
}

# Prints a line, with -Json as an object of its own.
function Write-Line([string]$Level, [string]$Text) {
  if ($Json) {
    $Text = ConvertTo-Json -Compress -InputObject ([ordered]@{ time = [DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ssZ'); level = $Level; step = $script:Step; message = $Text })
  }
  [Console]::Error.WriteLine($Text)
}

# Prints what a tool said; with -Json a failure is a line of its own.
function Write-Said([int]$Code, [string]$Text) {
  if ($Text -eq '') { return }
  if ($Json -and $Code -ne 0) { Write-Line 'error' $Text } else { [Console]::Out.WriteLine($Text) }
}

# Leaves the script, or the attempt that is under way.
function Stop-Script([int]$Code, [string]$Message) {
  $script:ExitCode = $Code
  throw $Message
}

# Gives a word so that PowerShell reads it back as it is.
function Format-Word([string]$Word) {
  if ($Word -match '^[A-Za-z0-9_+=:./][A-Za-z0-9_+=:./-]*$|^--?[A-Za-z][A-Za-z-]*(=[A-Za-z0-9_+=:./-]+)?$') { return $Word }
  return "'" + ($Word -replace "['\u2018-\u201b]", '$0$0') + "'"
}

# Gives a word as Windows PowerShell must be handed it: it does not escape double quotes for tools.
function Format-Argument([string]$Word) {
  if ($PSVersionTable.PSVersion -ge [version]'7.3') { return $Word }
  return ($Word -replace '(\\*)"', '$1$1\"')
}

# Adds the context that was chosen to the words of a tool.
function Add-Context([string]$Tool, [string[]]$Words) {
  if ($Context -eq '') { return $Words }
  if ($Tool -eq 'helm') { return $Words + @('--kube-context', $Context) }
  return $Words + @('--context', $Context)
}

# Runs a tool and gives its exit code; prints the command instead in a dry run.
function Invoke-Code([string]$Tool, [string[]]$Words, [string]$Document = '') {
  $all = @(Add-Context $Tool $Words)
  if ($DryRun) {
    $line = (@($Tool) + $all | ForEach-Object { Format-Word $_ }) -join ' '
    if ($Document -eq '') { Write-Host $line } else { Write-Host "@'`n$Document`n'@ | $line" }
    return 0
  }
  if ($Json) {
    $code = Invoke-Silent $Tool $Words $Document
    Write-Said $code $script:Message
    return $code
  }
  $arguments = @($all | ForEach-Object { Format-Argument $_ })
  if ($Document -eq '') { & $Tool @arguments | Out-Host } else { $Document | & $Tool @arguments | Out-Host }
  return $LASTEXITCODE
}

# Runs a tool; its failure leaves the script with its exit code.
function Invoke-Tool([string]$Tool, [string[]]$Words, [string]$Document = '') {
  $code = Invoke-Code $Tool $Words $Document
  if ($code -ne 0) { Stop-Script $code "$Tool failed with exit code $code" }
}

# Runs a tool and keeps all that it says in $script:Message; gives its exit code.
function Invoke-Silent([string]$Tool, [string[]]$Words, [string]$Document = '') {
  $arguments = @(Add-Context $Tool $Words | ForEach-Object { Format-Argument $_ })
  # Windows PowerShell takes what a tool says on standard error for an error once it is redirected.
  $ErrorActionPreference = 'Continue'
  if ($Document -eq '') {
    $lines = @(& $Tool @arguments 2>&1 | ForEach-Object { "$_" })
  } else {
    $lines = @($Document | & $Tool @arguments 2>&1 | ForEach-Object { "$_" })
  }
  $code = $LASTEXITCODE
  $ErrorActionPreference = 'Stop'
  $script:Message = $lines -join "`n"
  return $code
}

# Gives what a tool prints; its failure leaves the script.
function Get-Answer([string]$Tool, [string[]]$Words) {
  $arguments = @(Add-Context $Tool $Words | ForEach-Object { Format-Argument $_ })
  $lines = @(& $Tool @arguments)
  if ($LASTEXITCODE -ne 0) { Stop-Script $LASTEXITCODE "$Tool failed with exit code $LASTEXITCODE" }
  return ($lines -join "`n").Trim()
}
