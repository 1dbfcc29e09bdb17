
config=$PWD/ralph.yml
begun() { for i in $(seq 200); do ls begun .worktrees/*/begun 2> /dev/null | grep -q . && break; sleep 0.05; done; }
look() { echo "== $1"; shift; "$@" 2>&1 < /dev/null; echo "exit $?"; }

"$RALPH_BIN" run -c "$config" --no-tui -p 'Second work.' > second.log 2>&1 & loop=$!
begun
id=$(ls .worktrees)
look stop "$RALPH_BIN" loops stop $id > answer.log
sed "s/$id/ID/g; s/$loop/PID/g" answer.log > stop.txt
touch go .worktrees/*/go
wait
grep -o 'Loop terminated: .*' second.log > second.txt
