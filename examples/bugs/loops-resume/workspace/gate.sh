#!/bin/sh
[ -e ready.txt ] || [ "$1" = start ] || exit 0
echo "$1" >> runs.txt
[ "$(grep -c "^$1\$" runs.txt)" -ge "$2" ] && exit 0
name=$1
shift 2
[ "$1" = none ] && exit 3
[ -e "$name.acting" ] && exit 3
touch "$name.acting"
(
  for i in $(seq 600); do grep -q "\"$name\"" .ralph/suspend-state.json 2>/dev/null && break; sleep 0.05; done
  tr -d '\n' < .ralph/suspend-state.json >> suspensions.jsonl
  echo >> suspensions.jsonl
  sleep 0.6
  [ -e calls.txt ] || echo "$name: nobody works" >> meanwhile.txt
  sh -c "$*"
) > "$name.log" 2>&1 < /dev/null &
exit 3
