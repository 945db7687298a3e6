# Names the owner of the fields that are applied.
function Set-Manager([string[]]$Words) {
  $script:Manager = $Words[0]
}

# Applies on the server, so that large objects fit and every field keeps its owner.
function Invoke-Apply([string[]]$Words, [string]$Document = '') {
  if ($Diff) {
    Show-Difference $Words $Document
    return
  }
  $all = @('apply', '--server-side', "--field-manager=$($script:Manager)") + $Words
  if ($ForceConflicts) { $all += '--force-conflicts' }
  Invoke-Persist 'kubectl' $all $Document
}

# Prints what applying the document would change.
function Show-Difference([string[]]$Words, [string]$Document) {
  $all = @('diff', '--server-side', "--field-manager=$($script:Manager)", '--force-conflicts') + $Words
  $code = Invoke-Code 'kubectl' $all (Format-Filled $Document)
  if ($code -eq 1) { $script:Differs = $true }
  if ($code -gt 1) { Write-Warn "$($script:Step): this difference cannot be shown, it may be that its namespace or type is not there yet" }
}

# Creates objects that the server names.
function Invoke-Create([string[]]$Words, [string]$Document = '') {
  if ($Diff) {
    $script:Differs = $true
    Write-Step 'would create an object under a name that the server gives'
    return
  }
  Invoke-Persist 'kubectl' (@('create') + $Words) $Document
}

# Applies an object that holds random values, unless it is there already.
function Invoke-Keep([string[]]$Words, [string]$Document = '') {
  $target = $Words[0]
  $source = $Words[1]
  $place = @($Words | Select-Object -Skip 2)
  if (-not $DryRun -and (Get-Answer 'kubectl' (@('get', $target) + $place + @('--ignore-not-found', '-o', 'name'))) -ne '') {
    Write-Step "$target is there and keeps its random values"
    return
  }
  Invoke-Apply ($place + @('-f', $source)) $Document
}

# Applies a namespace unless it is there; stops where it is going away.
function Confirm-Namespace([string[]]$Words, [string]$Document) {
  $phase = ''
  if (-not $DryRun) {
    $phase = Get-Answer 'kubectl' @('get', 'namespace', $Words[0], '--ignore-not-found', '-o', 'jsonpath={.status.phase}')
  }
  if ($phase -eq 'Terminating') { Stop-Script 1 "namespace $($Words[0]) is being deleted" }
  if ($phase -eq '') { Invoke-Apply @('-f', '-') $Document }
}

# Deletes an object of a hook, which may be absent.
function Remove-Hook([string[]]$Words) {
  Invoke-Tool 'kubectl' (@('delete') + $Words + @('--ignore-not-found', "--timeout=${TimeoutSeconds}s"))
}

# Has an object deleted if the script fails from here on.
function Add-Doomed([string[]]$Words) {
  $script:Doomed = $Words[0]
  $script:DoomedNamespace = $Words[1]
}

# What was doomed stays.
function Clear-Doomed {
  $script:Doomed = ''
}

# Waits until a hook has run; stops at once where it failed.
function Wait-Hook([string[]]$Words) {
  $target, $namespace, $done, $failed = $Words
  $base = @('wait', $target, '--namespace', $namespace)
  if ($DryRun) {
    Invoke-Tool 'kubectl' ($base + @("--for=$done", "--timeout=${TimeoutSeconds}s"))
    return
  }
  $script:Waiting = $namespace
  $rounds = [int][Math]::Floor($TimeoutSeconds / 5) + 1
  while ($true) {
    $code = Invoke-Silent 'kubectl' ($base + @("--for=$done", '--timeout=5s'))
    if ($code -eq 0) {
      $script:Waiting = ''
      return
    }
    $text = $script:Message
    if ($text -notmatch 'timed out') { $rounds = 0 }
    if ($rounds -gt 0 -and (Invoke-Silent 'kubectl' ($base + @("--for=$failed", '--timeout=1s'))) -eq 0) {
      Invoke-Silent 'kubectl' @('logs', $target, '--namespace', $namespace, '--all-containers', '--tail=20') | Out-Null
      Write-Step $script:Message
      Stop-Script 1 "hook $target failed"
    }
    $rounds -= 1
    if ($rounds -lt 1) { Stop-Script $code $text }
  }
}

