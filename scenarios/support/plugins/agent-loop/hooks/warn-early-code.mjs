// UserPromptSubmit: coding without a plan is allowed, but the agent gets a warning.
import { hasPlan, readPayload } from './payload.mjs';

const payload = readPayload();
if (/^\/agent-loop:code\b/.test(payload.prompt ?? '') && !hasPlan(payload)) {
  const additionalContext =
    'agent-loop: there is no PLAN.md. Before you write code, say "There is no PLAN.md" and suggest /agent-loop:plan.';
  const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext };
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput })}\n`);
}
