# say TEXT: tells what happens, on standard error.
say() {
  tell info "$*"
}

# warn TEXT: tells what may matter.
warn() {
  tell warning "warning: $*"
}

# fail CODE MESSAGE: ends the script.
fail() {
  tell error "error: $2"
  exit "$1"
}

# tell LEVEL TEXT: prints a line, with --json as an object of its own.
tell() {
  if [ "$json" = no ]; then
    printf '%s\n' "$2" >&2
    return
  fi
  printf '{"time":"%s","level":"%s","step":"%s","message":"%s"}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$(as_json "$step")" "$(as_json "$2")" >&2
}

# open_log: with --json, what tools say on standard error becomes lines of JSON too, each of the step that was told of last.
open_log() {
  logger=
  if [ "$json" = no ] || ! mkfifo "$work/log" 2>/dev/null; then
    return
  fi
  keep_log <"$work/log" 2>&4 4>&- &
  logger=$!
  exec 4>"$work/log" 2>&4
}

# keep_log: tells the lines on standard input; what is told already stays as it is.
keep_log() {
  # Last words come after a signal, and somebody must take them where nobody hears.
  trap '' HUP INT TERM PIPE
  set +e
  while IFS= read -r line; do
    case $line in
      '{"end"}') exit 0 ;;
      '') ;;
      '{"time":'*)
        step=${line#*',"step":"'}
        step=${step%%'","message":'*}
        printf '%s\n' "$line" >&2
        ;;
      [Ee]rror* | *' failed'*) tell error "$line" ;;
      [Ww]arning*) tell warning "$line" ;;
      *) tell info "$line" ;;
    esac
  done
}

# close_log: waits until everything is told. A line ends the log: others may hold it open.
close_log() {
  if [ -n "$logger" ]; then
    trap '' PIPE
    printf '{"end"}\n' >&4
    wait "$logger"
  fi
}

# as_json TEXT: prints a text as the inside of a JSON string.
as_json() {
  printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g; s/	/\\t/g' | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }' | tr -d '\000-\037'
}

# show WORDS: prints a command so that a shell reads it back as it is.
show() {
  gap=
  for word in "$@"; do
    printf '%s' "$gap"
    gap=' '
    case $word in
      '' | *[!A-Za-z0-9_@%+=:,./-]*) printf "'%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")" ;;
      *) printf '%s' "$word" ;;
    esac
  done
  printf '\n'
}

# show_document MARKER WORDS: prints a command and the document on standard input, as a shell reads both back.
show_document() {
  marker=$1
  shift
  if [ "$marker" = - ]; then
    show "$@"
    return
  fi
  printf "%s <<'%s'\n" "$(show "$@")" "$marker"
  cat
  printf '%s\n' "$marker"
}

# run TOOL WORDS: runs a tool with the context that was chosen, or prints the command in a dry run.
run() {
  tool=$1
  shift
  if [ -n "$context" ]; then
    case $tool in
      helm) set -- "$@" --kube-context "$context" ;;
      kubectl) set -- "$@" --context "$context" ;;
    esac
  fi
  if [ "$dry_run" = yes ]; then
    show_document "$marker" "$tool" "$@"
    marker=-
  else
    run_apart "$tool" "$@"
  fi
}

# run_apart WORDS: runs a command beside this script, which ends it when a signal comes: a shell that runs one hears none until it ends.
run_apart() {
  starting=yes
  { "$@" <&3 3<&- 4>&- & } 3<&0
  child=$!
  started_apart
  ended=0
  wait "$child" || ended=$?
  # Its number may soon be another's.
  child=
  return "$ended"
}

# started_apart: ends the script if a signal came before the number of what it started was known.
started_apart() {
  starting=no
  if [ -n "$caught" ]; then
    exit "$caught"
  fi
}

# stop CODE: ends the script after a signal, as soon as it knows what it has to end.
stop() {
  caught=$1
  if [ "$starting" = no ]; then
    exit "$1"
  fi
}