# Waits until a workload runs as it was applied.
function Wait-Rollout([string[]]$Words) {
  $script:Waiting = $Words[1]
  Invoke-Tool 'kubectl' @('rollout', 'status', $Words[0], '--namespace', $Words[1], "--timeout=${TimeoutSeconds}s")
  $script:Waiting = ''
}

# Waits for objects that are there.
function Wait-Object([string[]]$Words) {
  $script:Waiting = $Words[0]
  $targets = @($Words | Select-Object -Skip 2)
  Invoke-Tool 'kubectl' (@('wait') + $targets + @('--namespace', $Words[0], $Words[1], "--timeout=${TimeoutSeconds}s"))
  $script:Waiting = ''
}

# Waits until a load balancer has an address.
function Wait-Address([string[]]$Words) {
  $base = @('get', $Words[0], '--namespace', $Words[1], '-o', 'jsonpath={.status.loadBalancer.ingress}')
  if ($DryRun) {
    Invoke-Tool 'kubectl' $base
    return
  }
  $script:Waiting = $Words[1]
  $rounds = [int][Math]::Floor($TimeoutSeconds / 2) + 1
  while ($true) {
    if ((Get-Answer 'kubectl' $base) -ne '') {
      $script:Waiting = ''
      return
    }
    $rounds -= 1
    if ($rounds -lt 1) { Stop-Script 1 "$($Words[0]) has no address" }
    Start-Sleep -Seconds 2
  }
}

# Stops where this user may not do something to objects of a type; asks nobody who may do everything.
function Assert-Permission([string[]]$Words) {
  if ($script:Almighty -eq '') {
    Invoke-Silent 'kubectl' @('auth', 'can-i', '*', '*', '--all-namespaces') | Out-Null
    $script:Almighty = "$($script:Answer) "
  }
  if ($script:Almighty -match "^yes") { return }
  foreach ($verb in @($Words | Select-Object -Skip 2)) {
    $asked = "$verb $($Words[0]) $($Words[1])"
    if ($script:Permitted -ccontains $asked) { continue }
    $script:Permitted += $asked
    $code = Invoke-Silent 'kubectl' @('auth', 'can-i', $verb, $Words[0], $Words[1])
    if ($code -ne 0 -and $script:Answer -match '(?m)^no( |$)') { Stop-Script $code "this user may not $verb $($Words[0]) ($($Words[1]))" }
    if ($code -ne 0) { Stop-Script $code "the cluster does not say whether this user may $verb $($Words[0]) ($($Words[1])): $($script:Message)" }
  }
}

# Gives the words of lists with commas, each once.
function Join-Words([string[]]$Lists) {
  return (@(($Lists -join ',') -split ',' | Where-Object { $_ -ne '' } | Sort-Object -Unique -CaseSensitive) -join ',')
}

# Reads what an earlier run applied, and writes down what may be applied now. The inventory is an ApplySet of kubectl:
# a ConfigMap names the kinds, every object has its label.
function Open-Inventory([string[]]$Words) {
  $script:SetId, $script:SetNamespace, $script:SetName, $script:SetKinds, $script:SetSpaces, $script:SetOrder = $Words
  $script:Mode = 'install'
  if ($DryRun) {
    Write-Inventory $script:SetKinds $script:SetSpaces 'no'
    return
  }
  $live = Get-Answer 'kubectl' @('get', 'configmap', $script:SetName, '--namespace', $script:SetNamespace, '--ignore-not-found', '-o', 'jsonpath={.metadata.annotations.applyset\.kubernetes\.io/contains-group-kinds}|{.metadata.annotations.applyset\.kubernetes\.io/additional-namespaces}|{.metadata.annotations.drydock\.dev/installed}')
  $parts = @("$live||" -split '\|')
  $installed = 'no'
  if ($parts[2] -eq 'yes') {
    $script:Mode = 'upgrade'
    $installed = 'yes'
  }
  $script:KnownKinds = Join-Words @($script:SetKinds, $parts[0])
  $script:KnownSpaces = Join-Words @($script:SetSpaces, $parts[1])
  if (-not $Diff) { Write-Inventory $script:KnownKinds $script:KnownSpaces $installed }
}

