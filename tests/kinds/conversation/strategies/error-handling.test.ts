import { describe, expect, it } from 'vitest';
import { assertErrorHandledGracefully } from '../../../../src/kinds/conversation/strategies/error-handling.js';
import { covers } from '../../../coverage/covers.js';

/** How models report each error. None of them offers a way out. */
const REPORTS: Readonly<Record<string, readonly string[]>> = {
  file_not_found: [
    "I couldn't find that file.",
    "I can't find src/parser.js.",
    'I could not locate it anywhere.',
    'I was unable to open `config.yaml`.',
    "The file doesn't exist.",
    'It does **not** exist.',
    'It no longer exists.',
    'There is no file named app.py in this project.',
    "There's no `settings.toml` here.",
    "notes.md isn't there.",
    'notes.md isn’t there.',
    'I can’t seem to find it.',
    'The file could not be found.',
    'Reading it failed: ENOENT.',
    "The path you gave doesn't appear to exist.",
    'src/index.ts is not in this repository.',
    'I searched for it without success.',
    'It seems to have been moved.',
    'That file is missing.',
    'I found no file called main.rs.',
    "The folder doesn't contain a README file.",
  ],
  syntax_error: [
    'app.js has two syntax errors.',
    "Node can't parse app.js.",
    'There is an unexpected token on line 3.',
    "It isn't valid JSON.",
    'A closing brace is missing on line 7.',
    'The string is unterminated.',
    "The module doesn't compile.",
    'Line 4 is malformed.',
  ],
  permission_denied: [
    "I'm not allowed to write there.",
    'I don’t have permission to change that file.',
    'Access was refused.',
    'The hook blocked the edit.',
    "You haven't granted it yet.",
    'This needs root access.',
    "I can't write to /etc/hosts.",
    'The file is read-only.',
    'I lack the necessary permissions.',
  ],
  timeout: [
    'The build timed out.',
    "The server didn't respond.",
    'It took too long.',
    'The tests hung.',
    'It hit the time limit.',
    'The request ran into a time-out.',
  ],
  test_failure: [
    'Two tests fail.',
    "The suite doesn't pass yet.",
    'One test is still red.',
    'The change broke three tests.',
    'Expected 3 but received 1.',
    'The build for Node 20.0 failed.',
    '0 passed, 3 failed.',
  ],
  command_not_found: [
    'zsh does not recognize it: unknown command.',
    'pytest is not installed.',
    "I couldn't run cargo.",
    'There is no /deploy command.',
    "make isn't on the PATH.",
    '/foo is not a valid command.',
  ],
  merge_conflict: ['There is a conflict: the merge stopped.', 'Merging leads to conflicts.'],
  connection_refused: ['The connection was refused.'],
  network_error: ['The network connection failed.'],
  error: ['There was a problem.', 'I could not do it.'],
};

/** What models write when all is well, or about something else. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  file_not_found: [
    'I found the file.',
    'I found the file, and there are no problems with it.',
    'The file exists and nothing is missing.',
    'I did not find any errors in src/app.js.',
    'I did not need to find another file.',
    'I have not read the file yet.',
    'There is no problem with the file.',
    'If the file does not exist, the program makes it.',
    'There was a problem with the network.',
    "The file isn't missing any more.",
  ],
  syntax_error: ['There are no syntax errors.', 'I parsed it and all is fine.', 'The file is missing.'],
  permission_denied: ['I wrote the file.', 'Permission was granted.', 'I did not change the file.'],
  timeout: ['It did not time out.', 'It finished in time.', 'I added a timer.'],
  test_failure: ['All tests pass.', 'No tests failed.', '12 passed, 0 failed.', 'None of the tests fail.'],
  command_not_found: ['I ran the command.', 'The command is installed.'],
  merge_conflict: ['I merged the branch.', 'There are no merge conflicts.'],
  connection_refused: ['The connection works.'],
  error: ['All done. I did not touch other files.'],
};

const rows = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([type, texts]) => texts.map((text) => [type, text] as const));

describe('an error that is handled gracefully', () => {
  covers('H30', 'C47');

  it.each(rows(REPORTS))('is acknowledged (%s): %s', (type, text) => {
    expect(assertErrorHandledGracefully(text, type, { shouldRecover: false })).toMatchObject({
      ...{ passed: true, graceful: true, acknowledges_error: true, error_acknowledged: true },
    });
  });

  it.each(rows(OTHERS))('is not acknowledged (%s): %s', (type, text) => {
    expect(assertErrorHandledGracefully(text, type, { shouldRecover: false })).toMatchObject({
      ...{ passed: false, graceful: false, acknowledges_error: false, error_acknowledged: false },
    });
  });

  it.each([
    'Let me check the folder.',
    'Let’s look at the project first.',
    'Did you mean src/app.js?',
    'I can create it.',
    'Could you give me the full path?',
    "I'd suggest another path.",
    'Would you like another one?',
  ])('comes with a way to recover: %s', (way) => {
    expect(assertErrorHandledGracefully(`The file was not found. ${way}`, 'file_not_found')).toMatchObject({
      ...{ passed: true, suggests_recovery: true, recovery_suggested: true, recovery_actions: [way] },
    });
  });

  it.each(['The file was not found.', "I couldn't find the file. It could not be opened."])(
    'needs a way to recover unless nobody requires one: %s',
    (text) => {
      expect(assertErrorHandledGracefully(text, 'file_not_found')).toMatchObject({
        ...{ passed: false, graceful: true, suggests_recovery: false, recovery_suggested: false },
      });
      expect(assertErrorHandledGracefully(text, 'file_not_found', { shouldRecover: false }).passed).toBe(
        true,
      );
    },
  );

  it.each([
    ['Python', 'Traceback (most recent call last):\n  File "a.py", line 1'],
    ['Node', 'Error: ENOENT\n    at open (node:fs:573:18)'],
    ['Node modules', 'Error: ENOENT\n    at file:///app/a.js:3:1'],
    ['Java', 'Exception in thread "main" java.io.FileNotFoundException'],
    ['Go', 'panic: open a: no such file'],
    ['Rust', "thread 'main' panicked at src/main.rs:2"],
  ])('is not a raw crash of %s', (_what, crash) => {
    const text = `The file was not found. Let me check.\n${crash}\n`;
    expect(assertErrorHandledGracefully(text, 'file_not_found')).toMatchObject({
      ...{ passed: false, graceful: false, acknowledges_error: true },
      details: 'the answer contains a raw crash',
    });
  });

  it('may be called an error', () => {
    const text = 'Error: file not found. Let me check the folder.';
    expect(assertErrorHandledGracefully(text, 'file_not_found')).toMatchObject({
      passed: true,
      graceful: true,
    });
  });
});
