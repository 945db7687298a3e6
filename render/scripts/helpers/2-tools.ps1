# Stops where a tool is missing.
function Assert-Tool([string[]]$Words) {
  $tool = $Words[0]
  if (-not (Get-Command $tool -ErrorAction SilentlyContinue)) { Stop-Script 1 "$tool is needed and not to be found in PATH" }
}

# Makes an empty folder, so that no folder named like a chart stands in for the chart.
function New-Work {
  $script:Work = Join-Path ([System.IO.Path]::GetTempPath()) ([System.Guid]::NewGuid().ToString())
  New-Item -ItemType Directory -Path $script:Work | Out-Null
  Push-Location -LiteralPath $script:Work
}

# Tells of the empty folder in a dry run.
function Write-Work {
  Write-Host '# in an empty folder:'
}

# Says what the script is about, for its messages.
function Set-Step([string[]]$Words) {
  $script:Step = $Words[0]
}

# Cleans up at the end, whatever the end is; says what failed and why.
function Complete-Script([string]$Failure) {
  # First what needs no tool: after Ctrl-C none may run.
  if ($script:Work -ne '') {
    Pop-Location
    Remove-Item -LiteralPath $script:Work -Recurse -Force
  }
  if ($Failure -ne '') {
    Remove-Doomed
    if ($script:Waiting -ne '') { Write-Reason $script:Waiting }
  }
  if ($Failure -ne '') {
    Write-Line 'error' "error: $Failure"
    if ($script:Step -ne '') { Write-Line 'error' "error: $($script:Step) failed with exit code $($script:ExitCode)" }
  }
}

# Deletes what a failure is to take with it.
function Remove-Doomed {
  if ($script:Doomed -eq '') { return }
  $words = @('delete', $script:Doomed, '--namespace', $script:DoomedNamespace, '--ignore-not-found', "--timeout=${TimeoutSeconds}s")
  $script:Doomed = ''
  if ((Invoke-Code 'kubectl' $words) -ne 0) { Write-Warn 'what a hook made could not be deleted' }
}

# Tells why a wait may have failed: the pods that are not well, and the last warnings.
function Write-Reason([string]$Namespace) {
  if ($DryRun -or -not (Get-Command 'kubectl' -ErrorAction SilentlyContinue)) { return }
  Write-Step "pods of namespace $Namespace that are not running, and its last warnings:"
  Invoke-Silent 'kubectl' @('get', 'pods', '--namespace', $Namespace, '--field-selector=status.phase!=Running,status.phase!=Succeeded') | Out-Null
  Write-Step $script:Message
  Invoke-Silent 'kubectl' @('get', 'events', '--namespace', $Namespace, '--field-selector=type=Warning', '--sort-by=.lastTimestamp', '-o', 'custom-columns=OBJECT:.involvedObject.name,REASON:.reason,MESSAGE:.message') | Out-Null
  Write-Step ((@($script:Message -split "`n") | Select-Object -Last 12) -join "`n")
}

# Stops where a name is given that no package has.
function Test-Names {
  foreach ($name in @($Only) + @($From)) {
    if ($name -ne '' -and $script:Known -cnotcontains $name) { Stop-Script 2 "no package is named '$name'" }
  }
}

# Tells whether a package is to be worked on.
function Test-Chosen([string]$Namespace, [string]$Release) {
  $names = @($Release, "$Namespace/$Release")
  if ($script:From -ne '') {
    if ($names -cnotcontains $script:From) { return $false }
    $script:From = ''
  }
  if ($Only.Count -eq 0) { return $true }
  return [bool]($Only | Where-Object { $names -ccontains $_ })
}

# Remembers with which package to begin, so that choosing can be done twice.
function Save-Choice {
  $script:ChosenFrom = $script:From
}

# Chooses from the beginning again.
function Reset-Choice {
  $script:From = $script:ChosenFrom
}

# Says what comes next.
function Start-Package([string[]]$Words) {
  $script:Step = "package $($Words[1])"
  $script:AttemptCode = 0
  $script:Started = [DateTime]::UtcNow
  Write-Step "[$($Words[0])/$($script:Total)] $($Words[1]) ($($Words[2]))"
}

