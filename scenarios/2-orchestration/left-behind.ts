import {
  completed,
  errandAnswered,
  eventEmitted,
  fileContains,
  fileLacks,
  hats,
  iterationCount,
  keptOutOfPrompt,
  type LoopSettings,
  loop,
  onAnyPrompt,
  onObjective,
  type RuleBuilder,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { doingFirst } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { asking } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

const SUMMARY = '.ralph/agent/summary.md';
const HANDOFF = '.ralph/agent/handoff.md';
const HISTORY = '.ralph/history.jsonl';
const SUBJECTS = 'log --format=%s';
const NO_COMMIT = /^Workspace as the agent finds it\n$/;

interface UnhappyEnd {
  readonly settings: LoopSettings;
  readonly exitCode: number;
  readonly iterations: number;
  /** What summary.md says. */
  readonly status: string;
  /** The duration in summary.md, as a pattern; any by default. */
  readonly duration?: string;
  readonly agent: readonly RuleBuilder[];
  /** Which built-in saboteurs and cheats make no sense, each with the reason. */
  readonly notApplicable?: Readonly<Record<string, string>>;
}

const WORDLESS = { 'acts-silently': 'the loop ends whatever the agent says' };

const work = onObjective('Work on');

/** Every end but completion that a loop can reach here. */
const UNHAPPY_ENDS: Readonly<Record<string, UnhappyEnd>> = {
  max_iterations: {
    settings: { maxIterations: 2 },
    exitCode: 2,
    iterations: 2,
    status: 'Stopped: max iterations reached',
    agent: [work.writes('draft.txt', 'x\n').says('Not done yet.')],
    notApplicable: WORDLESS,
  },
  max_runtime: {
    settings: { maxIterations: 2, maxRuntimeSeconds: 2 },
    exitCode: 2,
    iterations: 1,
    status: 'Stopped: max runtime exceeded',
    duration: '(?:[2-9]|\\d\\d)s',
    agent: [work.writes('draft.txt', 'x\n').runs('sleep 2.2').says('Not done yet.')],
    notApplicable: WORDLESS,
  },
  consecutive_failures: {
    settings: { maxIterations: 3, maxConsecutiveFailures: 2 },
    exitCode: 1,
    iterations: 2,
    status: 'Failed: too many consecutive failures',
    agent: [work.writes('draft.txt', 'x\n').runs('kill -9 $PPID')],
    notApplicable: { ...WORDLESS, 'all-at-once': 'an agent that crashes twice in one iteration cannot be' },
  },
  loop_stale: {
    settings: { maxIterations: 4 },
    exitCode: 1,
    iterations: 3,
    status: 'Failed: stale loop detected',
    agent: [work.writes('draft.txt', 'x\n').emits('status.report', 'same')],
  },
  stopped: {
    settings: { maxIterations: 2 },
    exitCode: 1,
    iterations: 1,
    status: 'Stopped manually',
    agent: [work.writes('draft.txt', 'x\n').runs('touch .ralph/stop-requested').says('Stopping.')],
    notApplicable: WORDLESS,
  },
  cancelled: {
    settings: { maxIterations: 2, cancellationPromise: 'loop.cancel' },
    exitCode: 0,
    iterations: 1,
    status: 'Cancelled gracefully (human rejection or timeout)',
    agent: [work.writes('draft.txt', 'x\n').emits('loop.cancel', 'no longer needed')],
  },
};

/** A loop that does not complete says why, and leaves the work and the repository as they are. */
const unhappyEnds = Object.entries(UNHAPPY_ENDS).map(
  ([
    reason,
    { settings, exitCode, iterations, status, duration = '(?:\\d+m )?\\d+s', agent, notApplicable = {} },
  ]) =>
    scenario({
      id: `left-behind-${reason.replace(/^(?:max|loop)_/, '').replaceAll('_', '-')}`,
      ...MECHANICS,
      description: `After ${reason} the summary and the history say so, and nothing is committed or handed off`,
      covers: ['FR9'],
      expectedIterations: iterations,

      arrange: ({ nonce }) => ({
        config: loop(settings),
        prompt: `Work on ${nonce}.`,
        after: [{ git: SUBJECTS.split(' ') }],
      }),

      expect: ({ nonce }) => ({
        ends: terminatedBecause(reason, exitCode),
        iterations: iterationCount(iterations),
        status: fileContains(SUMMARY, `**Status:** ${status}\n`),
        figures: fileContains(
          SUMMARY,
          new RegExp(`^\\*\\*Iterations:\\*\\* ${iterations}\\n\\*\\*Duration:\\*\\* ${duration}$`, 'm'),
        ),
        begun: fileContains(
          HISTORY,
          new RegExp(`"type":\\{"kind":"loop_started","prompt":"Work on ${nonce}\\.(?:\\\\n)?"\\}`),
        ),
        ended: fileContains(HISTORY, `"type":{"kind":"loop_completed","reason":"${reason}"}`),
        work: fileContains('draft.txt', 'x'),
        notCommitted: errandAnswered(SUBJECTS, { stdout: NO_COMMIT }),
        noHandoff: fileLacks(HANDOFF, /^/),
      }),

      agent: [...agent, onAnyPrompt().completes()],

      notApplicable,

      exempt: {
        commit: 'the loop must not commit, so nobody may',
      },

      saboteurs: {
        'completes instead': {
          agent: [work.writes('draft.txt', 'x\n').completes()],
          kills: ['ends', 'status', 'ended', 'notCommitted', 'noHandoff'],
          failure: 'UnexpectedTermination',
        },
        'completes after all': {
          agent: [
            work.once().says('Wait.'),
            work.once().says('Wait.'),
            work.once().says('Wait.'),
            onAnyPrompt().says('Wait.'),
          ],
          kills: [
            ...(iterations === settings.maxIterations ? [] : (['iterations', 'figures'] as const)),
            'work',
          ],
          failure: 'UnexpectedTermination',
        },
        'Ralph praises every end': { target: 'praise-every-end', kills: ['status'] },
      },
    }),
);

const NOTES = '- [x] Draw WORD\n- [ ] Paint WORD\nsome thoughts about WORD\n  - [~] Frame WORD\n';

/** A completed loop: what people find in .ralph afterwards. */
const completion = scenario({
  id: 'left-behind-completed',
  ...MECHANICS,
  description: 'A completed loop leaves a summary with its items, a history and the markers of the run',
  covers: ['FR9'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: {
      '.ralph/history.jsonl':
        '{"ts":"2026-01-31T08:00:00Z","type":{"kind":"loop_started","prompt":"Earlier"}}\n{"ts":"2026-01-31T08:00:01Z","type":{"kind":"loop_completed","reason":"stopped"}}\n',
    },
    prompt: `Sketch the word ${nonce}.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    status: fileContains(SUMMARY, '**Status:** Completed successfully\n**Iterations:** 2\n**Duration:** '),
    items: fileContains(
      SUMMARY,
      `## Tasks\n\n- [x] Draw ${nonce}\n- [ ] Paint ${nonce}\n- [~] Frame ${nonce}\n\n`,
    ),
    onlyItems: fileLacks(SUMMARY, 'some thoughts'),
    commit: fileContains(SUMMARY, /^## Final Commit\n\n[0-9a-f]{7,}: Workspace as the agent finds it$/m),
    history: fileContains(
      HISTORY,
      new RegExp(
        `"prompt":"Earlier"[^\\n]*\\n[^\\n]*"reason":"stopped"[^\\n]*\\n[^\\n]*"prompt":"Sketch the word ${nonce}\\.(?:\\\\n)?"[^\\n]*\\n[^\\n]*"kind":"loop_completed","reason":"completion_promise"\\}\\}\\n$`,
      ),
    ),
    events: fileContains('.ralph/current-events', /^\.ralph\/events-\d{8}-\d{6}\.jsonl\s*$/),
    loopId: fileContains('.ralph/current-loop-id', /^primary-\d{8}-\d{6}\s*$/),
  }),

  agent: [
    onObjective(/Sketch the word (\w+)/)
      .once()
      .writes('.ralph/agent/scratchpad.md', NOTES.replaceAll('WORD', '{{1}}')),
    onAnyPrompt().completes(),
  ],

  exempt: {
    commit: 'the last commit is part of what the loop leaves behind',
  },

  saboteurs: {
    'never completes': {
      agent: (script) => ({
        ...script,
        rules: script.rules.map((rule) => ({
          ...rule,
          respond: { steps: rule.respond.steps.filter((step) => step.do !== 'complete') },
        })),
      }),
      kills: ['ends', 'iterations', 'status', 'history'],
      failure: 'UnexpectedTermination',
    },
    commits: {
      agent: [
        onObjective(/Sketch the word (\w+)/)
          .once()
          .writes('.ralph/agent/scratchpad.md', `${NOTES.replaceAll('WORD', '{{1}}')}- [x] some thoughts\n`)
          .runs('git add -A && git commit -q -m Mine && rm .ralph/current-events .ralph/current-loop-id'),
        onAnyPrompt().completes(),
      ],
      kills: ['items', 'onlyItems', 'commit', 'events', 'loopId'],
    },
  },
});

