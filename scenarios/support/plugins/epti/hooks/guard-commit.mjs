// PreToolUse, Bash: allows a commit of tests alone at any time, and of anything else only if the tests pass.
import { isTest, pathsToCommit } from './git.mjs';
import { deny, readPayload } from './payload.mjs';
import { runTests } from './run-tests.mjs';

const { tool_input: input, project } = readPayload();
const paths = pathsToCommit(project, input?.command ?? '');
if (paths !== null && !(paths.length > 0 && paths.every(isTest))) {
  const { passed, command, output } = runTests(project);
  if (!passed)
    deny(
      `nothing but tests is committed while tests fail. Continue with /epti:iterate. ${command}:\n${output}`,
    );
}
