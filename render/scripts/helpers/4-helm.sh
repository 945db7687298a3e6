# know_repository NAME: stops where Helm does not know a repository of this name.
know_repository() {
  if [ "$repositories" = unread ]; then
    repositories=$(helm repo list 2>/dev/null) || repositories=
  fi
  case "$repositories " in
    *"
$1 "* | *"
$1	"*) ;;
    *) fail 1 "Helm does not know the repository $1: helm repo add $1 URL" ;;
  esac
}

# check_helm MAJOR: stops where Helm is too old, or not the one that the script is for: 3, 4 or any.
check_helm() {
  version=$(helm version --short)
  case "$1 ${version#v}" in
    [3a]*' '[0-2].* | [3a]*' '3.[0-7].*) fail 1 "Helm 3.8 or newer is needed; this is $version" ;;
    'any '* | "$1 $1".*) ;;
    "$1 "[0-9]*.*) fail 1 "this script is for Helm $1, and this is $version: run Helm $1, or make the script anew for yours or for any (--helm)" ;;
  esac
}

# deploy MARKER RELEASE NAMESPACE WORDS: installs or upgrades a release, again while a webhook of the cluster comes up.
deploy() {
  release_marker=$1
  release=$2
  space=$3
  shift 3
  if [ "$dry_run" = no ]; then
    free_release "$release" "$space"
    remember_release "$release" "$space"
  fi
  waiting=$space
  marker=$release_marker
  if [ "$dry_run" = yes ]; then
    persist helm upgrade --install "$release" "$@"
  else
    # The notes come at the end, when everything is there.
    persist helm upgrade --install "$release" "$@" >"$work/said"
    sed '/^NOTES:$/,$d' "$work/said"
    look_after "$release" "$space"
  fi
  waiting=
}

# remember_release RELEASE NAMESPACE: keeps what a release is made of before it is upgraded.
remember_release() {
  : >"$work/before"
  if ! command -v kubectl >/dev/null 2>&1; then
    return
  fi
  if ! run helm get manifest "$1" --namespace "$2" >"$work/before" 2>"$work/error"; then
    : >"$work/before"
    case $(cat "$work/error") in
      *'not found'*) ;;
      *) warn "whether Helm removes all that release $1 no longer has will not be seen: $(cat "$work/error")" ;;
    esac
  fi
}

# look_after RELEASE NAMESPACE: tells what a release had before, has no more, and is still there: Helm passes without a word
# by what it could not look at or delete.
look_after() {
  if [ ! -s "$work/before" ]; then
    return
  fi
  if run helm get manifest "$1" --namespace "$2" >"$work/after" 2>"$work/error" &&
    changed_documents "$work/after" "$work/before" old && changed_documents "$work/before" "$work/after" new &&
    list_changed old "$2" >"$work/had" && list_changed new "$2" >"$work/has"; then
    grep -Fxv -f "$work/has" "$work/had" >"$work/stays" || :
    while read -r target place; do
      warn "$target${place:+ in $place} stays: release $1 no longer has it, and Helm did not delete it (kubectl delete $target${place:+ --namespace $place})"
    done <"$work/stays"
    return
  fi
  warn "whether Helm removed all that release $1 no longer has cannot be seen: $(cat "$work/error")"
}

# changed_documents FILE OTHER NAME: gives the documents of another file that a file does not have, by whether they name a namespace.
changed_documents() {
  : >"$work/$3-own"
  : >"$work/$3-named"
  awk -v own="$work/$3-own" -v named="$work/$3-named" '
    function take() {
      document = document part
      part = ""
      if (document ~ /[^ \n]/ && document !~ /\n  generateName:/) {
        if (file == 1) known[document] = 1
        else if (!(document in known)) printf "---\n%s", document >(document ~ /\n  namespace:/ ? named : own)
      }
      document = ""
    }
    FNR == 1 { take(); file++ }
    /^---/ { take(); next }
    # Piece by piece: a long text that grows by each line is copied for each.
    { part = part $0 "\n" }
    length(part) > 4000 { document = document part; part = "" }
    END { take() }' "$1" "$2"
}

