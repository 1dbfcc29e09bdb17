import type { Command, Option } from 'commander';
import { type ReadValue, readListOf, readOneOf } from '../domain/options/option-values.js';
import { REPORT_CHOICES, REPORT_FORMAT_NAMES, SHOWN_FORMATS } from '../domain/report/formats.js';
import { DEFAULT_OUTPUT } from '../domain/run-call.js';
import type { Lane } from '../domain/vocabulary.js';
import { addCommand, type DeclaredCommand, flag } from './command.js';
import type { RegradeFlags } from './commands/again/regrade.js';
import type { ReplayFlags } from './commands/again/replay.js';
import type { CompareFlags } from './commands/compare.js';
import type { DoctorFlags } from './commands/doctor.js';
import type { InitFlags } from './commands/drafts/init.js';
import type { NewFlags } from './commands/drafts/new.js';
import type { MergeFlags } from './commands/merge-reports.js';
import type { ProveFlags } from './commands/prove.js';
import type { ResumeFlags } from './commands/resume.js';
import type { ShowFlags } from './commands/show.js';
import { VERDICT_CODES } from './exit-codes.js';
import { runOption, valueOption } from './input/run-flags.js';

/** Adds the commands around runs: what can be tested, what a run showed, and whether a pass can be trusted. */
export function addRunCommands(program: Command, done: (code: number) => void): void {
  const add = (command: DeclaredCommand) => addCommand(program, command, done);
  add({
    name: 'doctor',
    summary: 'show what this machine can test, and how to fix the rest',
    options: [
      runOption('lane', 'look at one lane only: live, scripted, sim'),
      runOption('ralph', 'the Ralph to test: a path, or "embedded" for the stand-in'),
      runOption('passEnv', 'pass this environment variable through (repeatable)'),
      runOption('config'),
      runOption('json', 'print the result as JSON'),
    ],
    codes: ['0 a lane can be used (with --lane: that lane)', '2 none can'],
    examples: ['ralph-e2e doctor', 'ralph-e2e doctor --lane scripted'],
    run: async (flags: DoctorFlags) => (await import('./commands/doctor.js')).doctorCommand(flags),
  });
  add({
    name: 'new',
    summary: 'draft your own scenario and its agent script',
    args: [['<id>', "the scenario's id: lowercase words joined by hyphens"]],
    options: [
      flag(
        '--from <folder>',
        'replay what a Ralph run left in this folder: ralph.yml, PROMPT.md and .ralph/',
      ),
      flag('--output <dir>', 'the folder to write the draft to', '.'),
    ],
    examples: ['ralph-e2e new my-scenario'],
    run: async (id: string, flags: NewFlags) =>
      (await import('./commands/drafts/new.js')).newCommand(id, flags),
  });
  add({
    name: 'init',
    summary: 'write a GitHub workflow and a first scenario',
    description:
      'write a GitHub workflow, the ralph-e2e that it installs, and a first scenario into a repository of Ralph or of a plugin',
    args: [['[folder]', 'the repository', '.']],
    options: [
      flag('--for <kind>', 'what the repository contains: ralph or plugin (default: what its files say)'),
      flag('--plugin [name]', 'the same as --for plugin; with a name, only this plugin of a marketplace'),
      flag('--dry-run', 'show what would be written, and write nothing'),
    ],
    examples: ['ralph-e2e init --dry-run'],
    run: async (folder: string, flags: InitFlags) =>
      (await import('./commands/drafts/init.js')).initCommand(folder, flags),
  });
  add({
    name: 'prove',
    summary: 'show that every check fails when it should',
    description: 'show that every scenario fails when it should, and only then',
    args: [['[backends...]', 'prove each scenario on all of these backends (default: on its first one)']],
    options: [
      runOption('quiet', 'show only the verdict and what is not proved'),
      runOption(
        'filters',
        'prove the scenarios whose id or tier contains this text; a glob or a /regex/ works too (repeatable)',
      ),
      runOption('scenarios', 'prove the scenarios in this module instead of the built-in ones (repeatable)'),
      valueOption('--lane <lane>', 'how real the backend is: sim (default), scripted', readOffline),
      runOption('ralph', 'the Ralph to prove on (default: the embedded stand-in)'),
      runOption('jobs', 'how many runs to start at the same time, not counting extra runs that mostly wait'),
      flag(
        '--saboteurs <kinds>',
        'which saboteurs to use: all, none, or a comma-separated list of agent, config, target',
        'all',
      ),
      flag('--no-variants', 'do not run honest agents that differ from the script'),
      folderOption('where workspaces, runs and reports go'),
      runOption('json', 'print the proof as JSON on stdout; everything else goes to stderr'),
    ],
    codes: ['0 proved', '1 not proved', '2 no verdict', '130 interrupted'],
    examples: ['ralph-e2e prove --filter hat-single', 'ralph-e2e prove --scenarios my-scenario.scenario.mjs'],
    run: async (backends: string[], flags: ProveFlags) =>
      (await import('./commands/prove.js')).proveCommand(backends, flags),
  });
  add({
    name: 'resume',
    summary: 'go on with a run that was interrupted or killed',
    description: 'go on with a run that was interrupted or killed: same tests, same options, one report',
    args: [['[run]', "the run's id, or the beginning of it (default: the newest that did not finish)"]],
    options: [
      runOption('verbose'),
      runOption('quiet'),
      runOption('follow', 'show what the agents of running tests say and do, as it happens'),
      runOption(
        'reports',
        `reports to write, comma-separated: ${REPORT_CHOICES.join(', ')} (default: those of the run)`,
      ),
      runOption('jobs', 'how many tests to run at the same time (default: as the run)'),
      runOption('yes', 'go on without a question, whatever the estimate of a live run says'),
      flag(
        '--trust',
        'go on with a run from another machine or user: load the modules and start the Ralph that it names',
      ),
      ...reportedRuns(),
    ],
    codes: VERDICT_CODES,
    examples: ['ralph-e2e resume'],
    run: async (run: string | undefined, flags: ResumeFlags) =>
      (await import('./commands/resume.js')).resumeCommand(run, flags),
  });
  add({
    name: 'replay',
    summary: 'play recorded agents again on another Ralph',
    description:
      'play the recorded agents of a live run again on another build of Ralph: offline, and free of charge',
    args: [
      ['<run>', "the run's id, the beginning of it, latest, its folder, or a recording.json"],
      ['[test]', 'play this test only: its id, or "id [backend]"'],
    ],
    options: [
      runOption('ralph', 'the Ralph to test: a path, or "embedded" (default: $RALPH_BIN, then PATH)'),
      ...scenariosOfRun(),
      runOption('verbose'),
      runOption('quiet'),
      runOption('keepWorkspace', 'also keep the workspaces of tests that passed'),
      reportOption(),
      runOption('jobs', 'how many tests to run at the same time'),
      runOption('isolation', 'the sandbox of the recorded agents: bwrap or docker (default: bwrap)'),
      ...reportedRuns(),
    ],
    codes: [
      '0 passed',
      '1 Ralph broke a promise',
      '2 no verdict: a test diverged, or none can be replayed',
      '130 interrupted',
    ],
    examples: ['ralph-e2e replay latest --ralph ./target/debug/ralph'],
    run: async (run: string, test: string | undefined, flags: ReplayFlags) =>
      (await import('./commands/again/replay.js')).replayCommand({ run, test }, flags),
  });
  add({
    name: 'regrade',
    summary: "judge the kept evidence of a run with today's checks",
    description: "judge the kept evidence of a run again with today's checks; nothing runs",
    args: [
      ['<run>', "the run's id, the beginning of it, latest, or its folder"],
      ['[test]', 'judge this test only: its id, or "id [backend]"'],
    ],
    options: [
      ...scenariosOfRun(),
      runOption('verbose'),
      runOption('quiet'),
      reportOption(),
      ...reportedRuns(),
    ],
    codes: VERDICT_CODES.slice(0, 3),
    examples: ['ralph-e2e regrade latest'],
    run: async (run: string, test: string | undefined, flags: RegradeFlags) =>
      (await import('./commands/again/regrade.js')).regradeCommand({ run, test }, flags),
  });
  add({
    name: 'compare',
    summary: 'compare two runs: new failures, fixed and slower tests',
    description: 'compare two runs: new failures by cause, fixed tests, slower tests and so on',
    args: [
      ['[before]', 'the earlier run: its report.json, or its id'],
      ['[after]', 'the later run (default with --baseline: the latest run)'],
    ],
    options: [
      flag(
        '--baseline <file>',
        'the earlier run: a report.json that you keep, such as that of the last release',
      ),
      folderOption('the folder with the runs'),
      runOption('json', 'print the comparison as JSON'),
      flag('--markdown', 'print the comparison as Markdown'),
      flag('--html', 'print the comparison as one self-contained HTML page'),
    ],
    codes: ['0 no new failures', '1 new failures', '2 no verdict'],
    examples: ['ralph-e2e compare --baseline v2.10.1.json'],
    run: async (before: string | undefined, after: string | undefined, flags: CompareFlags) =>
      (await import('./commands/compare.js')).compareCommand([before, after], flags),
  });
  add({
    name: 'merge-reports',
    summary: 'merge the shards of a run into one run',
    description: 'merge the shards of a run, each written with --report blob, into one run with its reports',
    args: [['<blobs...>', 'the blobs of all shards, or folders that contain them']],
    options: [
      runOption('verbose'),
      runOption('quiet'),
      reportOption(),
      ...reportedRuns('the folder that the merged run goes to'),
    ],
    codes: VERDICT_CODES,
    examples: ['ralph-e2e merge-reports blobs/ --report markdown,json,html'],
    run: async (blobs: string[], flags: MergeFlags) =>
      (await import('./commands/merge-reports.js')).mergeReportsCommand(blobs, flags),
  });
  add({
    name: 'clean',
    summary: 'remove what ralph-e2e made',
    description: 'remove the workspaces, runs and reports that ralph-e2e made',
    options: [folderOption('the folder to clean')],
    examples: ['ralph-e2e clean'],
    run: async (flags: { output: string }) => (await import('./commands/clean.js')).cleanCommand(flags),
  });
  add({
    name: 'show',
    summary: 'print or open the report of an earlier run',
    args: [
      ['[run]', "the run's id, or the beginning of it (default: the latest run)"],
      ['[test]', 'print the page for one test, named by its id or as "id [backend]"'],
    ],
    options: [
      valueOption(
        '--format <format>',
        `terminal (default), ${REPORT_FORMAT_NAMES.join(', ')}, or release: a few lines for release notes`,
        readOneOf(SHOWN_FORMATS),
      ),
      flag('--everything', 'with a test: print all that its run left behind'),
      flag(
        '--prompt [cause]',
        'print the prompt that hands a cause of failures to an agent (default: cause 1)',
      ),
      flag(
        '--history [test]',
        'show how often tests passed in the kept runs, their flips, times and cost: all tests, or one',
      ),
      flag(
        '--bug [test]',
        'write a folder that reproduces a failure or a known issue with sh, git and Ralph alone, and the text of an issue',
      ),
      flag('--all', 'with --bug: for every test that failed or has a known issue'),
      flag('--into <dir>', 'with --bug: the folder to write to', 'bugs'),
      runOption(
        'scenarios',
        'with --bug: the scenarios of the run are in this module (repeatable; default: the built-in ones)',
      ),
      runOption('json', 'with --list or --history: print it as JSON'),
      flag('--open', 'open the report in its default program instead of printing it'),
      flag('--list', 'list the runs with their verdicts'),
      runOption('verbose', 'in the terminal: show every check, command line and event'),
      folderOption('the folder that contains the runs'),
    ],
    examples: ['ralph-e2e show', 'ralph-e2e show --list', 'ralph-e2e show --prompt'],
    run: async (run: string | undefined, test: string | undefined, flags: ShowFlags) =>
      (await import('./commands/show.js')).showCommand({ run, test }, flags),
  });
}