# Writes the ConfigMap of the inventory.
function Write-Inventory([string]$Kinds, [string]$Spaces, [string]$Installed) {
  $document = @"
apiVersion: v1
kind: ConfigMap
metadata:
  name: "$($script:SetName)"
  labels:
    applyset.kubernetes.io/id: "$($script:SetId)"
    drydock.dev/order: "$($script:SetOrder)"
  annotations:
    applyset.kubernetes.io/tooling: drydock/v1
    applyset.kubernetes.io/contains-group-kinds: "$Kinds"
    applyset.kubernetes.io/additional-namespaces: "$Spaces"
    drydock.dev/installed: "$Installed"
"@
  Invoke-Persist 'kubectl' @('apply', '--server-side', "--field-manager=$($script:Manager)", '--force-conflicts', '--namespace', $script:SetNamespace, '-f', '-') $document
}

# Lists objects of the inventory as TYPE NAMESPACE NAME, without those that are kept or that another object owns.
function Get-Members {
  $types = $script:KnownKinds.ToLowerInvariant()
  $found = @()
  foreach ($space in (Join-Words @($script:SetNamespace, $script:KnownSpaces)) -split ',') {
    $code = Get-Types $types $space
    if ($code -eq 0) {
      $found += @($script:Answer -split "`n")
    } else {
      # A type that the cluster no longer has fails the whole list.
      foreach ($type in $types -split ',') {
        $code = Get-Types $type $space
        if ($code -eq 0) { $found += @($script:Answer -split "`n") }
        elseif ($script:Message -notmatch "doesn't have a resource type") { Stop-Script $code $script:Message }
      }
    }
  }
  $members = @()
  foreach ($line in $found) {
    $api, $kind, $space, $name, $owner, $policy = $line -split '\|'
    if ("$name" -eq '' -or $owner -ne '' -or $policy -eq 'keep') { continue }
    $type = $kind.ToLowerInvariant()
    if ($api -match '/') { $type = $type + '.' + ($api -replace '/.*', '') }
    if ($space -eq '') { $space = '-' }
    $members += "$type $space $name"
  }
  return @($members | Sort-Object -Unique -CaseSensitive)
}

# Lists the objects of some types that carry the label of the inventory; gives the exit code.
function Get-Types([string]$Types, [string]$Namespace) {
  return (Invoke-Silent 'kubectl' @('get', $Types, '--namespace', $Namespace, '--selector', "applyset.kubernetes.io/part-of=$($script:SetId)", '--ignore-not-found', '-o', 'jsonpath={range .items[*]}{.apiVersion}|{.kind}|{.metadata.namespace}|{.metadata.name}|{.metadata.ownerReferences[0].kind}|{.metadata.annotations.helm\.sh/resource-policy}{"\n"}{end}'))
}

# Deletes what an earlier run applied and the order no longer has. The document names what it has, as lines of
# TYPE NAMESPACE NAME. Claims, custom resource definitions and namespaces are asked about first.
function Remove-Stale([string[]]$Words, [string]$Document = '') {
  if ($DryRun) {
    Write-Host "# then what has the label applyset.kubernetes.io/part-of=$($script:SetId) and is no longer in the order is deleted"
    return
  }
  $wanted = @($Document -split "`n" | ForEach-Object { $_.Trim() })
  foreach ($line in @(Get-Members)) {
    if ($wanted -ccontains $line) { continue }
    $type, $space, $name = $line -split ' '
    Remove-Pruned $type $space $name
  }
}

