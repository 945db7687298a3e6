#!/usr/bin/env bash
# Checks that the test command of the README passes on a new machine: in a clean clone, in a folder with spaces and Unicode
# characters in its name, as an unprivileged user, and with only Node, npm, git and the POSIX tools on PATH.
# usage: bare-machine.sh [NODE-FOLDER [NPM-CI-FLAG...]]; run as root, it runs the tests as `nobody`.
set -euo pipefail
cd "$(dirname "$0")/../.."
node_folder=${1:-$(dirname "$(command -v node)")}
shift || true

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone="$work/a folder of ünïcode 海/drydock"
mkdir -p "$(dirname "$clone")" "$work/bin" "$work/home" "$work/tmp"
git clone --quiet --no-hardlinks . "$clone"

ln -s "$node_folder/node" "$work/bin/node"
# mktemp is not in POSIX but exists everywhere; the install scripts that the tests run use it.
for tool in npm npx git \
  awk basename cat chmod chown cksum cmp comm cp cut date dd df diff dirname du echo env expand expr false find fold \
  getconf grep head id iconv join kill link ln locale logname ls mkdir mkfifo mktemp mv nice nl nohup od paste pathchk pr \
  printf ps pwd rm rmdir sed sh sleep sort split stty tail tee test touch tr true tsort tty uname uniq unlink wc who \
  xargs; do
  path=$(command -v "$tool" || true)
  case $path in /*) ln -s "$path" "$work/bin/$tool" ;; esac
done

# Keeps only the variables that are needed to reach the registry.
environment=("PATH=$work/bin" "HOME=$work/home" "TMPDIR=$work/tmp" CI=true npm_config_fetch_timeout=60000)
for name in NODE_EXTRA_CA_CERTS SSL_CERT_FILE HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy http_proxy no_proxy; do
  if [ -n "${!name:-}" ]; then environment+=("$name=${!name}"); fi
done

as_user=()
if [ "$(id -u)" -eq 0 ]; then
  user=$(id -u nobody)
  group=$(id -g nobody)
  chown -R "$user:$group" "$work"
  as_user=("$(command -v setpriv)" "--reuid=$user" "--regid=$group" --clear-groups)
fi
run_bare() { (cd "$clone" && "${as_user[@]}" "$(command -v env)" -i "${environment[@]}" "$@"); }

run_bare sh -c 'echo "node $(node --version), npm $(npm --version), user $(id -u), tools: $(ls "${PATH%%:*}" | wc -l)"'
# A stalled download is not the project's fault: try once more.
install=("$(command -v timeout)" 400 npm ci --no-audit --no-fund "$@")
run_bare "${install[@]}" || { echo 'npm ci failed, trying again'; run_bare "${install[@]}"; }
run_bare npm test
