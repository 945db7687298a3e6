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

# Prints what a tool gave, and what it said last on standard error; with -Json the latter becomes lines of JSON.
function Write-Said([string]$Text) {
  if ($Text -ne '') { [Console]::Out.WriteLine($Text) }
  foreach ($line in $script:Aside) {
    if (-not $Json) { [Console]::Error.WriteLine($line) }
    elseif ($line -match '^error| failed') { Write-Line 'error' $line }
    elseif ($line -match '^warning') { Write-Line 'warning' $line }
    elseif ($line -ne '') { Write-Line 'info' $line }
  }
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
    Write-Said $script:Answer
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

# Runs a tool and keeps all that it says in $script:Message, what it gives in $script:Answer; gives its exit code.
function Invoke-Silent([string]$Tool, [string[]]$Words, [string]$Document = '') {
  return (Read-Tool $Tool @(Add-Context $Tool $Words) $Document)
}

# Runs a tool with these words as they are, and keeps what it says: a warning on standard error is no part of an answer.
function Read-Tool([string]$Tool, [string[]]$Words, [string]$Document = '') {
  $arguments = @($Words | ForEach-Object { Format-Argument $_ })
  # Windows PowerShell takes what a tool says on standard error for an error once it is redirected.
  $ErrorActionPreference = 'Continue'
  if ($Document -eq '') {
    $said = @(& $Tool @arguments 2>&1)
  } else {
    $said = @($Document | & $Tool @arguments 2>&1)
  }
  $code = $LASTEXITCODE
  $ErrorActionPreference = 'Stop'
  # An empty line of standard error has no text but the name of its type.
  $script:Aside = @($said | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] } | ForEach-Object { $_.Exception.Message })
  $script:Answer = @($said | Where-Object { $_ -isnot [System.Management.Automation.ErrorRecord] }) -join "`n"
  $script:Message = @(@($script:Aside) + @($script:Answer) | Where-Object { $_ -ne '' }) -join "`n"
  return $code
}

# Gives what a tool prints; its failure leaves the script.
function Get-Answer([string]$Tool, [string[]]$Words) {
  return (Get-Given $Tool (Invoke-Silent $Tool $Words))
}

# Gives what a tool printed, which ended with a code, and prints what it said besides.
function Get-Given([string]$Tool, [int]$Code) {
  Write-Said ''
  if ($Code -ne 0) { Stop-Script $Code "$Tool failed with exit code $Code" }
  return $script:Answer.Trim()
}
