// PreToolUse, before a file is written: allows only tests and documents until the tests are committed.
import { relative, resolve } from 'node:path';
import { isDocument, isTest, testsAreCommitted } from './git.mjs';
import { deny, readPayload } from './payload.mjs';

const { tool_input: input, project, cwd = project } = readPayload();
const path = relative(project, resolve(cwd, input?.file_path ?? input?.notebook_path ?? ''));
if (!isTest(path) && !isDocument(path) && !testsAreCommitted(project)) {
  deny(`commit the tests first; ${path} is code. Run /epti:commit-tests, then /epti:implement.`);
}
