import {
  type Check,
  completed,
  errandAnswered,
  loop,
  onObjective,
  promptContained,
  scenario,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import {
  answersOf,
  askAll,
  type Inquiries,
  linesOf,
  rewriting,
  textWithout,
} from '../../support/inquiries.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/*
 * Where settings come from, and which one wins. Only Ralph decides this and a model would add nothing, so the harness
 * asks Ralph itself: a dry run prints the configuration after all layers.
 */

const DRY = ['run', '--dry-run', '--no-tui', '-p', 'hello'];

/** The defaults, as a dry run prints them. */
const DEFAULTS = [
  'Hats: planner, builder (default)',
  'Prompt: inline text (hello)',
  'Completion promise: LOOP_COMPLETE',
  'Max iterations: 100',
  'Max runtime: 14400s',
  'Scratchpad: .ralph/agent/scratchpad.md (enabled: true)',
  'Specs dir: .ralph/specs/',
  'Backend: claude',
  'Verbose: false',
  'Default mode: autonomous',
];

const LAYERS: Inquiries = {
  defaults: { args: DRY, in: 'empty', answer: { stdout: linesOf(...DEFAULTS) } },
  defaultFile: {
    args: [...DRY, '--verbose'],
    in: 'project',
    answer: { stdout: linesOf('Completion promise: OF_PROJECT', 'Max iterations: 100', 'Verbose: true') },
  },
  variable: {
    args: [...DRY, '--max-iterations', '5'],
    in: 'project',
    env: { RALPH_CONFIG: 'other.yml' },
    answer: { stdout: linesOf('Completion promise: OF_OTHER', 'Max iterations: 5', 'Max runtime: 14400s') },
  },
  flagBeforeVariable: {
    args: [...DRY, '-c', 'third.yml'],
    in: 'project',
    env: { RALPH_CONFIG: 'other.yml' },
    answer: { stdout: linesOf('Completion promise: OF_THIRD') },
  },
  flagBeforeCommand: {
    args: ['-c', 'third.yml', ...DRY],
    in: 'project',
    answer: { stdout: linesOf('Completion promise: OF_THIRD') },
  },
  firstOfSeveral: {
    args: [...DRY, '-c', 'other.yml', '-c', 'ralph.yml'],
    in: 'project',
    answer: { stdout: /WARN.*Multiple config sources specified[\s\S]*Completion promise: OF_OTHER$/m },
  },
  missingFile: {
    args: [...DRY, '-c', 'nowhere.yml'],
    in: 'project',
    answer: {
      stdout: /WARN.*nowhere\.yml.*not found, using defaults[\s\S]*Completion promise: LOOP_COMPLETE$/m,
    },
  },
  userFile: {
    args: [...DRY, '-c', 'ralph.yml'],
    in: 'project',
    env: { HOME: '../home' },
    // The number is the user's, the promise and the time are the project's, and the list is replaced.
    answer: {
      stdout:
        /Completion promise: OF_PROJECT\n +Max iterations: 31\n +Max runtime: 77s[\s\S]*Preflight: . config . hooks . backend . git . paths . tools . specs/,
    },
  },
  userFileAlone: {
    args: [...DRY, '-c', 'nowhere.yml', '--skip-preflight'],
    in: 'empty',
    env: { HOME: '../home' },
    answer: { stdout: linesOf('Completion promise: OF_USER', 'Max iterations: 31', 'Max runtime: 14400s') },
  },
  coreOverrides: {
    args: [...DRY, '-c', 'core.scratchpad=notes/pad.md', '-c', 'core.specs_dir=docs/specs'],
    in: 'project',
    answer: {
      stdout: linesOf(
        'Completion promise: OF_PROJECT',
        'Scratchpad: notes/pad.md (enabled: true)',
        'Specs dir: docs/specs',
      ),
    },
  },
  unknownOverride: {
    args: [...DRY, '-c', 'core.guardrails=none'],
    in: 'project',
    answer: {
      stdout:
        /WARN.*Unknown core field 'guardrails'\. Known fields: scratchpad, specs_dir[\s\S]*OF_PROJECT$/m,
    },
  },
  equalsInName: {
    args: [...DRY, '-c', 'a=b.yml'],
    in: 'project',
    answer: { stdout: linesOf('Completion promise: OF_EQUALS') },
  },
  scratchpadAsMapping: {
    args: [...DRY, '-c', 'mapping.yml'],
    in: 'project',
    answer: { stdout: linesOf('Scratchpad: notes/own.md (enabled: false)', 'Specs dir: own/specs') },
  },
  flatKeys: {
    args: ['run', '--dry-run', '--no-tui', '-c', 'flat.yml'],
    in: 'project',
    answer: {
      stdout: linesOf(
        'Prompt file: FLAT.md',
        'Completion promise: FLAT',
        'Max iterations: 12',
        'Max runtime: 34s',
        'Backend: pi',
        'Verbose: true',
      ),
    },
  },
  unknownKeys: {
    args: [...DRY, '-c', 'unknown.yml'],
    in: 'project',
    answer: { stdout: linesOf('Completion promise: KNOWN', 'Max iterations: 100'), stderr: /^$/ },
  },
  droppedKeys: {
    args: [...DRY, '-c', 'dropped.yml'],
    in: 'project',
    answer: {
      stdout: linesOf('Completion promise: DROPPED', 'Warnings: 6'),
      stderr:
        /^(?=[\s\S]*Warning \[archive_prompts\])(?=[\s\S]*Warning \[enable_metrics\])(?=[\s\S]*Warning \[max_tokens\]: Field ignored)(?=[\s\S]*Warning \[retry_delay\]: Field ignored)(?=[\s\S]*Warning \[event_loop\.mutation_score_warn_threshold\]: Value must be between 0 and 100)(?=[\s\S]*Warning \[adapters\.\*\.tool_permissions\]: Field ignored)/,
    },
  },
  silencedWarnings: {
    args: [...DRY, '-c', 'silenced.yml'],
    in: 'project',
    answer: { stdout: textWithout('Warnings:'), stderr: /^$/ },
  },
  modeOfTheFile: {
    args: [...DRY, '-c', 'interactive.yml'],
    in: 'project',
    answer: { stdout: linesOf('Default mode: interactive', 'Idle timeout: 17s') },
  },
  idleTimeoutFlag: {
    args: [...DRY, '-c', 'interactive.yml', '--idle-timeout', '9'],
    in: 'project',
    answer: { stdout: linesOf('Default mode: interactive', 'Idle timeout: 9s') },
  },
  autonomous: {
    args: ['run', '--dry-run', '-a', '-p', 'hello', '-c', 'interactive.yml'],
    in: 'project',
    answer: { stdout: /Default mode: autonomous\n$/ },
  },
  neither: {
    args: ['run', '--dry-run', '-p', 'hello', '-c', 'other.yml'],
    in: 'project',
    answer: { stdout: linesOf('Default mode: interactive', 'Idle timeout: 30s') },
  },
};

const DROPPED = [
  'max_tokens: 1',
  'retry_delay: 2',
  'archive_prompts: true',
  'enable_metrics: true',
  'adapters: { amp: { tool_permissions: [read] } }',
  'event_loop: { completion_promise: DROPPED, mutation_score_warn_threshold: 100.5 }\n',
].join('\n');

const FILES = {
  'home/.ralph/config.yml': [
    'event_loop: { max_iterations: 31, completion_promise: OF_USER }',
    'features: { preflight: { enabled: true, skip: [git, specs] } }\n',
  ].join('\n'),
  'empty/.gitkeep': '',
  'project/ralph.yml': [
    'event_loop: { completion_promise: OF_PROJECT, max_runtime_seconds: 77 }',
    'features: { preflight: { skip: [telegram] } }\n',
  ].join('\n'),
  'project/other.yml': 'event_loop: { completion_promise: OF_OTHER }\n',
  'project/third.yml': 'event_loop: { completion_promise: OF_THIRD }\n',
  'project/a=b.yml': 'event_loop: { completion_promise: OF_EQUALS }\n',
  'project/mapping.yml':
    'core: { scratchpad: { enabled: false, path: notes/own.md }, specs_dir: own/specs }\n',
  'project/flat.yml': [
    'agent: pi',
    'prompt_file: FLAT.md',
    'completion_promise: FLAT',
    'max_iterations: 12',
    'max_runtime: 34',
    'verbose: true',
    'cli: { backend: kiro }',
    'event_loop: { prompt_file: N.md, completion_promise: NESTED, max_iterations: 56, max_runtime_seconds: 78 }\n',
  ].join('\n'),
  'project/unknown.yml':
    'event_lop: { max_iterations: 3 }\nevent_loop: { completion_promise: KNOWN, max_iteration: 3 }\n',
  'project/dropped.yml': DROPPED,
  'project/silenced.yml': `_suppress_warnings: true\n${DROPPED}`,
  'untouched/ralph.yml': 'core: { scratchpad: notes/deep/pad.md, specs_dir: deep/specs }\n',
  'project/interactive.yml': 'cli: { default_mode: interactive, idle_timeout_secs: 17 }\n',
};

const LEFT = 'status --porcelain -uall -- empty project';
/** Lists files and folders, which git alone does not. */
const EVERYTHING = '-c alias.everything=!find untouched -mindepth 1 everything';

const layers = scenario({
  id: 'config-layers',
  ...MECHANICS,
  priority: 'must',
  description: 'Settings come from the defaults, the user, the project, other files and flags, in this order',
  covers: ['FR4'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4, more: { core: { scratchpad: 'elsewhere/pad.md' } } }),
    prompt: [
      `In the first iteration, write only ${nonce} in uppercase to your scratchpad, and stop.`,
      'When your scratchpad has it, declare the objective complete.',
    ].join('\n'),
    files: FILES,
    before: [
      ...askAll(LAYERS),
      { git: LEFT.split(' ') },
      // Diagnostics are written in a dry run, too.
      { ralph: [...DRY, '--max-iterations', '44'], in: 'untouched', env: { RALPH_DIAGNOSTICS: null } },
      { git: ['-c', 'alias.everything=!find untouched -mindepth 1', 'everything'] },
    ],
    args: ['-c', 'core.scratchpad=notes/pad.md'],
  }),

  expect: ({ nonce }): Readonly<Record<string, Check>> => ({
    ends: completed(),
    path: promptContained('notes/pad.md', { iteration: 1 }),
    notes: promptContained(nonce.toUpperCase(), { iteration: 2 }),
    dryRunLeavesNothing: errandAnswered(LEFT, {
      stdout: /^(?![\s\S]*(?:events|loop\.lock|current-|history))/,
    }),
    dryRunMakesNoFolder: errandAnswered(EVERYTHING, { stdout: /^untouched\/ralph\.yml\n$/ }),
    ...answersOf(LAYERS),
  }),

  agent: [
    onObjective(/write only (\w+) in uppercase/)
      .once()
      .writes('notes/pad.md', '{{upper 1}}\n'),
    onObjective(/declare the objective complete/).completes(),
  ],

  saboteurs: {
    'the warnings are not silenced': {
      config: rewriting(DROPPED, 'project/silenced.yml'),
      kills: ['silencedWarnings'],
    },
    'a loop runs where only dry runs should': {
      config: (plan) => ({
        ...plan,
        files: { ...plan.files, 'project/run.yml': 'cli: { backend: custom, command: "true" }\n' },
        before: [
          { ralph: ['run', '--no-tui', '-p', 'x', '-c', 'run.yml', '--max-iterations', '1'], in: 'project' },
          ...(plan.before ?? []),
        ],
      }),
      kills: ['dryRunLeavesNothing'],
    },
    'the folder is not empty before': {
      config: (plan) => ({ ...plan, files: { ...plan.files, 'untouched/notes/deep/pad.md': 'old\n' } }),
      kills: ['dryRunMakesNoFolder'],
    },
    'Ralph does not see the promise': ignoresCompletion('ends'),
  },
});

export const configuration = [layers];
