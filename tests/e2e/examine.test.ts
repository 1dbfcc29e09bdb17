import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, tempFolder } from '../support/cli.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));
const DEBUG_LINE = '{"timestamp":"t","level":"DEBUG","target":"ralph_core::a","message":"looked closer"}';

/** The stand-in as a Ralph that fails while the condition holds in `$here`, and logs more with --verbose. */
async function runFailing(condition: string, ...args: string[]) {
  const cwd = tempFolder();
  const ralph = join(cwd, 'ralph');
  const script = [
    `[ "$*" = --version ] && echo 'ralph 2.10.1' && exit`,
    `[ "$1" = run ] || exec ${STAND_IN} "$@"`,
    `${STAND_IN} "$@"`,
    'code=$?',
    `case " $* " in *" --verbose "*) echo '${DEBUG_LINE}' >> "$(echo .ralph/diagnostics/*/)trace.jsonl";; esac`,
    `here=${cwd}`,
    `if ${condition}; then exit 7; fi`,
    'exit $code',
  ];
  writeFileSync(ralph, `#!/bin/sh\n${script.join('\n')}\n`, { mode: 0o755 });
  const { stdout } = await callCli(
    ['claude', '--mock', '--test', 'claude-connect', '--json', '--ralph', ralph, ...args],
    { cwd, analysis: true },
  );
  const report = reportSchema.parse(JSON.parse(stdout));
  return { failed: report.summary.failed, examined: report.results[0]?.examined };
}

test('a failed test runs again with the debug log of Ralph, once', async () => {
  expect(await runFailing('true')).toMatchObject({
    failed: 1,
    examined: { recurred: true, log: expect.arrayContaining(['DEBUG ralph_core::a: looked closer']) },
  });
});

test('a failure that does not recur stays a failure, and the report says so', async () => {
  const onlyOnce = 'mkdir $here/seen 2>/dev/null';
  expect(await runFailing(onlyOnce)).toMatchObject({ failed: 1, examined: { recurred: false } });
});

test('--skip-analysis leaves it out', async () => {
  expect(await runFailing('true', '--skip-analysis')).toEqual({ failed: 1, examined: null });
});
