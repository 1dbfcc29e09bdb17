// PreToolUse, Bash: no commit without a plan. Exit code 2 stops the call, and the agent gets stderr.
import { hasPlan, readPayload } from './payload.mjs';

/** Matches `git commit` at the start of a command, also `git -C folder commit`, but not `git commit-tree` or quoted text. */
const COMMITS = /(?:^|[;&|(\n])\s*(?:\w+=\S*\s+)*git(?:\s+-[cC]\s+\S+|\s+-\S+)*\s+commit(?![\w-])/;

const payload = readPayload();
if (COMMITS.test(payload.tool_input?.command ?? '') && !hasPlan(payload)) {
  process.stderr.write(
    'agent-loop: nothing is committed without a plan. Expected PLAN.md, found none. ' +
      'Begin with /agent-loop:explore, then /agent-loop:plan and /agent-loop:code.\n',
  );
  process.exitCode = 2;
}
