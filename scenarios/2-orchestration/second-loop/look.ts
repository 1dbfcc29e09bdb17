/** What the agent of the first loop asks about the second. Its name is random, so it is replaced with ID. */
export const LOOK = `
ralph=$RALPH_BIN
id=$(ls .worktrees 2>/dev/null)
tree=.worktrees/$id
look() { echo "== $1"; shift; "$@" 2>&1 < /dev/null; echo "exit $?"; }
{
  echo "$id" | grep -cE '^[a-z]+-[a-z]+$'
  git branch --list 'ralph/*'
  cat $tree/untracked.txt $tree/tracked.txt
  [ -e $tree/ignored.txt ] && echo 'the ignored file too'
  cat $tree/deep/deep.txt
  readlink $tree/link.txt $tree/turned.txt
  readlink $tree/.ralph/agent/memories.md $tree/.ralph/specs $tree/.ralph/tasks
  cat $tree/.ralph/agent/context.md
  cat .gitignore
  echo "ignored $(grep -c '^.worktrees/$' .gitignore) times"
} > tree.txt 2>&1
# Every command for loops forgets dead ones, so the registry comes first.
cat .ralph/loops.json > registry.json
"$ralph" loops list --json > listed.json
echo base > base.txt
git add base.txt
git commit --quiet --message 'the base goes on' base.txt
{
  look diff "$ralph" loops diff $id --stat
  look whole "$ralph" loops diff $id
  echo "of the base: $("$ralph" loops diff $id | grep -c base.txt)"
  look button "$ralph" loops merge-button-state $id
  look history "$ralph" loops history $id --json
  SHELL=./shell.sh look attach "$ralph" loops attach $id
  look stop "$ralph" loops stop $id
  look resume "$ralph" loops resume $id
  mkdir $tree/.ralph/suspend-state.json
  look unreadable "$ralph" loops resume $id
  rmdir $tree/.ralph/suspend-state.json
  look publish "$ralph" loops publish-review $id
  look retry "$ralph" loops retry $id
  look part "$ralph" loops diff "$(echo $id | cut -d- -f2)" --stat
  look front "$ralph" loops diff "$(echo $id | cut -d- -f1)-" --stat
  look orphan "$ralph" loops prune
  look unknown "$ralph" loops merge no-such-loop
  look keep "$ralph" loops discard $id
  git worktree list | wc -l
} > commands.txt 2>&1
{
  look discard "$ralph" loops discard --yes $id
  look list "$ralph" loops list
  look prune "$ralph" loops prune
  git branch --list 'ralph/*' | wc -l
  ls .worktrees
} > discarded.txt 2>&1
[ -z "$id" ] || sed -i.bak "s|$PWD|WORKSPACE|g; s/$id/ID/g" tree.txt listed.json commands.txt discarded.txt listed-while.json while.txt
`;
