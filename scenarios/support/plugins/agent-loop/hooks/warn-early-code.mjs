// UserPromptSubmit: coding without a plan is allowed, but the agent is told.
import { hasPlan, readPayload } from './payload.mjs';

const payload = readPayload();
if (/^\/agent-loop:code\b/.test(payload.prompt ?? '') && !hasPlan(payload)) {
  const additionalContext =
    'agent-loop: there is no PLAN.md. Say so, and suggest /agent-loop:plan before you write code.';
  const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext };
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput })}\n`);
}
