import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HOOK_PHASES } from '../../domain/evidence/ralph-words.js';
import { findFile, findProgram } from '../backend/exec-format.js';
import type { RalphConfig } from '../config/config.js';
import { answersVersion, commandOf, listCandidates } from '../config/detect-backend.js';
import { findProblem } from '../config/validate.js';
import { explainMissing } from '../hooks/process.js';
import { makeFolder } from '../store/files.js';

/** The result of one check. */
export interface CheckResult {
  readonly name: string;
  readonly label: string;
  readonly status: 'pass' | 'warn' | 'fail';
  readonly message?: string;
}

/** The results of all checks. */
export interface PreflightReport {
  readonly passed: boolean;
  readonly warnings: number;
  readonly failures: number;
  readonly checks: readonly CheckResult[];
}

type Finding = Omit<CheckResult, 'name'>;
type Check = (config: RalphConfig, workspace: string) => Finding;

const CHECKS: Readonly<Record<string, Check>> = {
  config: checkConfig,
  hooks: checkHooks,
  backend: checkBackend,
  telegram: () => pass('RObot disabled (skipping)'),
  git: checkGit,
  paths: checkPaths,
  tools: checkTools,
  specs: checkSpecs,
};

export const CHECK_NAMES = Object.keys(CHECKS);

/** Runs the named checks in their fixed order. */
export function runPreflight(
  config: RalphConfig,
  workspace: string,
  options: { readonly names: readonly string[]; readonly strict: boolean },
): PreflightReport {
  const checks = Object.entries(CHECKS)
    .filter(([name]) => options.names.includes(name))
    .map(([name, check]): CheckResult => {
      const { label, status, message } = check(config, workspace);
      return { name, label, status, ...(message === undefined ? {} : { message }) };
    });
  const warnings = checks.filter(({ status }) => status === 'warn').length;
  const failures = checks.filter(({ status }) => status === 'fail').length;
  return { passed: failures === 0 && !(options.strict && warnings > 0), warnings, failures, checks };
}

/** Runs the checks that the configuration asks for before a run, if any. */
export function runConfiguredPreflight(config: RalphConfig, workspace: string): PreflightReport | undefined {
  const { enabled, strict, skip } = config.preflight;
  if (!enabled) return undefined;
  const skipped = skip.map((name) => name.toLowerCase());
  return runPreflight(config, workspace, {
    names: CHECK_NAMES.filter((name) => !skipped.includes(name)),
    strict,
  });
}

function checkConfig(config: RalphConfig): Finding {
  const problem = findProblem(config);
  if (problem !== undefined) return fail('Configuration invalid', problem);
  const warnings = config.suppressWarnings ? [] : config.warnings;
  return warnings.length === 0
    ? pass('Configuration valid')
    : warn(`Configuration valid (${warnings.length} warning(s))`, warnings.join('\n'));
}

function checkHooks({ hooks }: RalphConfig, workspace: string): Finding {
  if (!hooks.enabled) return pass('Hooks disabled (skipping)');
  const all = HOOK_PHASES.flatMap((phase) =>
    (hooks.events[phase] ?? []).map((hook, index, others) => ({ phase, hook, index, others })),
  ).sort((a, b) => (a.phase < b.phase ? -1 : 1));
  const duplicates = all.flatMap(({ phase, hook, index, others }) => {
    const first = others.findIndex(({ name }) => name.trim() === hook.name.trim());
    return first >= index || hook.name.trim() === ''
      ? []
      : [
          `hooks.events.${phase}[${index}].name: duplicate hook name '${hook.name.trim()}' (first defined at index ${first}). Hook names must be unique per phase-event.`,
        ];
  });
  const missing = all.flatMap(({ phase, hook, index }) => {
    const command = hook.command[0]?.trim() ?? '';
    const cwd = resolve(workspace, hook.cwd ?? '.');
    if (command === '' || findProgram(command, hook.env.PATH ?? process.env.PATH ?? '', cwd) !== undefined)
      return [];
    const reason = explainMissing(command, cwd)
      .replace(/^command '.*?' /, '')
      .replace(' in PATH', hook.env.PATH === undefined ? ' in process PATH' : ' in hook env PATH');
    return [
      `hooks.events.${phase}[${index}].command '${command}': ${reason}.\nFix: make it an executable file, or call it through an interpreter such as ['bash', 'script.sh'].`,
    ];
  });
  const issues = [...duplicates, ...missing];
  return issues.length === 0
    ? pass(`Hooks validation passed (${all.length} hook(s))`)
    : fail(`Hooks validation failed (${issues.length} issue(s))`, issues.join('\n'));
}

