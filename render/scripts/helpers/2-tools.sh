# need TOOL: stops where a tool is missing.
need() {
  command -v "$1" >/dev/null 2>&1 || fail 1 "$1 is needed and not to be found in PATH"
}

# make_work: makes a folder that no one else can read, for documents and messages of tools.
make_work() {
  umask 077
  work=${TMPDIR:-/tmp}/drydock-$$
  tries=0
  until mkdir "$work" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 20 ] || fail 1 "no folder can be made in ${TMPDIR:-/tmp}"
    work=${TMPDIR:-/tmp}/drydock-$$-$tries
  done
  summary=$work/summary
  # An empty folder, so that no folder named like a chart stands in for the chart.
  mkdir "$work/empty"
  cd "$work/empty"
  open_log
}

# show_work: prints the commands that make an empty folder.
show_work() {
  cat <<'EMPTY'
mkdir -m 700 "${TMPDIR:-/tmp}/drydock-$$"
cd "${TMPDIR:-/tmp}/drydock-$$"
EMPTY
}

# set_step NAME: says what the script is about, for its messages.
set_step() {
  step=$1
}

# finish: runs at the end, whatever the end is: cleans up, says what failed and why, keeps its exit code.
finish() {
  code=$?
  trap - EXIT
  # What is run from here on is to end by itself.
  caught=
  starting=no
  # A signal may come while the messages of a tool are kept, and bash goes on keeping them.
  exec 2>&4
  # Where the terminal is gone nothing can be said, and the rest is to be done all the same.
  set +e
  for pid in $pids $child; do
    kill "$pid" 2>/dev/null
  done
  # What they use is still there until they end.
  for pid in $pids $child; do
    wait "$pid" 2>/dev/null
  done
  if [ "$code" -ne 0 ] && [ -n "$doomed" ]; then
    run kubectl delete "$doomed" --namespace "$doomed_namespace" --ignore-not-found --timeout="${timeout}s" >&2 || warn "$doomed could not be deleted"
  fi
  if [ "$code" -ne 0 ] && [ -n "$waiting" ]; then
    explain "$waiting"
  fi
  if [ -n "$work" ]; then
    cd /
    rm -rf "$work"
  fi
  if [ "$code" -ne 0 ] && [ -n "$step" ]; then
    tell error "error: $step failed with exit code $code"
  fi
  close_log
  exit "$code"
}

# explain NAMESPACE: tells why a wait may have failed: the pods that are not well, and the last warnings.
explain() {
  if [ "$dry_run" = yes ] || ! command -v kubectl >/dev/null 2>&1; then
    return 0
  fi
  # In one piece: other packages may speak at the same time.
  {
    printf '%s\n' "pods of namespace $1 that are not running, and its last warnings:"
    run kubectl get pods --namespace "$1" --field-selector=status.phase!=Running,status.phase!=Succeeded 2>&1 || :
    run kubectl get events --namespace "$1" --field-selector=type=Warning --sort-by=.lastTimestamp \
      -o 'custom-columns=OBJECT:.involvedObject.name,REASON:.reason,MESSAGE:.message' 2>&1 | tail -n 12 || :
  } >"$work/reasons"
  say "$(cat "$work/reasons")"
}

# chosen NAMESPACE RELEASE: tells whether a package is to be worked on.
chosen() {
  if [ -n "$from" ]; then
    case $from in
      "$2" | "$1/$2") from= ;;
      *) return 1 ;;
    esac
  fi
  case " $only " in
    '  ' | *" $2 "* | *" $1/$2 "*) return 0 ;;
  esac
  return 1
}

# mark_choice: remembers with which package to begin, so that choosing can be done twice.
mark_choice() {
  chosen_from=$from
}

# reset_choice: chooses from the beginning again.
reset_choice() {
  from=$chosen_from
}

# begin NUMBER NAME CHART: says what comes next.
begin() {
  step="package $2"
  attempt_code=0
  started=$(date +%s)
  say "[$1/$total] $2 ($3)"
}

# end_package NAME: says how long a package took.
end_package() {
  if [ "$dry_run" = no ]; then
    took=$(($(date +%s) - started))
    say "$1: done in $took s"
    printf '%s %s s\n' "$1" "$took" >>"$summary"
  fi
  step=
}

# sum_up: says what was done in all.
sum_up() {
  step=
  if [ "$dry_run" = no ] && [ -s "$summary" ]; then
    say "$(wc -l <"$summary" | tr -d ' ') of $total packages: $(tr '\n' ';' <"$summary" | sed 's/;$//; s/;/, /g')"
  fi
  step=
  say 'done'
}

