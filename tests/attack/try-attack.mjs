import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CLI, DIST } from '../../scripts/harness.mjs';

const LIMIT_MS = 60_000;
const MAX_OUTPUT = 1_000_000;

/** Attacks run in a process table and with mounts of their own: one of them once made us end every process there is. */
const CAGE = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
const canCage = spawnSync('unshare', [...CAGE, 'true']).status === 0;

/** What an attack may need, and whether it works here. */
export const means = {
  cage: canCage,
  bwrap: spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', 'true']).status === 0,
};

/** Stands for our stand-in for Ralph in the files of attacks: Ralph's environment has no variables of ours. */
const STANDIN = join(DIST, 'standin/bin/ralph');

/** Commands of attacks call these: the program, and its script. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:RALPH_|CI$|GITHUB_|VITEST)/.test(name)),
  ),
  E2E: `${process.execPath} ${CLI}`,
  CLI,
  NO_COLOR: '1',
};

/** Tries an attack in a fresh folder. Returns what went wrong, or an empty list if nothing did. */
export async function tryAttack(attack) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-attack-'));
  try {
    for (const [name, text] of Object.entries(attack.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text.replaceAll('@STANDIN@', STANDIN));
    }
    let last = { code: null, output: '', hung: false };
    for (const step of attack.steps) last = await shell(step, folder);
    return { ...last, wrong: judge(attack, last, folder) };
  } finally {
    makeRemovable(folder);
  }
}

function judge(attack, { code, output, hung }, folder) {
  if (hung) return ['it hangs'];
  if (attack.control) return code === 0 ? [] : [`the control exits with ${code}`];
  const report = attack.report === null ? null : readReport(join(folder, attack.report ?? 'out/report.json'));
  const stack = /^\s+at .*:\d+:\d+\)?$/m.test(output) && !attack.foreign;
  return [
    ...(code === 0 ? ['it is green: exit code 0'] : []),
    ...(isRun(attack) && report?.passed === true ? ['it is green: a report says passed'] : []),
    ...(passes(report, attack) ? [`it is green: ${attack.attacked} passed`] : []),
    ...(/bug in ralph-e2e/.test(output) ? ['it says that ralph-e2e has a bug'] : []),
    ...(stack ? ['it prints a stack'] : []),
    ...(attack.prints !== undefined && !attack.prints.test(output) ? ['it does not print the verdict'] : []),
  ];
}

/** Whether the judged command is a run: only that one replaces the reports. */
function isRun({ steps }) {
  return / --scenarios /.test(steps.at(-1));
}

function passes(report, { attacked }) {
  if (attacked === undefined || attacked === null || !Array.isArray(report?.results)) return false;
  return (
    report.results.some(({ scenario_id, outcome }) => scenario_id === attacked && outcome === 'passed') &&
    report.run_errors?.length === 0
  );
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // No report, or something else in its place: then nobody reads a verdict there.
    return null;
  }
}

function shell(command, cwd) {
  return new Promise((resolve) => {
    // The shell must not become the command: the first process of a table ignores signals.
    const line = ['sh', '-c', `${command}\nexit $?`];
    const [program, ...args] = canCage ? ['unshare', ...CAGE, ...line] : line;
    const child = spawn(program, args, {
      cwd,
      // The list of the user's own runs is outside of the project, and stays as it is.
      env: { ...env, XDG_STATE_HOME: join(cwd, '.state') },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let hung = false;
    const take = (data) => {
      if (output.length < MAX_OUTPUT) output += data;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const timer = setTimeout(() => {
      hung = true;
      end(child.pid);
    }, LIMIT_MS);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      // What an attack leaves behind must not keep the pipes, or the next attack, busy.
      end(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code: code ?? signal, output, hung });
    });
  });
}

function end(group) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function makeRemovable(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${folder} stays: ${error.message}\n`);
  }
}
