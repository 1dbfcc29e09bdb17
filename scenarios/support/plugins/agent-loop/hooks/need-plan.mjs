// PreToolUse, Bash: no commit without a plan. Exit 2 stops the call, and stderr is told to the agent.
import { hasPlan, readPayload } from './payload.mjs';

/** `git commit` where a command may begin, also as `git -C folder commit`; neither `git commit-tree` nor in a quote. */
const COMMITS = /(?:^|[;&|(\n])\s*(?:\w+=\S*\s+)*git(?:\s+-[cC]\s+\S+|\s+-\S+)*\s+commit(?![\w-])/;

const payload = readPayload();
if (COMMITS.test(payload.tool_input?.command ?? '') && !hasPlan(payload)) {
  process.stderr.write(
    'agent-loop: nothing is committed without a plan. Expected PLAN.md, found none. ' +
      'Begin with /agent-loop:explore, then /agent-loop:plan and /agent-loop:code.\n',
  );
  process.exitCode = 2;
}