# group NUMBERS: works on packages that do not depend on each other, with --parallel so many at once.
group() {
  if [ "$parallel" -lt 2 ] || [ "$#" -lt 2 ] || [ "$dry_run" = yes ]; then
    for number in "$@"; do
      work_on "$number"
    done
    return
  fi
  pids=
  count=0
  step=
  for number in "$@"; do
    starting=yes
    (work_apart "$number") &
    pids="$pids $!"
    started_apart
    count=$((count + 1))
    if [ "$count" -eq "$parallel" ]; then
      await_group
    fi
  done
  await_group
}

# work_apart NUMBER: works on a package in a process of its own.
work_apart() {
  pids=
  child=
  work=$work/package-$1
  mkdir "$work"
  logger=
  starting=no
  trap finish EXIT
  trap 'stop 143' TERM
  open_log
  work_on "$1"
}

# await_group: waits for the packages that were started at once; stops where one of them failed.
await_group() {
  group_code=0
  for pid in $pids; do
    wait "$pid" || group_code=$?
  done
  pids=
  count=0
  if [ "$group_code" -ne 0 ]; then
    fail "$group_code" 'not every package of this group could be installed'
  fi
}

# check_files: stops where a file beside this script is not the one it was made with.
check_files() {
  (cd "$here" && digests -c SHA256SUMS) >&2
}

# digests WORDS: runs the tool for SHA-256 that is there.
digests() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$@"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$@"
  else
    fail 1 'sha256sum or shasum is needed, and neither is in PATH'
  fi
}

# say_context: says which cluster is meant. In a pod there is a cluster, and no context.
say_context() {
  current=$context
  if [ -z "$current" ] && command -v kubectl >/dev/null 2>&1; then
    current=$(kubectl config current-context 2>/dev/null) || current='none, the cluster this runs in'
  elif [ -z "$current" ]; then
    current=${KUBECONFIG:-$HOME/.kube/config}
    current=$(sed -n 's/^current-context: *//p' "${current%%:*}" 2>/dev/null) || current='none, the cluster this runs in'
  fi
  say "context: $current"
}

# check_kubectl: asks kubectl and the cluster for their versions.
check_kubectl() {
  version=$(run kubectl version)
  check_server "$version"
}

# reach_cluster: stops where the cluster does not answer, as far as kubectl can tell.
reach_cluster() {
  if command -v kubectl >/dev/null 2>&1; then
    run kubectl version >/dev/null
  fi
}

# check_server VERSIONS: stops where kubectl or the cluster is too old; warns where everything was rendered for another version.
check_server() {
  case $1 in
    *v1.[0-9].* | *v1.1[0-9].* | *v1.2[012].*) fail 1 "kubectl and Kubernetes 1.23 or newer are needed; this is $1" ;;
  esac
  compare_server "$1"
}

# ask_server: warns where the cluster is of another version than everything was rendered for, as far as kubectl can tell.
ask_server() {
  if [ "$dry_run" = no ] && command -v kubectl >/dev/null 2>&1; then
    compare_server "$(run kubectl version 2>/dev/null || :)"
  fi
}

# compare_server VERSIONS: warns where everything was rendered for another version.
compare_server() {
  server=$(printf '%s\n' "$1" | sed -n 's/^Server Version:.*v\([0-9]*\.[0-9]*\)\..*/\1/p')
  wanted=${rendered_for#v}
  if [ -n "$server" ] && [ "$server" != "${wanted%.*}" ]; then
    warn "this was rendered for Kubernetes ${wanted%.*}, and the cluster is $server: render the order again with that version where it matters"
  fi
}

# require_crd NAME: stops where a custom resource definition that must be there is not.
require_crd() {
  run kubectl get crd "$1" -o name >&2
}

# is_going: tells whether a tool said that what it changed is going away: it will not be there for long.
is_going() {
  case $(cat "$work/error") in
    *'which is currently being deleted'*) return 0 ;;
  esac
  return 1
}

# passing: tells whether what a tool said last is likely to pass: a webhook or an API that comes up, an object that goes away.
passing() {
  case $(cat "$work/error") in
    *'failed calling webhook'* | *'failed to call webhook'* | *'no endpoints available for service'*) return 0 ;;
    *'the server is currently unable to handle the request'* | *'no matches for kind'* | *'ensure CRDs are installed first'*) return 0 ;;
    *'connection refused'* | *'TLS handshake timeout'* | *'etcdserver: leader changed'*) return 0 ;;
    # Helm tells what the server says without the reason: Too many requests.
    *[Tt]'oo many requests'* | *'(TooManyRequests)'* | *'storage is (re)initializing'* | *'dial tcp'*'i/o timeout'*) return 0 ;;
  esac
  is_going
}

