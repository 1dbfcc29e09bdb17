import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeReproduction } from '../../src/bug/reproduction.js';
import { agentScriptSchema } from '../../src/domain/agent-script.js';
import { makeEvidence } from '../domain/support/evidence.js';
import { tempFolder } from '../support/cli.js';
import { posixPath } from '../support/posix-path.js';

const WORD = '{{2}}';
const LEFT_OUT = 'The step "write" of "a rule" is left out.';

test.each([
  { what: 'a file that nothing else names', path: 'word.txt', status: 1, said: 'broken: the loop completes' },
  { what: 'a file that the prompt of the workspace names', path: 'plan.md', status: 2, said: LEFT_OUT },
  { what: "a file of Ralph's", path: '.ralph/agent/scratchpad.md', status: 2, said: LEFT_OUT },
])(
  'with a step left out that writes $what, a broken promise exits with $status',
  ({ path, status, said }) => {
    const { stdout, ...result } = reproduce(path, 'exit 1');
    expect(result).toMatchObject({ status, stderr: '' });
    expect(stdout).toContain(said);
    expect(stdout.includes('broken: ')).toBe(status === 1);
  },
);

test('with a step left out, a promise that is kept exits with 0', () => {
  const record = String.raw`"loop.terminate" Reason\ncompleted\n`;
  const kept = `mkdir -p .ralph; echo .ralph/events > .ralph/current-events; printf %s '${record}' > .ralph/events`;
  expect(reproduce('plan.md', kept)).toMatchObject({
    status: 0,
    stdout: expect.not.stringContaining(LEFT_OUT),
  });
});

/** Writes a reproduction whose agent leaves out the step that writes this file, and runs it on a Ralph that ends so. */
function reproduce(path: string, end: string) {
  const respond = {
    steps: [
      { do: 'write', path, text: WORD },
      { do: 'say', text: 'LOOP_COMPLETE' },
    ],
  };
  const when = { event: 'never.seen', prompt: [{ regex: 'word (\\w+)' }] };
  const files = writeReproduction({
    evidence: makeEvidence({ configYaml: 'cli:\n  backend: claude\n', promptText: 'Do it.\n' }),
    script: agentScriptSchema.parse({ format: 1, rules: [{ name: 'a rule', when, respond, turns: [] }] }),
    arrangement: { config: {}, prompt: '', files: { 'notes.md': 'See plan.md.' } },
    commands: ['claude'],
    checks: [
      {
        ...{ key: 'ends', kind: 'completed', category: 'ExitCode' as const, name: 'the loop completes' },
        ...{ passed: false, expected: '', actual: '', diff: null, suggestion: null },
      },
    ],
    ...{ description: 'It completes', reason: null, ralphVersion: '2.10.1', agent: 'Claude' },
    ...{ cwd: '/workspace', places: [] },
  });
  const folder = tempFolder();
  const all = [...files, ['ralph', { content: `#!/bin/sh\n${end}\n`, mode: 0o755 }] as const];
  for (const [name, { content, mode }] of all) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), mode);
  }
  return spawnSync('sh', [join(folder, 'run.sh'), join(folder, 'ralph')], {
    env: { PATH: posixPath(), TMPDIR: folder },
    encoding: 'utf8',
  });
}
