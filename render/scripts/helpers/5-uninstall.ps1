# Takes a step; a failure is remembered, for its package and for all, and the script goes on.
function Invoke-Attempt([scriptblock]$Block) {
  try {
    & $Block
  } catch {
    if ($script:ExitCode -eq 0) { $script:ExitCode = 1 }
    $script:AttemptCode = $script:ExitCode
    $script:ExitCode = 0
    Write-Warn "$($script:Step): something is left: $($_.Exception.Message)"
    if ($script:FirstFailure -eq 0) { $script:FirstFailure = $script:AttemptCode }
    if ($script:Waiting -ne '') { Write-Reason $script:Waiting }
    $script:Waiting = ''
    Remove-Doomed
  }
}

# Tells whether a namespace is there.
function Test-There([string]$Name) {
  if ($DryRun -or (Invoke-Silent 'kubectl' @('get', 'namespace', $Name, '-o', 'name')) -eq 0) { return $true }
  return $script:Message -notmatch 'NotFound'
}

# Deletes objects; what is absent, or of a type that the cluster does not have, is no failure.
function Remove-Objects([string[]]$Words) {
  $targets = @($Words | Select-Object -Skip 1)
  if ((Remove-Targets $Words[0] $targets) -eq 0) { return }
  foreach ($target in $targets) {
    $code = Remove-Targets $Words[0] @($target)
    if ($code -ne 0 -and $script:Message -notmatch "doesn't have a resource type|no matches for kind|NotFound") { Stop-Script $code $script:Message }
  }
}

# Asks kubectl to delete objects; gives its exit code.
function Remove-Targets([string]$Namespace, [string[]]$Targets) {
  $all = @('delete') + $Targets
  if ($Namespace -ne '-') { $all += @('--namespace', $Namespace) }
  $all += @('--ignore-not-found', "--timeout=${TimeoutSeconds}s")
  if ($DryRun) { return (Invoke-Code 'kubectl' $all) }
  return (Invoke-Silent 'kubectl' $all)
}

# Deletes the claims that carry a label.
function Remove-Claims([string[]]$Words) {
  Invoke-Tool 'kubectl' @('delete', 'pvc', '--namespace', $Words[0], '--selector', $Words[1], '--ignore-not-found', "--timeout=${TimeoutSeconds}s")
}

# Has a stateful set leave its claims when it goes.
function Set-ClaimPolicy([string[]]$Words) {
  if ($DryRun -or (Get-Answer 'kubectl' @('get', $Words[0], '--namespace', $Words[1], '--ignore-not-found', '-o', 'name')) -ne '') {
    Invoke-Tool 'kubectl' @('patch', $Words[0], '--namespace', $Words[1], '--type=merge', '--patch', '{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}')
  }
}

# Deletes what earlier runs applied and the order no longer has, and the inventory itself.
function Clear-Inventory([string[]]$Words) {
  $script:SetId, $script:SetNamespace, $script:SetName = $Words
  if (-not $DryRun) {
    $live = Get-Answer 'kubectl' @('get', 'configmap', $script:SetName, '--namespace', $script:SetNamespace, '--ignore-not-found', '-o', 'jsonpath={.metadata.annotations.applyset\.kubernetes\.io/contains-group-kinds}|{.metadata.annotations.applyset\.kubernetes\.io/additional-namespaces}')
    $parts = @("$live|" -split '\|')
    $script:KnownKinds = $parts[0]
    $script:KnownSpaces = $parts[1]
    if ($script:KnownKinds -ne '') {
      foreach ($line in @(Get-Members)) {
        if ($line -match '^(persistentvolumeclaim|customresourcedefinition\.apiextensions\.k8s\.io|namespace) ') { continue }
        $type, $space, $name = $line -split ' '
        Remove-Objects @($space, "$type/$name")
      }
    }
  }
  Invoke-Tool 'kubectl' @('delete', 'configmap', $script:SetName, '--namespace', $script:SetNamespace, '--ignore-not-found')
}

# Deletes a namespace, unless claims are inside and are to stay.
function Remove-Namespace([string[]]$Words) {
  $name = $Words[0]
  if ($Only.Count -gt 0 -or $script:ChosenFrom -ne '') {
    Write-Warn "namespace $name stays, because packages in it may not have been chosen"
    return
  }
  # Its tool needs what it wrote down there to go on.
  if ($script:FirstFailure -ne 0) {
    Write-Warn "namespace $name stays, because not everything could be removed: run this script again"
    return
  }
  if (-not $DryRun -and -not $DeletePvcs -and (Get-Answer 'kubectl' @('get', 'pvc', '--namespace', $name, '-o', 'name')) -ne '') {
    Write-Warn "namespace $name stays, because it holds volume claims: -DeletePvcs deletes those of the charts"
    return
  }
  Invoke-Tool 'kubectl' @('delete', 'namespace', $name, '--ignore-not-found', "--timeout=${TimeoutSeconds}s")
}

# Lists which of the objects that were to stay are there, each once, and how to delete them.
function Write-Leftover([string[]]$Words) {
  if ($DryRun) { return }
  $targets = @($Words | Select-Object -Skip 1)
  $place = @()
  $where = ''
  if ($Words[0] -ne '-') {
    $place = @('--namespace', $Words[0])
    $where = " --namespace $($Words[0])"
  }
  if (-not (Get-Command 'kubectl' -ErrorAction SilentlyContinue)) {
    Write-Step "may stay: $($targets -join ' ') (kubectl, which could tell, is not in PATH)"
    return
  }
  $code = Invoke-Silent 'kubectl' (@('get') + $targets + $place + @('--ignore-not-found', '-o', 'name'))
  if ($code -ne 0 -and $script:Message -notmatch "doesn't have a resource type|no matches for kind|NotFound") {
    Write-Step $script:Message
    Write-Step "may stay: $($targets -join ' ')"
  }
  foreach ($target in @($script:Answer -split "`n")) {
    if ($code -ne 0 -or $target -eq '' -or $script:Told -ccontains "$target$where") { continue }
    $script:Told += "$target$where"
    Write-Step "stays: $target (kubectl delete $target$where)"
  }
}

# Tells whether everything is gone that should be.
function Stop-Uninstall {
  $script:Step = ''
  if ($script:FirstFailure -ne 0) { Stop-Script $script:FirstFailure 'not everything could be removed' }
  Write-Step 'done'
}
