# Stops where Helm does not know a repository of this name.
function Test-Repository([string[]]$Words) {
  Invoke-Silent 'helm' @('repo', 'list') | Out-Null
  $known = @($script:Answer -split "`n" | ForEach-Object { ($_ -split '\s+')[0] })
  if ($known -cnotcontains $Words[0]) { Stop-Script 1 "Helm does not know the repository $($Words[0]): helm repo add $($Words[0]) URL" }
}

# Stops where Helm is too old, or not the one that the script is for: 3, 4 or any.
function Test-Helm([string[]]$Words) {
  $version = Get-Version
  $major = $Words[0]
  if ($version -notmatch '^v?([0-9]+)\.([0-9]+)\.') { return }
  $found, $minor = [int]$Matches[1], [int]$Matches[2]
  if ($major -ne '4' -and ($found -lt 3 -or ($found -eq 3 -and $minor -lt 8))) {
    Stop-Script 1 "Helm 3.8 or newer is needed; this is $version"
  }
  if ($major -ne 'any' -and $major -ne "$found") {
    Stop-Script 1 "this script is for Helm $major, and this is ${version}: run Helm $major, or make the script anew for yours or for any (--helm)"
  }
}

# Gives the version of Helm, which needs no cluster.
function Get-Version {
  return (Get-Given 'helm' (Read-Tool 'helm' @('version', '--short')))
}

# Installs or upgrades a release, again while a webhook of the cluster comes up.
function Install-Release([string[]]$Words, [string]$Document = '') {
  if (-not $DryRun) {
    Clear-Pending $Words[0] $Words[1]
    Save-Release $Words[0] $Words[1]
  }
  $script:Waiting = $Words[1]
  # The notes come at the end, when everything is there.
  Invoke-Persist 'helm' (@('upgrade', '--install', $Words[0]) + @($Words | Select-Object -Skip 2)) $Document '(?ms)^NOTES:$.*'
  if (-not $DryRun) { Compare-Release $Words[0] $Words[1] }
  $script:Waiting = ''
}

# Keeps what a release is made of before it is upgraded.
function Save-Release([string]$Release, [string]$Namespace) {
  $script:Before = @()
  if (-not (Get-Command 'kubectl' -ErrorAction SilentlyContinue)) { return }
  $code = Invoke-Silent 'helm' @('get', 'manifest', $Release, '--namespace', $Namespace)
  if ($code -eq 0) {
    $script:Before = @(Split-Documents $script:Answer)
  } elseif ($script:Message -notmatch 'not found') {
    Write-Warn "whether Helm removes all that release $Release no longer has will not be seen: $($script:Message)"
  }
}

# Tells what a release had before, has no more, and is still there: Helm passes without a word by what it could not look at or delete.
function Compare-Release([string]$Release, [string]$Namespace) {
  if ($script:Before.Count -eq 0) { return }
  $before = $script:Before
  $code = Invoke-Silent 'helm' @('get', 'manifest', $Release, '--namespace', $Namespace)
  if ($code -eq 0) {
    $after = @(Split-Documents $script:Answer)
    $code = Get-Changed @($before | Where-Object { $after -cnotcontains $_ }) $Namespace
    $had = $script:Listed
    if ($code -eq 0) { $code = Get-Changed @($after | Where-Object { $before -cnotcontains $_ }) $Namespace }
  }
  if ($code -ne 0) {
    Write-Warn "whether Helm removed all that release $Release no longer has cannot be seen: $($script:Message)"
    return
  }
  foreach ($line in $had) {
    if ($script:Listed -ccontains $line) { continue }
    $target, $space = $line -split ' '
    $inside = ''
    $where = ''
    if ("$space" -ne '') {
      $inside = " in $space"
      $where = " --namespace $space"
    }
    Write-Warn "$target$inside stays: release $Release no longer has it, and Helm did not delete it (kubectl delete $target$where)"
  }
}

# Gives the documents of a manifest.
function Split-Documents([string]$Manifest) {
  return @([regex]::Split($Manifest, '(?m)^---.*$') | ForEach-Object { $_.Trim() } | Where-Object { $_ -ne '' -and $_ -notmatch '(?m)^  generateName:' })
}

# Lists in $script:Listed which objects of documents are there, as TARGET NAMESPACE, but for those that are kept or going away; gives
# the exit code.
function Get-Changed([string[]]$Documents, [string]$Namespace) {
  $script:Listed = @()
  $own = @($Documents | Where-Object { $_ -notmatch '(?m)^  namespace:' })
  $named = @($Documents | Where-Object { $_ -match '(?m)^  namespace:' })
  $code = 0
  if ($own.Count -gt 0) { $code = Get-Listed $own @('--namespace', $Namespace) }
  if ($code -eq 0 -and $named.Count -gt 0) { $code = Get-Listed $named @() }
  return $code
}