# Deletes one object that the order no longer has.
function Remove-Pruned([string]$Type, [string]$Namespace, [string]$Name) {
  $what = "$Type/$Name"
  $place = @()
  if ($Namespace -ne '-') {
    $what = "$what of namespace $Namespace"
    $place = @('--namespace', $Namespace)
  }
  if ($Diff) {
    $script:Differs = $true
    Write-Step "would delete $what"
    return
  }
  if (@('persistentvolumeclaim', 'customresourcedefinition.apiextensions.k8s.io', 'namespace') -ccontains $Type -and -not (Test-Agreed $PruneData "delete $what, and with it what it holds?")) {
    Write-Warn "$what is no longer in the order and stays: -PruneData deletes it"
    return
  }
  Write-Step "deletes $what, which is no longer in the order"
  Invoke-Tool 'kubectl' (@('delete', "$Type/$Name") + $place + @('--ignore-not-found', "--timeout=${TimeoutSeconds}s"))
}

# Deletes the packages that an earlier run installed and the order no longer has; asks first. The document names those that
# it has, as lines of NAMESPACE NAME ID. A run of some packages alone leaves all others.
function Remove-Packages([string[]]$Words, [string]$Document = '') {
  $script:Step = 'packages that are no longer in the order'
  if ($Only.Count -gt 0 -or $script:ChosenFrom -ne '') { return }
  $wanted = @($Document -split "`n" | ForEach-Object { $_.Trim() })
  $code = Invoke-Silent 'kubectl' @('get', 'configmap', '--all-namespaces', '--selector', "drydock.dev/order=$($Words[0])", '-o', 'jsonpath={range .items[*]}{.metadata.namespace} {.metadata.name} {.metadata.labels.applyset\.kubernetes\.io/id}{"\n"}{end}')
  if ($code -ne 0) {
    Write-Warn "packages that are no longer in the order cannot be looked for: $($script:Message)"
    return
  }
  foreach ($line in @($script:Answer -split "`n")) {
    if ($line.Trim() -eq '' -or $wanted -ccontains $line.Trim()) { continue }
    $space, $name, $id = $line.Trim() -split ' '
    Remove-GonePackage $space $name $id
  }
}

# Deletes a package by its inventory, without its claims, definitions and namespaces.
function Remove-GonePackage([string]$Namespace, [string]$Name, [string]$Id) {
  $title = "package $Namespace/$($Name -replace '^drydock-', '')"
  if ($Diff) {
    $script:Differs = $true
    Write-Step "would delete $title"
    return
  }
  if (-not (Test-Agreed $PrunePackages "delete ${title}, which is no longer in the order?")) {
    Write-Warn "$title is no longer in the order and stays: -PrunePackages deletes it"
    return
  }
  Write-Step "deletes ${title}, which is no longer in the order; its volume claims, definitions and namespaces stay"
  Clear-Inventory @($Id, $Namespace, $Name)
}

# Asks whoever runs the script, unless the answer is yes; nobody there means no.
function Test-Agreed([bool]$Answer, [string]$Question) {
  if ($Answer) { return $true }
  if ([Console]::IsInputRedirected -or -not [Environment]::UserInteractive) { return $false }
  return (Read-Host "$Question [y/N]") -match '^y(es)?$'
}

# Writes down that everything is applied, and of which kinds it is.
function Close-Inventory {
  if (-not $Diff) { Write-Inventory $script:SetKinds $script:SetSpaces 'yes' }
}

# Tells whether something would change; 1 where it would, as kubectl diff has it.
function Stop-Difference {
  if (-not $Diff) { return }
  $script:Step = ''
  $script:IsOver = $true
  if ($script:Differs) {
    Write-Step 'there are differences'
    $script:ExitCode = 1
  } else {
    Write-Step 'no difference'
  }
}

# Prints the notes of a chart at the end.
function Write-Notes([string[]]$Words, [string]$Document = '') {
  if (-not $DryRun) { [Console]::Out.WriteLine($Document) }
}
