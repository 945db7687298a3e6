# attempt COMMAND: runs a command of this script; a failure is remembered, for its package and for all, and the script goes on.
attempt() {
  failure=0
  "$@" || failure=$?
  if [ "$failure" -eq 0 ]; then
    return
  fi
  warn "$step: something is left, the failure had exit code $failure"
  attempt_code=$failure
  if [ "$first_failure" -eq 0 ]; then
    first_failure=$failure
  fi
  if [ -n "$waiting" ]; then
    explain "$waiting"
    waiting=
  fi
  if [ -n "$doomed" ]; then
    run kubectl delete "$doomed" --namespace "$doomed_namespace" --ignore-not-found --timeout="${timeout}s" || :
    doomed=
  fi
}

# is_there NAMESPACE: tells whether a namespace is there.
is_there() {
  if [ "$dry_run" = yes ] || run kubectl get namespace "$1" -o name >/dev/null 2>"$work/error"; then
    return 0
  fi
  case $(cat "$work/error") in
    *NotFound*) return 1 ;;
  esac
}

# remove NAMESPACE TARGETS: deletes objects; what is absent, or of a type that the cluster does not have, is no failure.
remove() {
  space=$1
  shift
  if delete_targets "$space" "$@"; then
    return
  fi
  for target in "$@"; do
    delete_targets "$space" "$target" || is_absent "$?" || return
  done
}

# delete_targets NAMESPACE TARGETS: asks kubectl to delete objects.
delete_targets() {
  space=$1
  shift
  if [ "$space" != - ]; then
    set -- "$@" --namespace "$space"
  fi
  if [ "$dry_run" = yes ]; then
    run kubectl delete "$@" --ignore-not-found --timeout="${timeout}s"
    return
  fi
  run kubectl delete "$@" --ignore-not-found --timeout="${timeout}s" 2>"$work/error"
}

# is_absent CODE: tells whether the last failure says that there is nothing of this type; prints it otherwise.
is_absent() {
  case $(cat "$work/error") in
    *"doesn't have a resource type"* | *'no matches for kind'* | *NotFound*) return 0 ;;
  esac
  cat "$work/error" >&2
  return "$1"
}

# remove_claims NAMESPACE SELECTOR: deletes the claims that carry a label.
remove_claims() {
  run kubectl delete pvc --namespace "$1" --selector "$2" --ignore-not-found --timeout="${timeout}s"
}

# retain_claims TARGET NAMESPACE: has a stateful set leave its claims when it goes.
retain_claims() {
  there=any
  if [ "$dry_run" = no ]; then
    there=$(run kubectl get "$1" --namespace "$2" --ignore-not-found -o name) || return
  fi
  if [ -n "$there" ]; then
    run kubectl patch "$1" --namespace "$2" --type=merge --patch '{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}'
  fi
}

# sweep ID NAMESPACE NAME: deletes what earlier runs applied and the order no longer has, and the inventory itself.
sweep() {
  set_id=$1
  set_namespace=$2
  set_name=$3
  if [ "$dry_run" = yes ]; then
    run kubectl delete configmap "$set_name" --namespace "$set_namespace" --ignore-not-found
    return
  fi
  live=$(run kubectl get configmap "$set_name" --namespace "$set_namespace" --ignore-not-found -o "jsonpath={.metadata.annotations.applyset\.kubernetes\.io/contains-group-kinds}|{.metadata.annotations.applyset\.kubernetes\.io/additional-namespaces}") || return
  if [ -n "$live" ]; then
    known_kinds=${live%%|*}
    known_spaces=${live#*|}
    if [ -n "$known_kinds" ]; then
      list_members >"$work/live" || return
      grep -Ev '^(persistentvolumeclaim|customresourcedefinition\.apiextensions\.k8s\.io|namespace) ' "$work/live" >"$work/stale" || :
      while read -r type space name; do
        remove "$space" "$type/$name" </dev/null || return
      done <"$work/stale"
    fi
  fi
  run kubectl delete configmap "$set_name" --namespace "$set_namespace" --ignore-not-found
}

# remove_namespace NAME: deletes a namespace, unless claims are inside and are to stay.
remove_namespace() {
  if [ -n "$only$chosen_from" ]; then
    warn "namespace $1 stays, because packages in it may not have been chosen"
    return
  fi
  # Its tool needs what it wrote down there to go on.
  if [ "$first_failure" -ne 0 ]; then
    warn "namespace $1 stays, because not everything could be removed: run this script again"
    return
  fi
  if [ "$dry_run" = no ] && [ "$delete_pvcs" = no ]; then
    # A failure to look is not taken for a namespace without claims.
    claims=$(run kubectl get pvc --namespace "$1" --ignore-not-found -o name) || return
    if [ -n "$claims" ]; then
      warn "namespace $1 stays, because it holds volume claims: --delete-pvcs deletes those of the charts"
      return
    fi
  fi
  run kubectl delete namespace "$1" --ignore-not-found --timeout="${timeout}s"
}

# left_over NAMESPACE TARGETS: lists which of the objects that were to stay are there, each once, and how to delete them.
left_over() {
  space=$1
  shift
  if [ "$dry_run" = yes ]; then
    return
  fi
  if ! command -v kubectl >/dev/null 2>&1; then
    say "may stay: $* (kubectl, which could tell, is not in PATH)"
    return
  fi
  if [ "$space" = - ]; then
    run kubectl get "$@" --ignore-not-found -o name >"$work/left" 2>"$work/error" || is_absent "$?" || say "may stay: $*"
  else
    run kubectl get "$@" --namespace "$space" --ignore-not-found -o name >"$work/left" 2>"$work/error" || is_absent "$?" || say "may stay: $*"
  fi
  while read -r target; do
    case $told in
      *" $space/$target "*) continue ;;
    esac
    told="$told$space/$target "
    if [ "$space" = - ]; then
      say "stays: $target (kubectl delete $target)"
    else
      say "stays: $target in $space (kubectl delete $target --namespace $space)"
    fi
  done <"$work/left"
}

# end_uninstall: tells whether everything is gone that should be.
end_uninstall() {
  step=
  if [ "$first_failure" -ne 0 ]; then
    fail "$first_failure" 'not everything could be removed'
  fi
  say 'done'
}
