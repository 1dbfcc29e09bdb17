#!/bin/sh
# Usage: ./run.sh <path of ralph>
# Exit code 0: Ralph keeps its promise. 1: it does not. 2: this script cannot say.
here=$(cd "$(dirname "$0")" && pwd)
ralph=$(cd "$(dirname "${1:?path of ralph}")" && pwd)/$(basename "$1")
[ -x "$ralph" ] || { echo "$ralph: not a program" >&2; exit 2; }
dir=$(mktemp -d) || exit 2
mkdir "$dir/home" "$dir/bug" && cp -R "$here/workspace" "$dir/project" && cd "$dir/project" || exit 2
export HOME="$dir/home" BUG="$dir/bug" RALPH_DIAGNOSTICS=1 GIT_CONFIG_NOSYSTEM=1 TERM=dumb
export GIT_AUTHOR_NAME=bug GIT_AUTHOR_EMAIL=bug@localhost GIT_COMMITTER_NAME=bug GIT_COMMITTER_EMAIL=bug@localhost
export PATH="$here/bin:$(dirname "$ralph"):$PATH"
git init -q -b main && git add -A && git commit -q -m start || exit 2
errand() { name=$1; shift; "$@" > "$dir/$name.txt" 2> "$dir/$name-errors.txt" < /dev/null; echo $? > "$dir/$name-code.txt"; }
"$ralph" run -c ralph.yml --no-tui -P prompt.md > "$dir/stdout.txt" 2> "$dir/stderr.txt" < /dev/null &
pid=$!
( i=0; while [ $i -lt 120 ] && kill -0 "$pid"; do sleep 1; i=$((i + 1)); done; kill -9 "$pid" ) > /dev/null 2>&1 &
wait "$pid" 2> /dev/null
code=$?
[ -e "$BUG/callers" ] || { cat "$dir/stderr.txt"; echo 'Ralph did not start the agent'; exit 2; } >&2
errand command-1 "$ralph" tools memory prime --budget 32

alive() { ps -o args= -p "$1" 2>/dev/null | grep -q -e "$here/bin" -e 'sleep 3600'; }
matches() { grep -qE -e "$@" 2>/dev/null; }
answered() { [ "$(cat "$dir/$1-code.txt")" = "$2" ] && "$3" "$4" "$dir/$1.txt" "$dir/$1-errors.txt"; }
status=0
broken() { echo "broken: $1"; status=1; }
answered command-1 0 matches 'truncated: budget 32 tokens exceeded' || broken '"tools memory prime --budget 32" exits with 0 and prints /truncated: budget 32 tokens exceeded/'
for p in $(cat "$BUG/pids" 2>/dev/null); do alive "$p" && kill -9 "$p"; done
echo "Ralph exited with $code. What it left is in $dir."
exit $status