# read_secret VARIABLE MARK FORM TITLE SOURCE: takes a secret from the environment, or asks for it; documents get it in
# place of its mark, as base64 or as the inside of a JSON string.
read_secret() {
  eval "secret=\${$1-}"
  if [ -z "$secret" ] && [ "$5" = prompt ]; then
    ask_secret "$4 ($1): "
  fi
  [ -n "$secret" ] || fail 1 "$1 is not set: it gives $4"
  case $3 in
    base64)
      need base64
      secret=$(printf '%s' "$secret" | base64 | tr -d '\n')
      ;;
    json)
      if [ -n "$(printf '%s' "$secret" | tr -d '\t\n\040-\176\200-\377')" ]; then
        fail 1 "$1 holds control characters"
      fi
      # Without its end a shell would take the last line breaks away.
      secret=$(as_json "${secret}.")
      secret=${secret%.}
      ;;
  esac
  marks="$marks$2 $secret
"
}

# ask_secret QUESTION: reads a line from standard input; a terminal does not show it.
ask_secret() {
  if [ -n "$logger" ]; then
    say "$1"
  else
    printf '%s' "$1" >&2
  fi
  if [ -t 0 ]; then
    trap 'stty echo; exit 129' HUP
    trap 'stty echo; exit 130' INT
    stty -echo
  fi
  IFS= read -r secret || :
  if [ -t 0 ]; then
    stty echo
    trap 'stop 129' HUP
    trap 'stop 130' INT
    printf '\n' >&2
  fi
}

# take_input: keeps the document of a step, with secrets in place of their marks.
take_input() {
  if [ "$marker" = - ]; then
    : >"$work/input"
  elif [ -z "$marks" ]; then
    cat >"$work/input"
  else
    MARKS=$marks awk '
      BEGIN {
        count = split(ENVIRON["MARKS"], lines, "\n")
        for (i = 1; i < count; i++) {
          at = index(lines[i], " ")
          mark[i] = substr(lines[i], 1, at - 1)
          text[i] = substr(lines[i], at + 1)
        }
      }
      {
        line = $0
        for (i = 1; i < count; i++) {
          done = ""
          while ((at = index(line, mark[i])) > 0) {
            done = done substr(line, 1, at - 1) text[i]
            line = substr(line, at + length(mark[i]))
          }
          line = done line
        }
        print line
      }' >"$work/input"
  fi
  marker=-
}

# persist TOOL WORDS: runs a tool on a document, again while the cluster is not ready for it, for two minutes at most.
persist() {
  if [ "$dry_run" = yes ]; then
    run "$@"
    return
  fi
  take_input
  rounds=24
  while :; do
    code=0
    run "$@" <"$work/input" 2>"$work/error" || code=$?
    cat "$work/error" >&2
    if [ "$code" -eq 0 ]; then
      is_going || return 0
      code=1
    fi
    rounds=$((rounds - 1))
    if [ "$rounds" -lt 1 ] || [ "$((rounds * 5 + timeout))" -lt 120 ] || ! passing; then
      return "$code"
    fi
    say 'the cluster is not ready for this yet: trying again'
    sleep 5
  done
}

# poll WORDS: repeats a kubectl command while its object does not exist yet, no longer than the timeout.
# Any other failure ends the script.
poll() {
  if [ "$dry_run" = yes ]; then
    run kubectl "$@"
    return
  fi
  rounds=$((timeout / 2 + 1))
  while :; do
    code=0
    run kubectl "$@" >&2 2>"$work/error" || code=$?
    if [ "$code" -eq 0 ]; then
      return
    fi
    case $(cat "$work/error") in
      *NotFound* | *'not found'* | *'no matching resources found'* | *"doesn't have a resource type"*) ;;
      *) rounds=0 ;;
    esac
    rounds=$((rounds - 1))
    if [ "$rounds" -lt 1 ]; then
      cat "$work/error" >&2
      return "$code"
    fi
    sleep 2
  done
}

# await_crds NAMES: waits until the API server serves custom resource definitions.
await_crds() {
  poll get crd "$@" -o name
  poll wait crd "$@" --for=condition=Established --timeout="${timeout}s"
}

# poll_wait NAMESPACE WORDS: waits with kubectl for what an order names, which may not exist yet.
poll_wait() {
  waiting=$1
  shift
  poll wait "$@"
  waiting=
}