function checkBackend(config: RalphConfig, workspace: string): Finding {
  const { backend, command } = config.cli;
  if (backend === 'auto') {
    const candidates = listCandidates(config);
    const found = candidates.find((name) => answersVersion(commandOf(name)));
    if (found !== undefined) return pass(`Auto backend available (${found})`);
    if (candidates.length === 0)
      return fail('Auto backend selection unavailable', 'All configured adapters are disabled');
    const list = candidates.map((name) => `${name} (${commandOf(name)})`).join(', ');
    return fail('No available backend found', `Checked: ${list}`);
  }
  const program = command === undefined ? commandOf(backend) : (command.trim().split(/\s+/)[0] ?? '');
  if (program === '') return fail('Backend command missing', 'Set cli.command for custom backend');
  if (backend === 'custom') {
    const found = program.includes('/')
      ? findFile(resolve(workspace, program)) !== undefined
      : (process.env.PATH ?? '').split(':').some((folder) => findFile(join(folder, program)) !== undefined);
    return found
      ? pass(`Custom backend available (${program})`)
      : fail('Custom backend not found', `Command not found: ${program}`);
  }
  return answersVersion(program)
    ? pass(`Backend CLI available (${program})`)
    : fail('Backend CLI not available', `Command not found or not executable: ${program}`);
}

function checkGit(_: RalphConfig, workspace: string): Finding {
  if (!existsSync(join(workspace, '.git'))) return pass('Not a git repository (skipping)');
  const branch = git(workspace, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch.status !== 0)
    return fail('Git repository unavailable', `Git command failed: ${branch.stderr.trimEnd()}\n`);
  const status = git(workspace, 'status', '--porcelain');
  if (status.stdout.trim() === '') return pass(`Working tree clean (${branch.stdout.trim()})`);
  return warn(
    'Working tree has uncommitted changes',
    'Commit or stash changes before running for clean diffs',
  );
}

/** Creates missing folders and warns, as the real Ralph does. */
function checkPaths({ core }: RalphConfig, workspace: string): Finding {
  const created: string[] = [];
  for (const [label, path] of [
    ['Scratchpad path unavailable', dirname(resolve(workspace, core.scratchpad.path))],
    ['Specs directory unavailable', `${workspace}/${core.specsDir}`],
  ] as const) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) continue;
    if (found !== undefined) return fail(label, `Path exists but is not a directory: ${path}`);
    makeFolder(path);
    created.push(path);
  }
  return created.length === 0
    ? pass('Workspace paths accessible')
    : warn('Workspace paths created', `Created: ${created.join(', ')}`);
}

function checkTools(_: RalphConfig, workspace: string): Finding {
  if (!existsSync(join(workspace, '.git'))) return pass('Not a git repository (skipping)');
  return findProgram('git', process.env.PATH ?? '', workspace) === undefined
    ? fail('Missing required tools', 'Missing required: git')
    : pass('Required tools available (git)');
}

function checkSpecs({ core }: RalphConfig, workspace: string): Finding {
  const folder = resolve(workspace, core.specsDir);
  if (!existsSync(folder)) return pass('No specs directory (skipping)');
  const specs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.md'))
    .sort();
  if (specs.length === 0) return pass('No spec files found (skipping)');
  const incomplete = specs.filter((name) => !isComplete(readFileSync(join(folder, name), 'utf8')));
  if (incomplete.length === 0) return pass(`${specs.length} spec(s) valid with acceptance criteria`);
  const list = incomplete.map((name) => `${basename(name)}: missing acceptance criteria (Given/When/Then)`);
  return warn(
    `${incomplete.length} of ${specs.length} spec(s) missing acceptance criteria`,
    `Specs should include Given/When/Then acceptance criteria.\n${list.join('\n')}`,
  );
}

function isComplete(spec: string): boolean {
  if (/status: implemented/i.test(spec)) return true;
  const has = (word: string) => new RegExp(`^\\s*(- )?(\\*\\*${word}\\*\\*|${word} )`, 'im').test(spec);
  return has('given') && has('then');
}

function git(workspace: string, ...args: readonly string[]) {
  return spawnSync('git', args, { cwd: workspace, encoding: 'utf8' });
}

function pass(label: string): Finding {
  return { label, status: 'pass' };
}

function warn(label: string, message: string): Finding {
  return { label, status: 'warn', message };
}

function fail(label: string, message: string): Finding {
  return { label, status: 'fail', message };
}