/** The folder of runs. */
function folderOption(help: string): Option {
  return runOption('output', help).default(DEFAULT_OUTPUT);
}

/** The options of a command that ends with the report of a run. */
function reportedRuns(help = 'the folder that contains the runs'): Option[] {
  return [
    folderOption(help),
    runOption('json', 'print the report as JSON on stdout; everything else goes to stderr'),
  ];
}

/** What an earlier run tested. It names that itself, but a run may be anybody's. */
function scenariosOfRun(): Option[] {
  return [
    runOption(
      'scenarios',
      'the scenarios of the run are in this module (repeatable; default: the built-in ones)',
    ),
    runOption('addScenarios', 'they are in this module and built in (repeatable)'),
    runOption('knownIssues'),
  ];
}

/** Reads a lane in which a script plays the agent. The command itself says why another one is no choice. */
const readOffline: ReadValue<Lane> = (text, name) =>
  text === 'live' ? text : readOneOf(['sim', 'scripted'])(text, name);

/** The reports of a command that is no run: nothing can be merged with it. */
function reportOption(): Option {
  const help = `reports to write, comma-separated: ${REPORT_FORMAT_NAMES.join(', ')}`;
  return valueOption('--report <formats>', help, readListOf(REPORT_FORMAT_NAMES)).default(
    ['markdown', 'json'],
    'markdown,json',
  );
}