# Lists which objects of documents are there; gives the exit code.
function Get-Listed([string[]]$Documents, [string[]]$Place) {
  $columns = 'custom-columns=A:.apiVersion,K:.kind,S:.metadata.namespace,N:.metadata.name,P:.metadata.annotations.helm\.sh/resource-policy,D:.metadata.deletionTimestamp'
  $code = Invoke-Silent 'kubectl' (@('get') + $Place + @('--ignore-not-found', '--no-headers', '-f', '-', '-o', $columns)) ("---`n" + ($Documents -join "`n---`n"))
  if ($code -ne 0) { return $code }
  foreach ($line in @($script:Answer -split "`n")) {
    if ($line.Trim() -notmatch '^[^ ]+( +[^ ]+){5}$') { continue }
    $api, $kind, $space, $name, $policy, $going = $line.Trim() -split ' +'
    if ($policy -eq 'keep' -or $going -ne '<none>') { continue }
    $target = $kind.ToLowerInvariant()
    if ($api -match '/') { $target = $target + '.' + ($api -replace '/.*', '') }
    $target = "$target/$name"
    if ($space -ne '<none>') { $target = "$target $space" }
    $script:Listed += $target
  }
  return 0
}

# Deploys with a Helm that applies on the server: with -ForceConflicts it takes over fields that another manager owns.
function Install-AppliedRelease([string[]]$Words, [string]$Document = '') {
  if ($ForceConflicts) { $Words += '--force-conflicts' }
  Install-Release $Words $Document
}

# Prints the notes of a release.
function Write-ReleaseNotes([string[]]$Words) {
  $script:Step = "package $($Words[1])/$($Words[0])"
  Write-Step $Words[2]
  Invoke-Tool 'helm' @('get', 'notes', $Words[0], '--namespace', $Words[1])
}

# Stops where an operation on a release was interrupted, or its uninstallation came to no end; with -Unlock that is forgotten.
function Clear-Pending([string]$Release, [string]$Namespace) {
  $pending = Get-Answer 'helm' @('list', '--pending', '--uninstalling', '--namespace', $Namespace, '--filter', "^$Release`$", '--short')
  if ($pending -eq '') { return }
  if (-not $Unlock) {
    Stop-Script 1 "an operation on release $Release of namespace $Namespace was interrupted, or still runs: when it runs no more, run this script with -Unlock"
  }
  Assert-Tool 'kubectl'
  Write-Step "forgets the interrupted operation on release $Release; its objects stay and are taken over"
  Invoke-Tool 'kubectl' @('delete', 'secret', '--namespace', $Namespace, '--selector', "owner=helm,name=$Release,status in (pending-install,pending-upgrade,pending-rollback,uninstalling)")
}

# Fetches the archive of a chart; stops where it is not the one of a sealed order.
function Get-Sealed([string[]]$Words) {
  $place, $digest, $label = $Words[0..2]
  Invoke-Tool 'helm' (@('pull') + @($Words | Select-Object -Skip 3) + @('--destination', $place))
  if ($DryRun) {
    Write-Host "Move-Item $place/*.tgz $place.tgz"
    Write-Host "(Get-FileHash -Algorithm SHA256 $place.tgz).Hash -eq '$($digest.Substring(7))'"
    return
  }
  Get-ChildItem -LiteralPath $place | Move-Item -Destination "$place.tgz"
  $found = 'sha256:' + (Get-FileHash -Algorithm SHA256 -LiteralPath "$place.tgz").Hash.ToLowerInvariant()
  if ($found -cne $digest) {
    Stop-Script 1 "chart $label is not the one that the order is sealed with: its archive has $found, not $digest"
  }
}

# Applies what a chart has in crds/, which Helm itself installs once and never upgrades.
function Update-ChartCrds([string[]]$Words) {
  $apply = @('apply', '--server-side', '--force-conflicts', '--field-manager=helm', '-f', '-')
  if ($DryRun) {
    Invoke-Tool 'helm' (@('show', 'crds') + $Words)
    Invoke-Tool 'kubectl' $apply
    return
  }
  Invoke-Tool 'kubectl' $apply (Get-Answer 'helm' (@('show', 'crds') + $Words))
}

# Gives the kinds that stay when a release is uninstalled, as alternatives of a regular expression.
function Get-KeptKinds {
  $kinds = @('none')
  if (-not $DeletePvcs) { $kinds += 'PersistentVolumeClaim' }
  if (-not $DeleteCrds) { $kinds += 'CustomResourceDefinition' }
  if (-not $DeleteNamespaces) { $kinds += 'Namespace' }
  return ($kinds -join '|')
}

