# set_manager NAME: names the owner of the fields that are applied.
set_manager() {
  manager=$1
}

# apply_document MARKER WORDS: applies on the server, so that large objects fit and every field keeps its owner.
apply_document() {
  marker=$1
  shift
  if [ "$diff" = yes ]; then
    show_difference "$@"
    return
  fi
  if [ "$force_conflicts" = yes ]; then
    set -- "$@" --force-conflicts
  fi
  persist kubectl apply --server-side --field-manager="$manager" "$@"
}

# show_difference WORDS: prints what applying the document would change.
show_difference() {
  take_input
  code=0
  run kubectl diff --server-side --field-manager="$manager" --force-conflicts "$@" <"$work/input" || code=$?
  case $code in
    0) ;;
    1) differs=yes ;;
    *) warn "$step: this difference cannot be shown, it may be that its namespace or type is not there yet" ;;
  esac
}

# create_document MARKER WORDS: creates objects that the server names.
create_document() {
  marker=$1
  shift
  if [ "$diff" = yes ]; then
    differs=yes
    say "would create, under a name that the server gives: $(sed -n 's/^kind: //p' | tr '\n' ' ')"
    return
  fi
  persist kubectl create "$@"
}

# keep_document MARKER TARGET SOURCE WORDS: applies an object that holds random values, unless it is there already.
keep_document() {
  kept_marker=$1
  target=$2
  source=$3
  shift 3
  if [ "$dry_run" = no ]; then
    # Alone, so that a failure to look is not taken for an object that is not there.
    there=$(run kubectl get "$target" "$@" --ignore-not-found -o name)
    if [ -n "$there" ]; then
      say "$target is there and keeps its random values"
      return
    fi
  fi
  apply_document "$kept_marker" "$@" -f "$source"
}

# ensure_namespace MARKER NAME: applies the namespace on standard input unless it is there; stops where it is going away.
ensure_namespace() {
  namespace_marker=$1
  phase=
  if [ "$dry_run" = no ]; then
    phase=$(run kubectl get namespace "$2" --ignore-not-found -o 'jsonpath={.status.phase}')
  fi
  case $phase in
    '') apply_document "$namespace_marker" -f - ;;
    Terminating) fail 1 "namespace $2 is being deleted" ;;
  esac
}

# delete_hook TARGET WORDS: deletes an object of a hook, which may be absent.
delete_hook() {
  run kubectl delete "$@" --ignore-not-found --timeout="${timeout}s"
}

# doom TARGET NAMESPACE: has an object deleted if the script fails from here on.
doom() {
  doomed=$1
  doomed_namespace=$2
}

# spare: what was doomed stays.
spare() {
  doomed=
}

# await_hook TARGET NAMESPACE DONE FAILED: waits until a hook has run; stops at once where it failed.
await_hook() {
  if [ "$dry_run" = yes ]; then
    run kubectl wait "$1" --namespace "$2" --for="$3" --timeout="${timeout}s"
    return
  fi
  waiting=$2
  rounds=$((timeout / 5 + 1))
  while :; do
    code=0
    run kubectl wait "$1" --namespace "$2" --for="$3" --timeout=5s >&2 2>"$work/error" || code=$?
    if [ "$code" -eq 0 ]; then
      waiting=
      return
    fi
    case $(cat "$work/error") in
      *'timed out'*) ;;
      *) rounds=0 ;;
    esac
    if [ "$rounds" -gt 0 ] && run kubectl wait "$1" --namespace "$2" --for="$4" --timeout=1s >/dev/null 2>&1; then
      run kubectl logs "$1" --namespace "$2" --all-containers --tail=20 >&2 || :
      tell error "error: hook $1 failed"
      return 1
    fi
    rounds=$((rounds - 1))
    if [ "$rounds" -lt 1 ]; then
      cat "$work/error" >&2
      return "$code"
    fi
  done
}

# await_rollout TARGET NAMESPACE: waits until a workload runs as it was applied.
await_rollout() {
  waiting=$2
  run kubectl rollout status "$1" --namespace "$2" --timeout="${timeout}s"
  waiting=
}

# await_object NAMESPACE FOR TARGETS: waits for objects that are there.
await_object() {
  waiting=$1
  until=$2
  shift 2
  run kubectl wait "$@" --namespace "$waiting" "$until" --timeout="${timeout}s"
  waiting=
}

# await_address TARGET NAMESPACE: waits until a load balancer has an address.
await_address() {
  set -- get "$1" --namespace "$2" -o 'jsonpath={.status.loadBalancer.ingress}'
  if [ "$dry_run" = yes ]; then
    run kubectl "$@"
    return
  fi
  waiting=$4
  rounds=$((timeout / 2 + 1))
  while :; do
    address=$(run kubectl "$@")
    if [ -n "$address" ]; then
      waiting=
      return
    fi
    rounds=$((rounds - 1))
    if [ "$rounds" -lt 1 ]; then
      tell error "error: $2 has no address"
      return 1
    fi
    sleep 2
  done
}