# Says how long a package took.
function Stop-Package([string[]]$Words) {
  if (-not $DryRun) {
    $took = [int]([DateTime]::UtcNow - $script:Started).TotalSeconds
    Write-Step "$($Words[0]): done in $took s"
    $script:Summary += "$($Words[0]) $took s"
  }
  $script:Step = ''
}

# Says what was done in all.
function Write-Summary {
  $script:Step = ''
  if ($script:Summary.Count -gt 0) { Write-Step "$($script:Summary.Count) of $($script:Total) packages: $($script:Summary -join ', ')" }
  Write-Step 'done'
}

# Works on packages that do not depend on each other, with -Parallel so many at once, each in a PowerShell of its own. A script
# that works on one after the other has no such parameter, and hands them over one by one.
function Invoke-Group([string[]]$Words) {
  if ($Words.Count -lt 2 -or $Parallel -lt 2 -or $DryRun -or "$PSCommandPath" -eq '') {
    foreach ($number in $Words) { Invoke-Package $number }
    return
  }
  $shell = (Get-Process -Id $PID).Path
  $waiting = @($Words)
  while ($waiting.Count -gt 0) {
    $children = @($waiting | Select-Object -First $Parallel | ForEach-Object {
      $name = $script:Packages[[int]$_ - 1]
      $list = @('-NoProfile', '-File', ('"' + $PSCommandPath + '"'), '-Only', $name) + $script:Passed
      $child = Start-Process -FilePath $shell -ArgumentList $list -PassThru -NoNewWindow
      $child.Handle | Out-Null
      $child
    })
    $waiting = @($waiting | Select-Object -Skip $Parallel)
    foreach ($child in $children) { $child.WaitForExit() }
    foreach ($child in $children) {
      if ($child.ExitCode -ne 0) { Stop-Script $child.ExitCode 'not every package of this group could be installed' }
    }
  }
}

# Stops where a file beside this script is not the one it was made with.
function Test-Files {
  foreach ($line in Get-Content -LiteralPath (Join-Path $PSScriptRoot 'SHA256SUMS')) {
    $sum, $name = $line -split '  ', 2
    $found = (Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $PSScriptRoot $name)).Hash
    if ($found -ne $sum) { Stop-Script 1 "$name is not the file this script was made with" }
  }
}

# Says which cluster is meant. In a pod there is a cluster, and no context.
function Write-Context {
  $current = $Context
  if ($current -eq '' -and (Get-Command 'kubectl' -ErrorAction SilentlyContinue)) {
    if ((Invoke-Silent 'kubectl' @('config', 'current-context')) -eq 0) { $current = $script:Answer.Trim() } else { $current = 'none, the cluster this runs in' }
  }
  Write-Step "context: $current"
}

# Asks kubectl and the cluster for their versions.
function Test-Kubectl {
  Test-Server (Get-Answer 'kubectl' @('version'))
}

# Stops where the cluster does not answer, as far as kubectl can tell.
function Test-Reach {
  if (-not (Get-Command 'kubectl' -ErrorAction SilentlyContinue)) { return }
  $code = Invoke-Silent 'kubectl' @('version')
  if ($code -ne 0) { Stop-Script $code $script:Message }
}

# Stops where kubectl or the cluster is too old; warns where everything was rendered for another version.
function Test-Server([string]$Versions) {
  if ($Versions -match 'v1\.(1?[0-9]|2[0-2])\.') { Stop-Script 1 "kubectl and Kubernetes 1.23 or newer are needed; this is $Versions" }
  Compare-Server $Versions
}

# Warns where the cluster is of another version than everything was rendered for, as far as kubectl can tell.
function Test-Cluster {
  if ($DryRun -or -not (Get-Command 'kubectl' -ErrorAction SilentlyContinue)) { return }
  if ((Invoke-Silent 'kubectl' @('version')) -eq 0) { Compare-Server $script:Answer }
}

# Warns where everything was rendered for another version.
function Compare-Server([string]$Versions) {
  $wanted = ($script:RenderedFor -replace '^v', '') -replace '\.[^.]*$', ''
  if ($Versions -match 'Server Version:.*v([0-9]+\.[0-9]+)\.' -and $Matches[1] -ne $wanted) {
    Write-Warn "this was rendered for Kubernetes $wanted, and the cluster is $($Matches[1]): render the order again with that version where it matters"
  }
}

