import {
  fileContains,
  fileEquals,
  loop,
  onObjective,
  printedJson,
  RALPH_TOPICS,
  type Scenario,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { reverse } from '../support/texts.js';
import { wrapper } from '../support/wrapper.js';

/* What Ralph does about signals is its own: these run on scripted agents, and on one backend. */

const PID_OF_RALPH = `sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' .ralph/loop.lock`;

/** Sends Ralph a signal while the agent works. `interrupted-by-signal` does the same with SIGTERM, in every lane. */
function interruptedBy(signal: 'SIGINT' | 'SIGHUP', because: string): Scenario {
  const writesBoth = onObjective(/Write (\w+) in uppercase/)
    .writes('word.txt', '{{upper 1}}\n')
    .appends('ready.txt', 'ready {{reverse 1}}\n');
  return scenario({
    id: `interrupted-by-${signal.toLowerCase()}`,
    ...MECHANICS,
    phase: 'red',
    description: `${signal} (${because}) ends the loop as interrupted, is recorded, and ends the agent too`,
    covers: ['FR9'],
    expectedIterations: 1,

    arrange: ({ nonce }) => ({
      config: loop({ maxIterations: 3 }),
      prompt: `Write ${nonce} in uppercase to word.txt. Say in ready.txt that you are ready. Then send ${signal} to Ralph, and wait.`,
    }),

    expect: ({ nonce }) => ({
      ends: terminatedBecause('interrupted', 130),
      word: fileEquals('word.txt', nonce.toUpperCase()),
      ready: fileEquals('ready.txt', `ready ${reverse(nonce)}`),
    }),

    agent: [writesBoth.runs(`kill -${signal.slice(3)} "$(${PID_OF_RALPH})"`).hangs()],

    knownIssue: {
      upTo: '2.10.1',
      reason: 'Ralph kills itself with SIGKILL, leaves no record, and its agent keeps running',
      link: 'docs/ralph-behavior.md',
      breaks: {
        ends: /^killed by SIGKILL, no termination record;/,
        endedByItself: 'killed by SIGKILL',
        nothingLeftBehind: /^\d+: /,
      },
    },

    saboteurs: {
      'completes and does not interrupt Ralph': {
        agent: [writesBoth.completes()],
        kills: ['ends'],
        failure: 'UnexpectedTermination',
      },
    },
    notApplicable: {
      'acts-silently': 'nothing it says is checked: a Ralph that kills itself may not have printed it yet',
    },
  });
}

/** Exits as a CLI does that somebody stops with Ctrl-C: Ralph runs it on a terminal of its own. */
const agentStopped = scenario({
  id: 'agent-stopped-by-hand',
  ...MECHANICS,
  phase: 'red',
  description: 'With --rpc, an agent that exits with 130 ends the loop as interrupted, with a record',
  covers: ['FR9'],
  beyondStandIn: 'JSON lines on stdin and stdout',
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3, command: './agent.sh' }),
    files: wrapper('claude "$@"\nexit 130'),
    prompt: `Write ${nonce} in uppercase to ready.txt.`,
    terminal: 'rpc',
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('interrupted', 130),
    recorded: printedJson({
      type: 'orchestration_event',
      topic: RALPH_TOPICS.end,
      payload: /^## Reason\ninterrupted\n\n## Status\nInterrupted by signal\.\n[\s\S]*- Exit code: 130$/,
    }),
    history: fileContains('.ralph/history.jsonl', '{"kind":"loop_terminated","signal":"SIGTERM"}'),
    summary: fileContains('.ralph/agent/summary.md', '**Status:** Interrupted by signal\n'),
    ready: fileEquals('ready.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/Write (\w+) in uppercase/)
      .writes('ready.txt', '{{upper 1}}\n')
      .emits('LOOP_COMPLETE', 'done'),
  ],

  saboteurs: {
    'nobody stops it': {
      config: arranging({ files: wrapper('exec claude "$@"') }),
      kills: ['ends', 'recorded', 'history', 'summary'],
      failure: 'UnexpectedTermination',
    },
  },
  exempt: { 'one-more-iteration': 'it is stopped in the first iteration' },
  notApplicable: { 'acts-silently': 'the agent says nothing' },
});

export const signals: readonly Scenario[] = [
  interruptedBy('SIGINT', 'Ctrl-C'),
  interruptedBy('SIGHUP', 'the terminal is closed'),
  agentStopped,
];