# permit TYPE SCOPE VERBS: stops where this user may not do this to objects of a type; asks nobody who may do everything.
permit() {
  if [ -z "$almighty" ]; then
    almighty=$(run kubectl auth can-i '*' '*' --all-namespaces 2>/dev/null) || almighty=no
    almighty=${almighty:-no}
  fi
  if [ "$almighty" = yes ]; then
    return
  fi
  type=$1
  scope=$2
  shift 2
  for verb in "$@"; do
    case " $permitted " in
      *" $verb $type $scope "*) continue ;;
    esac
    permitted="$permitted $verb $type $scope"
    code=0
    answer=$(run kubectl auth can-i "$verb" "$type" "$scope") || code=$?
    case "$code $answer" in
      0*) ;;
      *no)
        tell error "error: this user may not $verb $type ($scope)"
        return "$code"
        ;;
      *)
        tell error "error: the cluster does not say whether this user may $verb $type ($scope)"
        return "$code"
        ;;
    esac
  done
}

# open_inventory ID NAMESPACE NAME KINDS NAMESPACES ORDER: reads what an earlier run applied, and writes down what may be applied now.
# The inventory is an ApplySet of kubectl: a ConfigMap names the kinds, every object has its label.
open_inventory() {
  set_id=$1
  set_namespace=$2
  set_name=$3
  set_kinds=$4
  set_spaces=$5
  set_order=$6
  mode=install
  if [ "$dry_run" = yes ]; then
    write_inventory "$set_kinds" "$set_spaces" no
    return
  fi
  live=$(run kubectl get configmap "$set_name" --namespace "$set_namespace" --ignore-not-found -o "jsonpath={.metadata.annotations.applyset\.kubernetes\.io/contains-group-kinds}|{.metadata.annotations.applyset\.kubernetes\.io/additional-namespaces}|{.metadata.annotations.drydock\.dev/installed}")
  known_kinds=${live%%|*}
  live=${live#"$known_kinds"}
  live=${live#|}
  known_spaces=${live%%|*}
  if [ "${live##*|}" = yes ]; then
    mode=upgrade
  fi
  known_kinds=$(join_words "$set_kinds" "$known_kinds")
  known_spaces=$(join_words "$set_spaces" "$known_spaces")
  if [ "$diff" = no ]; then
    write_inventory "$known_kinds" "$known_spaces" "$(if [ "$mode" = upgrade ]; then echo yes; else echo no; fi)"
  fi
}

# join_words LISTS: gives the words of lists with commas, each once.
join_words() {
  printf '%s\n' "$@" | tr ',' '\n' | sort -u | sed '/^$/d' | tr '\n' ',' | sed 's/,$//'
}

# write_inventory KINDS NAMESPACES INSTALLED: writes the ConfigMap of the inventory.
write_inventory() {
  marker=INVENTORY
  persist kubectl apply --server-side --field-manager="$manager" --force-conflicts --namespace "$set_namespace" -f - <<INVENTORY
apiVersion: v1
kind: ConfigMap
metadata:
  name: "$set_name"
  labels:
    applyset.kubernetes.io/id: "$set_id"
    drydock.dev/order: "$set_order"
  annotations:
    applyset.kubernetes.io/tooling: drydock/v1
    applyset.kubernetes.io/contains-group-kinds: "$1"
    applyset.kubernetes.io/additional-namespaces: "$2"
    drydock.dev/installed: "$3"
INVENTORY
}

# prune_objects MARKER: deletes what an earlier run applied and the order no longer has. Standard input names what it has,
# as lines of TYPE NAMESPACE NAME. Claims, custom resource definitions and namespaces are asked about first.
prune_objects() {
  if [ "$dry_run" = yes ]; then
    printf '# then what has the label applyset.kubernetes.io/part-of=%s and is no longer in the order is deleted\n' "$set_id"
    cat >/dev/null
    return
  fi
  cat >"$work/members"
  list_members >"$work/live"
  grep -Fxv -f "$work/members" "$work/live" >"$work/stale" || :
  while read -r type space name; do
    prune_object "$type" "$space" "$name" </dev/null
  done <"$work/stale"
}

# list_members: lists the objects of the inventory as TYPE NAMESPACE NAME, without those that are kept or that another object owns.
list_members() {
  : >"$work/unsorted"
  types=$(printf '%s' "$known_kinds" | tr '[:upper:]' '[:lower:]')
  for space in $(join_words "$set_namespace" "$known_spaces" | tr ',' ' '); do
    if ! list_types "$types" "$space" >"$work/listed" 2>"$work/error"; then
      # A type that the cluster no longer has fails the whole list.
      : >"$work/listed"
      for type in $(printf '%s' "$types" | tr ',' ' '); do
        list_types "$type" "$space" >>"$work/listed" 2>"$work/error" || case $(cat "$work/error") in
          *"doesn't have a resource type"*) ;;
          *)
            cat "$work/error" >&2
            return 1
            ;;
        esac
      done
    fi
    awk -F '|' '$5 == "" && $6 != "keep" {
      group = $1
      if (!sub(/\/.*/, "", group)) group = ""
      print tolower($2) (group == "" ? "" : "." group) " " ($3 == "" ? "-" : $3) " " $4
    }' "$work/listed" >>"$work/unsorted"
  done
  sort -u "$work/unsorted"
}

