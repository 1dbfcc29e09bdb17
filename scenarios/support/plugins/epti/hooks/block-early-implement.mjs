// UserPromptSubmit: blocks the command to implement until the tests are committed.
import { testsAreCommitted } from './git.mjs';
import { answer, readPayload } from './payload.mjs';

const { prompt = '', project } = readPayload();
if (/^\/epti:implement\b/.test(prompt) && !testsAreCommitted(project)) {
  answer({
    decision: 'block',
    reason: 'epti: commit the tests first. Run /epti:write-tests, /epti:verify-fail and /epti:commit-tests.',
  });
}