# list_changed NAME NAMESPACE: lists which objects of these documents are there, as TARGET NAMESPACE, but for those that are kept
# or going away.
list_changed() {
  : >"$work/listed"
  if [ -s "$work/$1-own" ]; then
    list_documents --namespace "$2" <"$work/$1-own" >>"$work/listed" 2>"$work/error" || return
  fi
  if [ -s "$work/$1-named" ]; then
    list_documents <"$work/$1-named" >>"$work/listed" 2>"$work/error" || return
  fi
  awk '$5 != "keep" && $6 == "<none>" {
    group = $1
    if (!sub(/\/.*/, "", group)) group = ""
    print tolower($2) (group == "" ? "" : "." group) "/" $4 ($3 == "<none>" ? "" : " " $3)
  }' "$work/listed"
}

# list_documents WORDS: lists the objects on standard input that are there.
list_documents() {
  run kubectl get "$@" --ignore-not-found --no-headers -f - \
    -o 'custom-columns=A:.apiVersion,K:.kind,S:.metadata.namespace,N:.metadata.name,P:.metadata.annotations.helm\.sh/resource-policy,D:.metadata.deletionTimestamp'
}

# deploy_applied MARKER RELEASE NAMESPACE WORDS: deploys with a Helm that applies on the server: with --force-conflicts
# it takes over fields that another manager owns.
deploy_applied() {
  if [ "$force_conflicts" = yes ]; then
    set -- "$@" --force-conflicts
  fi
  deploy "$@"
}

# show_release_notes RELEASE NAMESPACE TITLE: prints the notes of a release.
show_release_notes() {
  step="package $2/$1"
  say "$3"
  run helm get notes "$1" --namespace "$2"
}

# free_release RELEASE NAMESPACE: stops where an operation on a release was interrupted, or its uninstallation came to no end;
# with --unlock that is forgotten.
free_release() {
  pending=$(run helm list --pending --uninstalling --namespace "$2" --filter "^$1\$" --short)
  if [ -z "$pending" ]; then
    return
  fi
  if [ "$unlock" = no ]; then
    fail 1 "an operation on release $1 of namespace $2 was interrupted, or still runs: when it runs no more, run this script with --unlock"
  fi
  need kubectl
  say "forgets the interrupted operation on release $1; its objects stay and are taken over"
  run kubectl delete secret --namespace "$2" --selector "owner=helm,name=$1,status in (pending-install,pending-upgrade,pending-rollback,uninstalling)"
}