# Uninstalls a release; claims, custom resource definitions and namespaces stay, which Helm itself would delete: they are
# taken out of its record first.
function Uninstall-Release([string[]]$Words) {
  $release, $namespace = $Words
  if (-not $DryRun) {
    $code = Invoke-Silent 'helm' @('get', 'manifest', $release, '--namespace', $namespace)
    if ($code -ne 0 -and $script:Message -match 'not found') {
      Write-Step "release $release is not installed"
      return
    }
    if ($code -ne 0) { Stop-Script $code $script:Message }
    $kinds = Get-KeptKinds
    if ($script:Answer -match "(?m)^kind: *[`"']?($kinds)([^A-Za-z]|`$)") { Protect-Release $release $namespace $kinds }
    if ($script:Answer -match "(?m)^( |-)+ *kind: *[`"']?($kinds)[`"']? *`$" -and $script:Answer -match "(?m)^kind: *[`"']?List") {
      Stop-Script 1 "release $release has lists: claims, definitions and namespaces inside them would be deleted"
    }
  }
  # Not with --ignore-not-found: Helm ends well with it where it cannot list its records, too.
  $code = Invoke-Code 'helm' @('uninstall', $release, '--namespace', $namespace, '--wait', '--timeout', "${TimeoutSeconds}s")
  if ($code -ne 0) {
    Write-Step "what could not be deleted, Helm says with: helm uninstall $release --namespace $namespace --debug"
    Stop-Script $code "helm failed with exit code $code"
  }
}

# Takes the objects that stay out of the record by which Helm uninstalls.
function Protect-Release([string]$Release, [string]$Namespace, [string]$Kinds) {
  Assert-Tool 'kubectl'
  $history = Get-Answer 'helm' @('history', $Release, '--namespace', $Namespace, '--max', '1', '-o', 'json')
  if ($history -notmatch '"revision":([0-9]+)') { Stop-Script 1 "helm does not tell the revision of release $Release" }
  $secret = "sh.helm.release.v1.$Release.v$($Matches[1])"
  $data = Get-Answer 'kubectl' @('get', 'secret', $secret, '--namespace', $Namespace, '-o', 'go-template={{.data.release | base64decode}}')
  $record = Remove-Documents (Expand-Record $data) $Kinds
  $packed = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes((Compress-Record $record)))
  $patch = Join-Path $script:Work 'patch'
  [IO.File]::WriteAllText($patch, "{`"data`":{`"release`":`"$packed`"}}")
  Invoke-Tool 'kubectl' @('patch', 'secret', $secret, '--namespace', $Namespace, '--type=merge', '--patch-file', $patch)
  $manifest = Get-Answer 'helm' @('get', 'manifest', $Release, '--namespace', $Namespace)
  if ($manifest -match "(?m)^kind: *[`"']?($Kinds)([^A-Za-z]|`$)") {
    Stop-Script 1 "Helm would delete claims, definitions or namespaces of release $Release, and the script could not prevent it"
  }
  # Whoever called looks at what Helm would delete now.
  $script:Answer = $manifest
}

# Gives the text of a record from its packed form.
function Expand-Record([string]$Packed) {
  $source = New-Object IO.MemoryStream (, [Convert]::FromBase64String($Packed))
  $stream = New-Object IO.Compression.GZipStream ($source, [IO.Compression.CompressionMode]::Decompress)
  $reader = New-Object IO.StreamReader ($stream, [Text.Encoding]::UTF8)
  return $reader.ReadToEnd()
}

# Gives the packed form of a record.
function Compress-Record([string]$Text) {
  $target = New-Object IO.MemoryStream
  $stream = New-Object IO.Compression.GZipStream ($target, [IO.Compression.CompressionMode]::Compress)
  $bytes = [Text.Encoding]::UTF8.GetBytes($Text)
  $stream.Write($bytes, 0, $bytes.Length)
  $stream.Dispose()
  return [Convert]::ToBase64String($target.ToArray())
}

# Gives the JSON of a release record without the documents of some kinds in its manifest.
function Remove-Documents([string]$Record, [string]$Kinds) {
  $mark = ',"manifest":"---\n# Source: '
  $at = $Record.LastIndexOf($mark)
  if ($at -lt 0) { return $Record }
  $start = $at + ',"manifest":"'.Length
  $body = ([regex]'^(?:[^"\\]|\\.)*').Match($Record.Substring($start)).Value
  $kept = ''
  foreach ($document in [regex]::Split($body, '(?=---\\n# Source: )')) {
    if ($document -notmatch "\\nkind:[ ]*(\\`"|')?($Kinds)([^A-Za-z]|`$)") { $kept += $document }
  }
  return $Record.Substring(0, $start) + $kept + $Record.Substring($start + $body.Length)
}
