import type { Command } from 'commander';
import type { CompareFlags } from './commands/compare.js';
import type { DoctorFlags } from './commands/doctor.js';
import type { NewFlags } from './commands/new.js';
import type { ProveFlags } from './commands/prove.js';
import type { ShowFlags } from './commands/show.js';
import { append } from './input/append.js';

/** The commands around runs: what can be tested, what a run showed, and whether its green means something. */
export function addRunCommands(program: Command, done: (code: number) => void): void {
  program
    .command('doctor')
    .description('show what this machine can test in each lane, and how to fix what is missing')
    .option('--lane <lane>', 'only this lane: live, scripted, sim; exit code 2 when it cannot be used')
    .option('--ralph <path>', 'the ralph to test: a path, or "embedded" for the stand-in')
    .option('--env <name>', 'pass on this variable of your environment (repeatable)', append)
    .option('--json', 'print it as JSON')
    .action(async (flags: DoctorFlags) => {
      const { doctorCommand } = await import('./commands/doctor.js');
      done(await doctorCommand(flags));
    });
  program
    .command('new')
    .description('draft a scenario of your own with its agent script')
    .argument('<id>', 'its id: lowercase words and hyphens')
    .option('--from <folder>', 'play what a run of Ralph left there: ralph.yml, PROMPT.md and .ralph/')
    .option('--output <dir>', 'the folder to write it to', '.')
    .action(async (id: string, flags: NewFlags) => {
      const { newCommand } = await import('./commands/new.js');
      done(await newCommand(id, flags));
    });
  program
    .command('prove')
    .description('show for every scenario that it fails when what it tests is broken')
    .argument('[backends...]', 'backends to prove on, each; by default the first of each scenario')
    .option('-q, --quiet', 'show only what is wrong and the verdict')
    .option(
      '--filter <pattern>',
      'prove what matches: part of an id or tier, glob, or /regex/ (repeatable)',
      append,
    )
    .option('--scenarios <file>', 'scenarios of your own instead of ours: a module (repeatable)', append)
    .option('--lane <lane>', 'how real the backend is: sim, scripted', 'sim')
    .option('--ralph <path>', 'the ralph to prove on: a path; by default the embedded stand-in')
    .option('-j, --jobs <n>', 'how many runs at the same time; those that mostly wait overlap more')
    .option('--saboteurs <kinds>', 'which saboteurs: all, or some of agent, config, target', 'all')
    .option('--output <dir>', 'where workspaces, runs and reports go', '.e2e-tests')
    .option('--json', 'print the proof as JSON on stdout, the rest on stderr')
    .action(async (backends: string[], flags: ProveFlags) => {
      const { proveCommand } = await import('./commands/prove.js');
      done(await proveCommand(backends, flags));
    });
  program
    .command('compare')
    .description('tell what changed between two reports: new failures, fixed, slower and so on')
    .argument('<before>', 'report.json of the earlier run')
    .argument('<after>', 'report.json of the later run')
    .option('--json', 'print it as JSON')
    .option('--markdown', 'print it as markdown')
    .option('--html', 'print it as a page: one file that opens from disk')
    .action(async (before: string, after: string, flags: CompareFlags) => {
      const { compareCommand } = await import('./commands/compare.js');
      done(await compareCommand(before, after, flags));
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
    .description('print or open the report of an earlier run')
    .argument('[run]', 'the id of the run or its beginning; without it the latest')
    .option('--format <format>', 'terminal (the default), or one that --report knows')
    .option('--page <test>', 'the page of one test: its id, or "id [backend]"')
    .option('--open', 'open it instead, as a double click does')
    .option('--list', 'list the runs with their verdicts')
    .option('-v, --verbose', 'in the terminal: every assertion, command line and event')
    .option('--output <dir>', 'the folder of the runs', '.e2e-tests')
    .action(async (run: string | undefined, flags: ShowFlags) => {
      const { showCommand } = await import('./commands/show.js');
      done(await showCommand(run, flags));
    });
}