const OLD_EVENTS = '.ralph/events-20200101-000000.jsonl';
const OLD_LOOP = 'primary-20200101-000000';
const HAT_NOTES = '.ralph/agent/builder-notes.md';
const ADD = 'tools task add Late --format json';

/** What an earlier run left must not reach the next one. */
const fresh = scenario({
  id: 'fresh-run',
  ...MECHANICS,
  description: 'A fresh run starts without the notes, events and loop id of an earlier one',
  covers: ['FR9'],
  expectedIterations: 2,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.task'],
          publishes: ['build.finished'],
          instructions: `Publish build.finished with the result of ${a} + ${b}.`,
          scratchpad: HAT_NOTES,
        },
      },
      { maxIterations: 4 },
    ).startingWith('build.task'),
    files: {
      '.ralph/agent/scratchpad.md': `Common notes ${nonce}\n`,
      [HAT_NOTES]: `Notes of the hat ${nonce}\n`,
      '.ralph/current-events': OLD_EVENTS,
      [OLD_EVENTS]: `{"topic":"old.news","payload":"${nonce}","ts":"2020-01-01T00:00:00Z"}\n{"topic":"LOOP_COMPLETE","payload":"","ts":"2020-01-01T00:00:01Z"}\n`,
      '.ralph/current-loop-id': OLD_LOOP,
    },
    prompt: 'Let the builder build.',
    after: [asking(ADD), asking('events --topic old.news')],
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    noOldEvents: errandAnswered('events --topic old.news', { stdout: /^No matching events found\.\n$/ }),
    file: fileContains('result.txt', `${a + b}`),
    keptOut: keptOutOfPrompt(nonce),
    notes: fileLacks('.ralph/agent/scratchpad.md', nonce),
    hatNotes: fileLacks(HAT_NOTES, nonce),
    loopId: errandAnswered(ADD, { stdout: /"loop_id":"primary-(?!20200101)\d{8}-\d{6}"/ }),
  }),

  agent: [
    onObjective(/Let the builder build/)
      .reads(/the result of (\d+) \+ (\d+)/)
      .writes('result.txt', '{{add 1 2}}\n')
      .emits('build.finished', '{{add 1 2}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations'),
    'Ralph keeps the notes': { target: 'inherit-scratchpad', kills: ['keptOut', 'notes', 'hatNotes'] },
  },
});

/** Ralph's own format of summary.md has the events by topic. */
const counted = scenario({
  id: 'summary-counts-events',
  ...MECHANICS,
  description: 'summary.md counts the events of the loop by topic',
  covers: ['FR9'],
  expectedIterations: 2,

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph looks for the events of the summary in .ralph/events.jsonl, where no run writes them',
    link: 'docs/ralph-behavior.md',
    breaks: { counted: /_No events recorded\._/ },
  },

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    prompt: `Publish note.made twice, with ${nonce} and with its reverse, and complete.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    first: eventEmitted('note.made', nonce),
    second: eventEmitted('note.made', reverse(nonce)),
    written: fileContains(SUMMARY, '## Events\n'),
    counted: fileContains(SUMMARY, /^- 2 note\.made$/m),
  }),

  agent: [
    onObjective(/with (\w+) and with its reverse/)
      .once()
      .emits('note.made', '{{1}}')
      .emits('note.made', '{{reverse 1}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations'),
    'there is no room for the summary': {
      agent: doingFirst({ do: 'run', command: `mkdir -p ${SUMMARY}` }),
      kills: ['written'],
    },
  },
});

export const leftBehind = [...unhappyEnds, completion, fresh, counted];