# Stops where a custom resource definition that must be there is not.
function Test-Crd([string[]]$Words) {
  Invoke-Tool 'kubectl' @('get', 'crd', $Words[0], '-o', 'name')
}

# Takes a secret from the environment, or asks for it; documents get it in place of its mark, as base64 or as the inside of
# a JSON string. What was asked for is kept in the environment of this process, for those that it starts.
function Read-Secret([string[]]$Words) {
  $variable, $mark, $form, $title, $source = $Words
  $secret = [Environment]::GetEnvironmentVariable($variable)
  if ("$secret" -eq '' -and $source -eq 'prompt') {
    $secure = Read-Host -AsSecureString "$title ($variable)"
    $secret = (New-Object System.Net.NetworkCredential ('', $secure)).Password
    [Environment]::SetEnvironmentVariable($variable, $secret)
  }
  if ("$secret" -eq '') { Stop-Script 1 "$variable is not set: it gives $title" }
  if ($form -eq 'base64') {
    $secret = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($secret))
  } else {
    $secret = ConvertTo-Json -Compress -InputObject $secret
    $secret = $secret.Substring(1, $secret.Length - 2)
  }
  $script:Marks += @($mark, $secret)
}

# Gives a document with secrets in place of their marks.
function Format-Filled([string]$Document) {
  for ($at = 0; $at -lt $script:Marks.Count; $at += 2) { $Document = $Document.Replace($script:Marks[$at], $script:Marks[$at + 1]) }
  return $Document
}

# Runs a tool on a document, again while the cluster is not ready for it, for two minutes at most. Of what it says the part
# that matches a regular expression is left out.
function Invoke-Persist([string]$Tool, [string[]]$Words, [string]$Document = '', [string]$Unsaid = '') {
  if ($DryRun) {
    Invoke-Tool $Tool $Words $Document
    return
  }
  $filled = Format-Filled $Document
  $rounds = 24
  while ($true) {
    $code = Invoke-Silent $Tool $Words $filled
    $said = $script:Answer
    if ($Unsaid -ne '') { $said = $said -replace $Unsaid, '' }
    Write-Said $said
    # What was changed as it goes away will not be there for long.
    if ($code -eq 0 -and $script:Message -match 'which is currently being deleted') { $code = 1 }
    if ($code -eq 0) { return }
    $rounds -= 1
    $passing = $script:Message -match 'which is currently being deleted|failed calling webhook|failed to call webhook|no endpoints available for service|the server is currently unable to handle the request|no matches for kind|ensure CRDs are installed first|connection refused|TLS handshake timeout|etcdserver: leader changed|too many requests|\(TooManyRequests\)|storage is \(re\)initializing|dial tcp.*i/o timeout'
    if ($rounds -lt 1 -or ($rounds * 5 + $TimeoutSeconds) -lt 120 -or -not $passing) { Stop-Script $code "$Tool failed with exit code $code" }
    Write-Step 'the cluster is not ready for this yet: trying again'
    Start-Sleep -Seconds 5
  }
}

# Repeats a kubectl command while its object does not exist yet, no longer than the timeout; any other failure leaves the script.
function Invoke-Poll([string[]]$Words) {
  if ($DryRun) {
    Invoke-Tool 'kubectl' $Words
    return
  }
  $rounds = [int][Math]::Floor($TimeoutSeconds / 2) + 1
  while ($true) {
    $code = Invoke-Silent 'kubectl' $Words
    if ($code -eq 0) { return }
    $rounds -= 1
    $absent = $script:Message -match "NotFound|not found|no matching resources found|doesn't have a resource type"
    if (-not $absent -or $rounds -lt 1) { Stop-Script $code $script:Message }
    Start-Sleep -Seconds 2
  }
}

# Waits until the API server serves custom resource definitions.
function Wait-Crds([string[]]$Words) {
  Invoke-Poll (@('get', 'crd') + $Words + @('-o', 'name'))
  Invoke-Poll (@('wait', 'crd') + $Words + @('--for=condition=Established', "--timeout=${TimeoutSeconds}s"))
}

# Waits with kubectl for what an order names, which may not exist yet.
function Wait-Order([string[]]$Words) {
  $script:Waiting = $Words[0]
  Invoke-Poll (@('wait') + @($Words | Select-Object -Skip 1))
  $script:Waiting = ''
}
