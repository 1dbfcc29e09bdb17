import { type Check, errandAnswered, loop, scenario } from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { answersOf, askAll, askingOtherwise, type Inquiries, linesOf } from '../../support/inquiries.js';
import { SAYER, SILENT_SAYERS, saidIt, sayIt } from './small-work.js';

const fresh = (backend: string, prompt: string) => ({
  args: ['run', '--dry-run', '--no-tui', '-p', prompt],
  in: 'fresh',
  answer: {
    stdout: linesOf(
      `Prompt: inline text (${prompt})`,
      'Completion promise: LOOP_COMPLETE',
      'Max iterations: 100',
      `Backend: ${backend}`,
    ),
  },
});

const FIRST: Inquiries = {
  initUsage: {
    args: ['init'],
    in: 'fresh',
    answer: {
      stdout:
        /Backends: claude, kiro, kiro-acp, gemini, codex, (?:forge, )?amp, copilot, opencode, pi, custom/,
    },
  },
  init: {
    args: ['init', '--backend', 'opencode'],
    in: 'fresh',
    answer: { stdout: /Created ralph\.yml with opencode backend/ },
  },
  initAccepted: fresh('opencode', 'first'),
  initExisting: {
    args: ['init', '--backend', 'claude'],
    in: 'fresh',
    answer: { exitCode: 1, stderr: /ralph\.yml already exists\. Use --force to overwrite/ },
  },
  initKept: fresh('opencode', 'second'),
  initForced: {
    args: ['init', '--backend', 'gemini', '--force'],
    in: 'fresh',
    answer: { stdout: /Created ralph\.yml with gemini backend/ },
  },
  initReplaced: fresh('gemini', 'third'),
  initUnknown: {
    args: ['init', '--backend', 'nonesuch', '--force'],
    in: 'fresh',
    answer: { exitCode: 1, stderr: /Unknown backend: nonesuch\s+Valid backends: claude, kiro,/ },
  },
  initStillThere: fresh('gemini', 'fourth'),
  initPreset: {
    args: ['init', '--preset', 'debug'],
    in: 'fresh',
    answer: { exitCode: 1, stderr: /`ralph init --preset debug` was removed/ },
  },
  cleanDry: {
    args: ['clean', '--dry-run'],
    in: 'used',
    answer: {
      stdout:
        /^Dry run mode: Would delete directory and all contents:\n +\.ralph\/agent\n(?=[\s\S]*scratchpad\.md)(?=[\s\S]*tasks\.jsonl)/,
    },
  },
  cleanDiagnosticsDry: {
    args: ['clean', '--diagnostics', '--dry-run'],
    in: 'used',
    answer: {
      stdout: /Would delete directory and all contents:\n.*\.ralph\/diagnostics\n +\(1 session directories\)/,
    },
  },
};
const CLEANED: Inquiries = {
  clean: {
    args: ['clean'],
    in: 'used',
    answer: { stdout: /Cleaned: Deleted '\.ralph\/agent' and all contents/ },
  },
  cleanNothing: {
    args: ['clean', '--color', 'never'],
    in: 'used',
    answer: { stdout: /Nothing to clean: Directory '\.ralph\/agent' does not exist/ },
  },
  cleanDiagnostics: {
    args: ['clean', '--diagnostics'],
    in: 'used',
    answer: { stdout: /Cleaned: Deleted '.*\.ralph\/diagnostics' and all contents/ },
  },
  cleanOwn: {
    args: ['clean', '-c', 'core.scratchpad=own/pad.md'],
    in: 'used',
    answer: { stdout: /Cleaned: Deleted 'own' and all contents/ },
  },
};

const usedFiles = {
  'used/kept.txt': 'kept\n',
  'used/ralph.yml': 'cli: { backend: claude }\n',
  'used/.ralph/events.jsonl': '',
  'used/.ralph/agent/scratchpad.md': 'notes\n',
  'used/.ralph/agent/tasks.jsonl': '',
  'used/.ralph/diagnostics/2026-01-01T00-00-00/trace.jsonl': '',
  'used/own/pad.md': 'notes\n',
  'used/own/more.md': 'more\n',
};

/** Writes a new ralph.yml and deletes what earlier runs left. */
export const initAndClean = scenario({
  id: 'init-and-clean',
  ...MECHANICS,
  description: '`ralph init` writes a file that works, and `ralph clean` deletes only what it says',
  covers: ['FR4'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({ maxIterations: 3 }),
    prompt: sayIt(context),
    files: { 'fresh/.gitkeep': '', ...usedFiles },
    before: [
      ...askAll(FIRST),
      { git: ['status', '--porcelain', '--', 'used'] },
      ...askAll(CLEANED),
      { git: ['status', '-s', '--', 'used'] },
    ],
  }),

  expect: (context): Readonly<Record<string, Check>> => ({
    ...saidIt(context),
    dryRunsDeleteNothing: errandAnswered('status --porcelain -- used', { stdout: /^$/ }),
    deletes: errandAnswered('status -s -- used', {
      stdout:
        /^ D used\/\.ralph\/agent\/scratchpad\.md\n D used\/\.ralph\/agent\/tasks\.jsonl\n D used\/\.ralph\/diagnostics\/\S+\n D used\/own\/more\.md\n D used\/own\/pad\.md\n$/,
    }),
    ...answersOf(FIRST),
    ...answersOf(CLEANED),
  }),

  agent: [SAYER],

  saboteurs: {
    'the dry run is none': {
      config: askingOtherwise('clean --dry-run', ({ ralph, ...place }) => ({
        ...place,
        ralph: ralph.slice(0, 1),
      })),
      kills: ['dryRunsDeleteNothing', 'cleanDry'],
    },
    ...SILENT_SAYERS,
  },
});
