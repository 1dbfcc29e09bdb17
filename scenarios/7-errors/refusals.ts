import {
  backendNeverCalled,
  type Check,
  errandAnswered,
  failedToRun,
  loop,
  RALPH_TOPICS,
  scenario,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { answersOf, askAll, type Inquiries, rewriting } from '../support/inquiries.js';
import { noBuiltIns } from '../support/saboteurs.js';

/*
 * Ralph reads its configuration before it starts anything, so no agent takes part: a model would add nothing. Each
 * errand asks for a dry run, which starts nothing even if Ralph accepts what it should refuse.
 */

const NO_AGENT = noBuiltIns('no agent takes part: Ralph refuses its configuration');

/** Something that Ralph must refuse: the file that `-c` names, or other arguments. */
interface Refusal {
  readonly file?: string;
  readonly args?: readonly string[];
  readonly says: RegExp;
}
type Refusals = Readonly<Record<string, Refusal>>;

function filesOf(refusals: Refusals): Record<string, string> {
  const files = Object.entries(refusals).flatMap(([name, { file }]) =>
    file === undefined ? [] : [[`${name}.yml`, file] as const],
  );
  return Object.fromEntries(files);
}

function questionsOf(refusals: Refusals): Inquiries {
  return Object.fromEntries(
    Object.entries(refusals).map(([name, { args = ['-c', `${name}.yml`], says }]) => [
      name,
      {
        args: ['run', '--dry-run', '--no-tui', '-p', 'Say hello.', ...args],
        answer: { exitCode: 1, stderr: says },
      },
    ]),
  );
}

/** One hat, with these keys. */
const hat = (keys: string) => `hats: { builder: { ${keys} } }\n`;

/** Hats that Ralph must refuse, with its reasons. */
const BAD_HATS: Refusals = {
  reservedStart: {
    file: hat('name: B, description: builds, triggers: [build.task, task.start]'),
    says: /Reserved trigger 'task\.start' used by hat 'builder'/,
  },
  reservedResume: {
    file: hat('name: B, description: builds, triggers: [task.resume]'),
    says: /Reserved trigger 'task\.resume' used by hat 'builder'/,
  },
  ambiguous: {
    file: [
      'hats:',
      '  builder: { name: B, description: builds, triggers: [build.task] }',
      '  reviewer: { name: R, description: reads, triggers: [review.task, build.task] }\n',
    ].join('\n'),
    says: /Ambiguous routing: trigger 'build\.task' is claimed by both '(?:builder' and 'reviewer|reviewer' and 'builder)'/,
  },
  noDescription: {
    file: hat('name: B, triggers: [build.task]'),
    says: /Hat 'builder' is missing required 'description' field/,
  },
  blankDescription: {
    file: hat('name: B, description: "  ", triggers: [build.task]'),
    says: /Hat 'builder' is missing required 'description' field/,
  },
  noName: {
    file: hat('description: builds, triggers: [build.task]'),
    says: /parse merged core config[\s\S]*missing field `name`/,
  },
  noWorkers: {
    file: hat('name: B, description: builds, triggers: [build.task], concurrency: 0'),
    says: /Hat 'builder' has invalid concurrency: 0/,
  },
  aggregatesAndWorks: {
    file: hat(
      'name: B, description: builds, triggers: [build.task], concurrency: 2, aggregate: { mode: wait_for_all, timeout: 9 }',
    ),
    says: /Hat 'builder' has both 'aggregate' and 'concurrency > 1'/,
  },
  noHatsFile: { args: ['-H', 'no-hats.yml'], says: /Hats file not found: no-hats\.yml/ },
  hatsFileWithoutHats: {
    file: 'cli: { backend: pi }\n',
    args: ['-H', 'hatsFileWithoutHats.yml'],
    says: /Hats config 'hatsFileWithoutHats\.yml' contains non-hats keys: cli/,
  },
  hatsFileIsList: {
    file: '- builder\n',
    args: ['-H', 'hatsFileIsList.yml'],
    says: /Hats config 'hatsFileIsList\.yml' must be a YAML mapping/,
  },
};

const SOUND_HATS = hat('name: B, description: builds, triggers: [build.task], concurrency: 1');

/** A hat that waits for the start of the loop would take it from Ralph. */
const refusedHats = scenario({
  id: 'config-refused-hats',
  ...MECHANICS,
  priority: 'must',
  phase: 'red',
  description: 'Ralph refuses hats that could not work, says why, and starts nothing',
  covers: ['FR9', 'FR15'],

  arrange: () => ({
    config: {
      ...loop({ maxIterations: 3 }),
      hats: { builder: { name: 'Builder', description: 'builds', triggers: [RALPH_TOPICS.start] } },
    },
    prompt: 'Say hello, then declare the objective complete.',
    files: filesOf(BAD_HATS),
    before: askAll(questionsOf(BAD_HATS)),
    after: [{ git: ['status', '--porcelain', '--', '.ralph/agent', '.ralph/events*'] }],
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    refuses: failedToRun(1, /Reserved trigger 'task\.start' used by hat 'builder'/),
    neverCalled: backendNeverCalled(),
    leavesNothing: errandAnswered('status --porcelain -- .ralph/agent .ralph/events*', { stdout: /^$/ }),
    ...answersOf(questionsOf(BAD_HATS)),
  }),

  agent: [],

  saboteurs: {
    'all the hats are sound': {
      config: (plan) => rewriting(SOUND_HATS)(rewriting(SOUND_HATS, 'no-hats.yml')(plan)),
      kills: Object.keys(BAD_HATS),
    },
    'the hat waits for another event': {
      config: (arrangement) => ({
        ...arrangement,
        config: {
          ...arrangement.config,
          cli: { backend: 'custom', command: 'true' },
          hats: { builder: { name: 'Builder', description: 'builds', triggers: ['build.task'] } },
        },
      }),
      kills: ['refuses', 'neverCalled', 'leavesNothing'],
      failure: 'UnexpectedTermination',
    },
    'Ralph accepts every hat': {
      target: 'accept-bad-config',
      kills: [
        'reservedStart',
        'reservedResume',
        'ambiguous',
        'noDescription',
        'blankDescription',
        'noWorkers',
      ],
    },
  },

  notApplicable: NO_AGENT,
});

/** Other settings that Ralph must refuse, with its reasons. */
const BAD_SETTINGS: Refusals = {
  projectKey: {
    file: 'project: { specs_dir: specs }\n',
    says: /Invalid config key 'project'\. Use 'core' instead/,
  },
  brokenYaml: { file: 'cli: [1\n', says: /Failed to parse YAML from brokenYaml\.yml/ },
  notAMapping: { file: '- cli\n', says: /Core config 'notAMapping\.yml' must be a YAML mapping/ },
  wordForNumber: {
    file: 'event_loop: { max_iterations: many }\n',
    says: /parse merged core config from wordForNumber\.yml[\s\S]*invalid type: string "many", expected u32/,
  },
  negative: {
    file: 'event_loop: { max_iterations: -1 }\n',
    says: /invalid value: integer `-1`, expected u32/,
  },
  fraction: { file: 'event_loop: { max_iterations: 1.5 }\n', says: /floating point `1\.5`, expected u32/ },
  tooLarge: {
    file: 'event_loop: { max_iterations: 4294967296 }\n',
    says: /integer `4294967296`, expected u32/,
  },
  wordForSwitch: { file: 'memories: { enabled: maybe }\n', says: /string "maybe", expected a boolean/ },
  unknownChoice: {
    file: 'memories: { inject: sometimes }\n',
    says: /unknown variant `sometimes`, expected one of `auto`, `manual`, `none`/,
  },
  blankPromise: { file: 'event_loop: { completion_promise: "  " }\n', says: /Invalid completion_promise/ },
  blankPromiseFlag: {
    args: ['-c', 'sound.yml', '--completion-promise', ' '],
    says: /Invalid completion_promise/,
  },
  blankFlatPromise: { file: 'completion_promise: ""\n', says: /Invalid completion_promise/ },
  customWithoutCommand: { file: 'cli: { backend: custom }\n', says: /Custom backend requires a command/ },
  customWithEmptyCommand: {
    file: 'cli: { backend: custom, command: "" }\n',
    says: /Custom backend requires a command/,
  },
  customFlagWithoutCommand: {
    args: ['-c', 'sound.yml', '-b', 'custom'],
    says: /Custom backend requires a command/,
  },
  robotWithoutTimeout: {
    file: 'RObot: { enabled: true, mode: web }\n',
    says: /RObot config error: RObot\.timeout_seconds - timeout_seconds is required/,
  },
  builtinConfig: {
    args: ['-c', 'builtin:code-assist'],
    says: /`-c builtin:code-assist` is no longer supported[\s\S]*ralph run -c ralph\.yml -H builtin:code-assist/,
  },
};

const TWO_PROMPTS = 'run --dry-run --no-tui -c two-prompts.yml';
const PROMPT_OF_ITS_OWN = 'run --dry-run --no-tui -c two-prompts.yml -p hello';

/** Files with one bad setting each, and flags that are as bad. */
const refusedSettings = scenario({
  id: 'config-refused-settings',
  ...MECHANICS,
  phase: 'red',
  description: 'Ralph refuses settings that it cannot use, and says which',
  covers: ['FR9'],

  arrange: () => ({
    config: loop({ maxIterations: 3, promise: ' ' }),
    prompt: 'Say hello, then declare the objective complete.',
    files: {
      ...filesOf(BAD_SETTINGS),
      'sound.yml': 'cli: { backend: claude }\n',
      'two-prompts.yml': 'event_loop: { prompt: one, prompt_file: two.md }\n',
    },
    before: [
      ...askAll(questionsOf(BAD_SETTINGS)),
      { ralph: TWO_PROMPTS.split(' ') },
      { ralph: PROMPT_OF_ITS_OWN.split(' ') },
    ],
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    refuses: failedToRun(1, /Invalid completion_promise: must be non-empty and non-whitespace/),
    neverCalled: backendNeverCalled(),
    twoPrompts: errandAnswered(TWO_PROMPTS, {
      exitCode: 1,
      stderr: /Mutually exclusive fields: 'event_loop\.prompt' and 'event_loop\.prompt_file'/,
    }),
    promptOfItsOwn: errandAnswered(PROMPT_OF_ITS_OWN, { stdout: 'Prompt: inline text (hello)' }),
    ...answersOf(questionsOf(BAD_SETTINGS)),
  }),

  agent: [],

  saboteurs: {
    'all the settings are sound': {
      config: (arrangement) => ({
        ...rewriting('cli: { backend: claude, command: claude }\n')(arrangement),
        before: (arrangement.before ?? []).map((errand) =>
          'ralph' in errand
            ? { ralph: errand.ralph.map((word) => (word.trim() === '' ? 'DONE' : word)) }
            : errand,
        ),
      }),
      kills: ['twoPrompts', ...Object.keys(BAD_SETTINGS).filter((name) => name !== 'builtinConfig')],
    },
    'the promise is a word': {
      config: arranging({
        config: loop({ maxIterations: 1, more: { cli: { backend: 'custom', command: 'true' } } }),
      }),
      kills: ['refuses', 'neverCalled'],
      failure: 'UnexpectedTermination',
    },
    'Ralph accepts everything': {
      target: 'accept-bad-config',
      kills: ['blankPromise', 'blankPromiseFlag', 'blankFlatPromise', 'customWithoutCommand', 'twoPrompts'],
    },
  },

  notApplicable: NO_AGENT,
});

export const refusals = [refusedHats, refusedSettings];
