import { readFileSync } from 'node:fs';

/** Reads what Claude Code sends to a hook on stdin, and adds the folder of the project. */
export function readPayload() {
  const payload = JSON.parse(readFileSync(0, 'utf8'));
  return { ...payload, project: process.env.CLAUDE_PROJECT_DIR ?? payload.cwd };
}

/** Answers Claude Code. */
export function answer(output) {
  process.stdout.write(`${JSON.stringify(output)}\n`);
}

/** Stops a tool call and tells the agent why. */
export function deny(reason) {
  answer({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: `epti: ${reason}`,
    },
  });
}