# list_types TYPES NAMESPACE: lists the objects of some types that carry the label of the inventory.
list_types() {
  run kubectl get "$1" --namespace "$2" --selector "applyset.kubernetes.io/part-of=$set_id" --ignore-not-found \
    -o 'jsonpath={range .items[*]}{.apiVersion}|{.kind}|{.metadata.namespace}|{.metadata.name}|{.metadata.ownerReferences[0].kind}|{.metadata.annotations.helm\.sh/resource-policy}{"\n"}{end}'
}

# prune_object TYPE NAMESPACE NAME: deletes one object that the order no longer has.
prune_object() {
  where=" of namespace $2"
  if [ "$2" = - ]; then
    where=
  fi
  if [ "$diff" = yes ]; then
    differs=yes
    say "would delete $1/$3$where"
    return
  fi
  case $1 in
    persistentvolumeclaim | customresourcedefinition.apiextensions.k8s.io | namespace)
      if ! agree "$prune_data" "delete $1/$3$where, and with it what it holds?"; then
        warn "$1/$3$where is no longer in the order and stays: --prune-data deletes it"
        return
      fi
      ;;
  esac
  say "deletes $1/$3$where, which is no longer in the order"
  if [ "$2" = - ]; then
    run kubectl delete "$1/$3" --ignore-not-found --timeout="${timeout}s"
  else
    run kubectl delete "$1/$3" --namespace "$2" --ignore-not-found --timeout="${timeout}s"
  fi
}

# prune_packages MARKER ORDER: deletes the packages that an earlier run installed and the order no longer has; asks first.
# Standard input names those that it has, as lines of NAMESPACE NAME ID. A run of some packages alone leaves all others.
prune_packages() {
  marker=$1
  step='packages that are no longer in the order'
  cat >"$work/packages"
  if [ -n "$only$chosen_from" ]; then
    return
  fi
  if ! run kubectl get configmap --all-namespaces --selector "drydock.dev/order=$2" \
    -o 'jsonpath={range .items[*]}{.metadata.namespace} {.metadata.name} {.metadata.labels.applyset\.kubernetes\.io/id}{"\n"}{end}' >"$work/live" 2>"$work/error"; then
    warn "packages that are no longer in the order cannot be looked for: $(cat "$work/error")"
    return
  fi
  grep -Fxv -f "$work/packages" "$work/live" >"$work/gone" || :
  while read -r space name id; do
    prune_package "$space" "$name" "$id" </dev/null
  done <"$work/gone"
}

# prune_package NAMESPACE NAME ID: deletes a package by its inventory, without its claims, definitions and namespaces.
prune_package() {
  title="package $1/${2#drydock-}"
  if [ "$diff" = yes ]; then
    differs=yes
    say "would delete $title"
  elif agree "$prune_packages" "delete $title, which is no longer in the order?"; then
    say "deletes $title, which is no longer in the order; its volume claims, definitions and namespaces stay"
    sweep "$3" "$1" "$2"
  else
    warn "$title is no longer in the order and stays: --prune-packages deletes it"
  fi
}

# agree ANSWER QUESTION: asks whoever runs the script, unless the answer is yes; nobody there means no.
agree() {
  if [ "$1" = yes ]; then
    return 0
  fi
  if [ ! -t 2 ]; then
    return 1
  fi
  printf '%s [y/N] ' "$2" >&2
  answer=
  read -r answer </dev/tty || :
  [ "$answer" = y ] || [ "$answer" = yes ]
}

# close_inventory: writes down that everything is applied, and of which kinds it is.
close_inventory() {
  if [ "$diff" = no ]; then
    write_inventory "$set_kinds" "$set_spaces" yes
  fi
}

# end_difference: tells whether something would change; 1 where it would, as kubectl diff has it.
end_difference() {
  if [ "$diff" = yes ]; then
    step=
    if [ "$differs" = yes ]; then
      say 'there are differences'
      exit 1
    fi
    say 'no difference'
    exit 0
  fi
}

# show_notes MARKER: prints the notes of a chart at the end.
show_notes() {
  marker=$1
  if [ "$dry_run" = no ]; then
    cat
  else
    cat >/dev/null
  fi
}
