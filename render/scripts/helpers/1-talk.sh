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
  { "$@" <&3 3<&- 4>&- & } 3<&0
  child=$!
  ended=0
  wait "$child" || ended=$?
  # Its number may soon be another's.
  child=
  return "$ended"
}
