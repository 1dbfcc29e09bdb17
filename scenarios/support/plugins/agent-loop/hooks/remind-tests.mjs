// PostToolUse, after a file was written: only a reminder.
import { basename } from 'node:path';
import { readPayload } from './payload.mjs';

const { tool_input: input } = readPayload();
const file = basename(input?.file_path ?? input?.notebook_path ?? 'the file');
if (!file.endsWith('.md')) {
  const additionalContext = `agent-loop: ${file} was changed. Run the tests; if they pass, continue with /agent-loop:commit.`;
  const hookSpecificOutput = { hookEventName: 'PostToolUse', additionalContext };
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput })}\n`);
}