# fetch_sealed PLACE DIGEST CHART WORDS: fetches the archive of a chart; stops where it is not the one of a sealed order.
fetch_sealed() {
  place=$1
  digest=$2
  label=$3
  shift 3
  if [ "$dry_run" = yes ]; then
    run helm pull "$@" --destination "$place"
    printf 'mv %s/*.tgz %s.tgz\n' "$place" "$place"
    printf "echo '%s  %s.tgz' | sha256sum -c\n" "${digest#sha256:}" "$place"
    return
  fi
  mkdir "$place"
  run helm pull "$@" --destination "$place"
  mv "$place"/*.tgz "$place.tgz"
  found=$(digest_of "$place.tgz")
  [ "$found" = "$digest" ] || fail 1 "chart $label is not the one that the order is sealed with: its archive has $found, not $digest"
}

# digest_of FILE: gives the SHA-256 of a file.
digest_of() {
  sum=$(digests - <"$1")
  printf 'sha256:%s' "${sum%% *}"
}

# upgrade_chart_crds WORDS: applies what a chart has in crds/, which Helm itself installs once and never upgrades.
upgrade_chart_crds() {
  if [ "$dry_run" = yes ]; then
    printf '%s | %s\n' "$(run helm show crds "$@")" "$(run kubectl apply --server-side --force-conflicts --field-manager=helm -f -)"
    return
  fi
  run helm show crds "$@" >"$work/crds"
  run kubectl apply --server-side --force-conflicts --field-manager=helm -f "$work/crds"
}

# release_kinds: gives the kinds that stay when a release is uninstalled, as alternatives of a regular expression.
release_kinds() {
  kinds=none
  if [ "$delete_pvcs" = no ]; then
    kinds="$kinds|PersistentVolumeClaim"
  fi
  if [ "$delete_crds" = no ]; then
    kinds="$kinds|CustomResourceDefinition"
  fi
  if [ "$delete_namespaces" = no ]; then
    kinds="$kinds|Namespace"
  fi
  printf '%s' "$kinds"
}

# uninstall_release RELEASE NAMESPACE: uninstalls a release; claims, custom resource definitions and namespaces stay,
# which Helm itself would delete: they are taken out of its record first.
uninstall_release() {
  if [ "$dry_run" = no ]; then
    if ! run helm get manifest "$1" --namespace "$2" >"$work/manifest" 2>"$work/error"; then
      case $(cat "$work/error") in
        *'not found'*)
          say "release $1 is not installed"
          return
          ;;
      esac
      cat "$work/error" >&2
      return 1
    fi
    if grep -Eq "^kind: *[\"']?($(release_kinds))([^A-Za-z]|\$)" "$work/manifest"; then
      shelter "$1" "$2" || return
    fi
    if grep -Eq "^( |-)+ *kind: *[\"']?($(release_kinds))[\"']? *\$" "$work/manifest" && grep -Eq "^kind: *[\"']?List" "$work/manifest"; then
      warn "release $1 has lists: claims, definitions and namespaces inside them would be deleted"
      return 1
    fi
  fi
  code=0
  # Not with --ignore-not-found: Helm ends well with it where it cannot list its records, too.
  run helm uninstall "$1" --namespace "$2" --wait --timeout "${timeout}s" || code=$?
  if [ "$code" -ne 0 ]; then
    say "what could not be deleted, Helm says with: helm uninstall $1 --namespace $2 --debug"
  fi
  return "$code"
}

# shelter RELEASE NAMESPACE: takes the objects that stay out of the record by which Helm uninstalls.
shelter() {
  need kubectl
  need gzip
  need base64
  revision=$(run helm history "$1" --namespace "$2" --max 1 -o json) || return
  revision=$(printf '%s' "$revision" | sed -n 's/.*"revision":\([0-9]*\).*/\1/p')
  secret=sh.helm.release.v1.$1.v$revision
  run kubectl get secret "$secret" --namespace "$2" -o 'go-template={{.data.release | base64decode | base64decode}}' >"$work/release.gz" || return
  gzip -dc "$work/release.gz" >"$work/release" || return
  without_documents "$(release_kinds)" <"$work/release" >"$work/sheltered" || return
  printf '{"data":{"release":"%s"}}' "$(gzip -nc "$work/sheltered" | base64 | tr -d '\n' | base64 | tr -d '\n')" >"$work/patch" || return
  run kubectl patch secret "$secret" --namespace "$2" --type=merge --patch-file "$work/patch" >&2 || return
  run helm get manifest "$1" --namespace "$2" >"$work/manifest" || return
  if grep -Eq "^kind: *[\"']?($(release_kinds))([^A-Za-z]|\$)" "$work/manifest"; then
    tell error "error: Helm would delete claims, definitions or namespaces of release $1, and the script could not prevent it"
    return 1
  fi
}

# without_documents KINDS: gives the JSON of a release record without the documents of some kinds in its manifest.
without_documents() {
  awk -v kinds="$1" '
    { record = record (NR > 1 ? "\n" : "") $0 }
    END {
      mark = ",\"manifest\":\"---\\n# Source: "
      rest = record
      at = 0
      while ((found = index(rest, mark)) > 0) {
        at += found
        rest = substr(rest, found + 1)
      }
      if (at == 0) { printf "%s", record; exit }
      start = at + length(",\"manifest\":\"") - 1
      head = substr(record, 1, start)
      rest = substr(record, start + 1)
      match(rest, /[^\\](\\\\)*"/)
      body = substr(rest, 1, RSTART + RLENGTH - 2)
      tail = substr(rest, RSTART + RLENGTH - 1)
      mark = "---\\n# Source: "
      kept = ""
      while (body != "") {
        next_at = index(substr(body, 2), mark)
        document = next_at == 0 ? body : substr(body, 1, next_at)
        body = next_at == 0 ? "" : substr(body, next_at + 1)
        if (document !~ ("\\\\nkind:[ ]*(\\\\\"|\047)?(" kinds ")([^A-Za-z]|$)")) kept = kept document
      }
      printf "%s%s%s\n", head, kept, tail
    }'
}
