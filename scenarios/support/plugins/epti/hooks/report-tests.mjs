// PostToolUse, after a file was written: tells the agent whether the tests pass now.
import { answer, readPayload } from './payload.mjs';
import { runTests } from './run-tests.mjs';

const { tool_input: input, project } = readPayload();
if (!/\.md$/.test(input?.file_path ?? '')) {
  const { passed, command, output } = runTests(project);
  const additionalContext = `epti: ${command} ${passed ? 'passes' : 'fails'}.\n${output}`;
  answer({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } });
}
