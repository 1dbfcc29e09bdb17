#!/bin/sh
# Usage: ./run.sh <path of ralph>
# Exit code 0: Ralph keeps its promise. 1: it does not. 2: this script cannot say.
here=$(cd "$(dirname "$0")" && pwd)
ralph=$(cd "$(dirname "${1:?path of ralph}")" && pwd)/$(basename "$1")
[ -x "$ralph" ] || { echo "$ralph: not a program" >&2; exit 2; }
command -v script > /dev/null || { echo "needs script(1)" >&2; exit 2; }
dir=$(mktemp -d) || exit 2
mkdir "$dir/home" "$dir/bug" && cp -R "$here/workspace" "$dir/project" && cd "$dir/project" || exit 2
export HOME="$dir/home" BUG="$dir/bug" RALPH_DIAGNOSTICS=1 GIT_CONFIG_NOSYSTEM=1 TERM=dumb
export GIT_AUTHOR_NAME=bug GIT_AUTHOR_EMAIL=bug@localhost GIT_COMMITTER_NAME=bug GIT_COMMITTER_EMAIL=bug@localhost
export PATH="$here/bin:$(dirname "$ralph"):$PATH"
git init -q -b main && git add -A && git commit -q -m start || exit 2
over() { [ -e "$dir/over" ] || grep -qs loop.terminate .ralph/events-*.jsonl; }
type_in() { until over || [ -s typed.txt ]; do sleep 1; done; cat typed.txt; until over; do sleep 1; done; for i in 1 2 3 4 5; do printf q; sleep 1; done; }
mkfifo "$dir/in" && type_in > "$dir/in" 2> /dev/null &
until [ -p "$dir/in" ]; do sleep 1; done
script --quiet --return --flush --command "stty rows 40 cols 120; exec '$ralph' run -c ralph.yml -P prompt.md" /dev/null > "$dir/stdout.txt" 2> "$dir/stderr.txt" < "$dir/in" &
pid=$!
( i=0; while [ $i -lt 120 ] && kill -0 "$pid"; do sleep 1; i=$((i + 1)); done; kill -9 "$pid" ) > /dev/null 2>&1 &
wait "$pid" 2> /dev/null
code=$?
[ -e "$BUG/callers" ] || { cat "$dir/stderr.txt"; echo 'Ralph did not start the agent'; exit 2; } >&2
: > "$dir/over"

alive() { ps -o args= -p "$1" 2>/dev/null | grep -q -e "$here/bin" -e 'sleep 3600'; }
ended() { [ "$code" = "$1" ] && grep -q "\"loop.terminate\".*Reason.n$2.n" "$(cat .ralph/current-events)"; }
status=0
broken() { echo "broken: $1"; status=1; }
ended 2 max_iterations || broken 'the loop ends with reason max_iterations'
for p in $(cat "$BUG/pids" 2>/dev/null); do alive "$p" && kill -9 "$p"; done
echo "Ralph exited with $code. What it left is in $dir."
exit $status
