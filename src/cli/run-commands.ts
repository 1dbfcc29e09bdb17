import type { Command, Option } from 'commander';
import { type ReadValue, readListOf, readOneOf } from '../domain/options/option-values.js';
import { REPORT_CHOICES, REPORT_FORMAT_NAMES } from '../domain/report/formats.js';
import type { Lane } from '../domain/vocabulary.js';
import type { RegradeFlags } from './commands/again/regrade.js';
import type { ReplayFlags } from './commands/again/replay.js';
import type { CompareFlags } from './commands/compare.js';
import type { DoctorFlags } from './commands/doctor.js';
import type { InitFlags } from './commands/drafts/init.js';
import type { NewFlags } from './commands/drafts/new.js';
import type { ProveFlags } from './commands/prove.js';
import type { ResumeFlags } from './commands/resume.js';
import type { MergeFlags } from './commands/shards/merge-reports.js';
import type { ShowFlags } from './commands/show.js';
import { exitCodesHelp } from './exit-codes.js';
import { append, runOption, valueOption } from './input/run-flags.js';

/** Adds the commands around runs: what can be tested, what a run showed, and whether a pass can be trusted. */
export function addRunCommands(program: Command, done: (code: number) => void): void {
  program
    .command('doctor')
    .description('show what this machine can test in each lane, and how to fix what is missing')
    .addOption(runOption('lane', 'look at one lane only: live, scripted, sim'))
    .addOption(runOption('ralph', 'the Ralph to test: a path, or "embedded" for the stand-in'))
    .addOption(runOption('passEnv', 'pass this environment variable through (repeatable)'))
    .addOption(runOption('config'))
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exitCodesHelp('0 a lane can be used (with --lane: that lane)', '2 none can'))
    .action(async (flags: DoctorFlags) => {
      const { doctorCommand } = await import('./commands/doctor.js');
      done(await doctorCommand(flags));
    });
  program
    .command('new')
    .description('draft your own scenario and its agent script')
    .argument('<id>', "the scenario's id: lowercase words joined by hyphens")
    .option(
      '--from <folder>',
      'replay what a Ralph run left in this folder: ralph.yml, PROMPT.md and .ralph/',
    )
    .option('--output <dir>', 'the folder to write the draft to', '.')
    .action(async (id: string, flags: NewFlags) => {
      const { newCommand } = await import('./commands/drafts/new.js');
      done(await newCommand(id, flags));
    });
  program
    .command('init')
    .description(
      'write a GitHub workflow, the ralph-e2e that it installs, and a first scenario into a repository of Ralph or of a plugin',
    )
    .argument('[folder]', 'the repository', '.')
    .option('--for <kind>', 'what the repository contains: ralph or plugin (default: what its files say)')
    .option('--plugin [name]', 'the same as --for plugin; with a name, only this plugin of a marketplace')
    .option('--dry-run', 'show what would be written, and write nothing')
    .action(async (folder: string, flags: InitFlags) => {
      const { initCommand } = await import('./commands/drafts/init.js');
      done(await initCommand(folder, flags));
    });
  program
    .command('prove')
    .description('show that every scenario fails when it should, and only then')
    .argument('[backends...]', 'prove each scenario on all of these backends (default: on its first one)')
    .option('-q, --quiet', 'show only the verdict and what is not proved')
    .option(
      '--filter <pattern>',
      'prove the scenarios whose id or tier contains this text; a glob or a /regex/ works too (repeatable)',
      append,
    )
    .option(
      '--scenarios <file>',
      'prove the scenarios in this module instead of the built-in ones (repeatable)',
      append,
    )
    .addOption(valueOption('--lane <lane>', 'how real the backend is: sim (default), scripted', readOffline))
    .option('--ralph <path>', 'the Ralph to prove on (default: the embedded stand-in)')
    .addOption(
      runOption('jobs', 'how many runs to start at the same time, not counting extra runs that mostly wait'),
    )
    .option(
      '--saboteurs <kinds>',
      'which saboteurs to use: all, none, or a comma-separated list of agent, config, target',
      'all',
    )
    .option('--no-variants', 'do not run honest agents that differ from the script')
    .option('--output <dir>', 'where workspaces, runs and reports go', '.e2e-tests')
    .option('--json', 'print the proof as JSON on stdout; everything else goes to stderr')
    .addHelpText('after', exitCodesHelp('0 proved', '1 not proved', '2 no verdict', '130 interrupted'))
    .action(async (backends: string[], flags: ProveFlags) => {
      const { proveCommand } = await import('./commands/prove.js');
      done(await proveCommand(backends, flags));
    });
  program
    .command('resume')
    .description('go on with a run that was interrupted or killed: same tests, same options, one report')
    .argument('[run]', "the run's id, or the beginning of it (default: the newest that did not finish)")
    .option('-v, --verbose', 'show every check, command line and event')
    .option('-q, --quiet', 'show only the verdict and the tests that failed; on a terminal also the progress')
    .option('--follow', 'show what the agents of running tests say and do, as it happens')
    .addOption(
      runOption(
        'reports',
        `reports to write, comma-separated: ${REPORT_CHOICES.join(', ')} (default: those of the run)`,
      ),
    )
    .addOption(runOption('jobs', 'how many tests to run at the same time (default: as the run)'))
    .option('--yes', 'go on without a question, whatever the estimate of a live run says')
    .option(
      '--trust',
      'go on with a run from another machine or user: load the modules and start the Ralph that it names',
    )
    .option('--output <dir>', 'the folder that contains the runs', '.e2e-tests')
    .option('--json', 'print the report as JSON on stdout; everything else goes to stderr')
    .addHelpText(
      'after',
      exitCodesHelp('0 passed', '1 Ralph broke a promise', '2 no verdict', '130 interrupted'),
    )
    .action(async (run: string | undefined, flags: ResumeFlags) => {
      const { resumeCommand } = await import('./commands/resume.js');
      done(await resumeCommand(run, flags));
    });
  program
    .command('replay')
    .description(
      'play the recorded agents of a live run again on another build of Ralph: offline, and free of charge',
    )
    .argument('<run>', "the run's id, the beginning of it, latest, its folder, or a recording.json")
    .argument('[test]', 'play this test only: its id, or "id [backend]"')
    .option('--ralph <path>', 'the Ralph to test: a path, or "embedded" (default: $RALPH_BIN, then PATH)')
    .option(
      '--scenarios <file>',
      'the scenarios of the recording are in this module (repeatable; default: the built-in ones)',
      append,
    )
    .option('--add-scenarios <file>', 'they are in this module and built in (repeatable)', append)
    .option('--known-issues <file>', 'known issues of this Ralph, by scenario, in YAML or JSON')
    .option('-v, --verbose', 'show every check, command line and event')
    .option('-q, --quiet', 'show only the verdict and the tests that failed')
    .option('--keep-workspace', 'also keep the workspaces of tests that passed')
    .addOption(reportOption())
    .addOption(runOption('jobs', 'how many tests to run at the same time'))
    .addOption(runOption('isolation', 'the sandbox of the recorded agents: bwrap or docker (default: bwrap)'))
    .option('--output <dir>', 'the folder that contains the runs', '.e2e-tests')
    .option('--json', 'print the report as JSON on stdout; everything else goes to stderr')
    .addHelpText(
      'after',
      exitCodesHelp(
        '0 passed',
        '1 Ralph broke a promise',
        '2 no verdict: a test diverged, or none can be replayed',
        '130 interrupted',
      ),
    )
    .action(async (run: string, test: string | undefined, flags: ReplayFlags) => {
      const { replayCommand } = await import('./commands/again/replay.js');
      done(await replayCommand({ run, test }, flags));
    });
  program
    .command('regrade')
    .description("judge the kept evidence of a run again with today's checks; nothing runs")
    .argument('<run>', "the run's id, the beginning of it, latest, or its folder")
    .argument('[test]', 'judge this test only: its id, or "id [backend]"')
    .option(
      '--scenarios <file>',
      'the scenarios of the run are in this module (repeatable; default: the built-in ones)',
      append,
    )
    .option('--add-scenarios <file>', 'they are in this module and built in (repeatable)', append)
    .option('--known-issues <file>', 'known issues of this Ralph, by scenario, in YAML or JSON')
    .option('-v, --verbose', 'show every check, command line and event')
    .option('-q, --quiet', 'show only the verdict and the tests that failed')
    .addOption(reportOption())
    .option('--output <dir>', 'the folder that contains the runs', '.e2e-tests')
    .option('--json', 'print the report as JSON on stdout; everything else goes to stderr')
    .addHelpText('after', exitCodesHelp('0 passed', '1 Ralph broke a promise', '2 no verdict'))
    .action(async (run: string, test: string | undefined, flags: RegradeFlags) => {
      const { regradeCommand } = await import('./commands/again/regrade.js');
      done(await regradeCommand({ run, test }, flags));
    });
  program
    .command('compare')
    .description('compare two runs: new failures by cause, fixed tests, slower tests and so on')
    .argument('[before]', 'the earlier run: its report.json, or its id')
    .argument('[after]', 'the later run (default with --baseline: the latest run)')
    .option(
      '--baseline <file>',
      'the earlier run: a report.json that you keep, such as that of the last release',
    )
    .option('--output <dir>', 'the folder with the runs', '.e2e-tests')
    .option('--json', 'print the comparison as JSON')
    .option('--markdown', 'print the comparison as Markdown')
    .option('--html', 'print the comparison as one self-contained HTML page')
    .addHelpText('after', exitCodesHelp('0 no new failures', '1 new failures', '2 no verdict'))
    .action(async (before: string | undefined, after: string | undefined, flags: CompareFlags) => {
      const { compareCommand } = await import('./commands/compare.js');
      done(await compareCommand([before, after], flags));
    });
  program
    .command('merge-reports')
    .description('merge the shards of a run, each written with --report blob, into one run with its reports')
    .argument('<blobs...>', 'the blobs of all shards, or folders that contain them')
    .option('-v, --verbose', 'show every check, command line and event')
    .option('-q, --quiet', 'show only the verdict and the tests that failed')
    .addOption(reportOption())
    .option('--output <dir>', 'the folder that the merged run goes to', '.e2e-tests')
    .option('--json', 'print the report as JSON on stdout; everything else goes to stderr')
    .addHelpText(
      'after',
      exitCodesHelp('0 passed', '1 Ralph broke a promise', '2 no verdict', '130 interrupted'),
    )
    .action(async (blobs: string[], flags: MergeFlags) => {
      const { mergeReportsCommand } = await import('./commands/shards/merge-reports.js');
      done(await mergeReportsCommand(blobs, flags));
    });
  program
    .command('clean')
    .description('remove the workspaces, runs and reports that ralph-e2e made')
    .option('--output <dir>', 'the folder to clean', '.e2e-tests')
    .action(async (flags: { output: string }) => {
      const { cleanCommand } = await import('./commands/clean.js');
      done(await cleanCommand(flags));
    });
  program
    .command('show')
    .description('print or open the report from an earlier run')
    .argument('[run]', "the run's id, or the beginning of it (default: the latest run)")
    .argument('[test]', 'print the page for one test, named by its id or as "id [backend]"')
    .option(
      '--format <format>',
      `terminal (default), ${REPORT_FORMAT_NAMES.join(', ')}, or release: a few lines for release notes`,
    )
    .option('--everything', 'with a test: print all that its run left behind')
    .option(
      '--prompt [cause]',
      'print the prompt that hands a cause of failures to an agent (default: cause 1)',
    )
    .option(
      '--history [test]',
      'show how often tests passed in the kept runs, their flips, times and cost: all tests, or one',
    )
    .option(
      '--bug [test]',
      'write a folder that reproduces a failure or a known issue with sh, git and Ralph alone, and the text of an issue',
    )
    .option('--all', 'with --bug: for every test that failed or has a known issue')
    .option('--into <dir>', 'with --bug: the folder to write to', 'bugs')
    .option(
      '--scenarios <file>',
      'with --bug: the scenarios of the run are in this module (repeatable; default: the built-in ones)',
      append,
    )
    .option('--json', 'with --list or --history: print it as JSON')
    .option('--open', 'open the report in its default program instead of printing it')
    .option('--list', 'list the runs with their verdicts')
    .option('-v, --verbose', 'in the terminal: show every check, command line and event')
    .option('--output <dir>', 'the folder that contains the runs', '.e2e-tests')
    .action(async (run: string | undefined, test: string | undefined, flags: ShowFlags) => {
      const { showCommand } = await import('./commands/show.js');
      done(await showCommand({ run, test }, flags));
    });
}

/** Reads a lane in which a script plays the agent. The command itself says why another one is no choice. */
const readOffline: ReadValue<Lane> = (text, flag) =>
  text === 'live' ? text : readOneOf(['sim', 'scripted'])(text, flag);

/** The reports of a command that is no run: nothing can be merged with it. */
function reportOption(): Option {
  const help = `reports to write, comma-separated: ${REPORT_FORMAT_NAMES.join(', ')}`;
  return valueOption('--report <formats>', help, readListOf(REPORT_FORMAT_NAMES)).default(
    ['markdown', 'json'],
    'markdown,json',
  );
}
