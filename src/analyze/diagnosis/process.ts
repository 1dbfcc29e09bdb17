import type { AttemptFinished } from '../../domain/attempt.js';
import {
  brokenCalls,
  type Case,
  LAST_CATEGORIES,
  MISSING_EXECUTABLE,
  quoteEnd,
  quoteFrom,
  quoteLines,
  unansweredPrompts,
} from '../../domain/diagnosis/clues.js';
import { placeOfPanic, quoteError, readPanic, SESSION_END } from '../../domain/diagnosis/complaint.js';
import { firstOf } from '../../domain/diagnosis/ledger.js';
import { type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';
import type { Evidence } from '../../domain/evidence/evidence.js';

const CONFIGURATION =
  /^(?:Error: (?:Configuration|Failed to (?:parse|load|read)|Invalid config|Prompt file|Hats? )|\s+(?:Ambiguous routing|Reserved trigger|Custom backend requires))/;
const USAGE = /^(?:error: |Usage: )/;
/** How Ralph reports a fatal error; the causes follow on the next lines. */
const FATAL = /^Error: /;
const PANIC = /panicked at|stack backtrace|RUST_BACKTRACE/;

const interrupted: DiagnosisRule = {
  name: 'interrupted',
  type: 'Unknown',
  blames: 'unknown',
  hypothesis: 'The run was interrupted while this test was running. That says nothing about the target.',
  investigations: ['Run the test again.'],
  find: ({ evidence }) => (evidence?.exit.kind === 'interrupted' ? quoteEnd(evidence.stdout) : null),
};

const harnessFailed: DiagnosisRule = {
  name: 'harness-failed',
  type: 'Unknown',
  blames: 'harness',
  find: ({ attempt, evidence }) =>
    attempt.outcome === 'error' || evidence === null ? explainError(attempt) : null,
};

/**
 * The line in a file of the user that an error names, as in `TypeError: …, at mine.mjs:29`, or null. Such an error is the
 * scenario's: neither doctor nor the output can help then.
 */
function findPlace(error: string): string | null {
  const at = error.lastIndexOf(', at ');
  if (at < 0 || !/^\w{0,60}Error: /.test(error)) return null;
  const [place = ''] = error.slice(at + ', at '.length).split(' (');
  return /:\d{1,9}$/.test(place) ? place : null;
}

function explainError({ error, artifacts }: AttemptFinished) {
  const place = error === null ? null : findPlace(error);
  if (error !== null && place !== null)
    return {
      hypothesis: `The scenario failed: ${place}: ${error.replace(`, at ${place}`, '')}`,
      evidence: [error],
      investigations: [`Fix the scenario at ${place}.`],
    };
  return {
    hypothesis: `The harness or the machine failed, not the target: ${error ?? 'no reason was recorded'}`,
    evidence: error === null ? [] : [error],
    investigations: ['Run ralph-e2e doctor.', `Look into ${artifacts}.`],
  };
}

const BACKEND_QUESTIONS: readonly string[] = [
  'Start the backend yourself with the prompt of that iteration. Does it ask for permission or a login?',
  'Ralph checks max_runtime_seconds only between iterations: it does not end a backend that hangs.',
];

const timedOut: DiagnosisRule = {
  name: 'timed-out',
  type: 'TimeoutExceeded',
  blames: 'unknown',
  fixes: [
    fix('Give the scenario more time', 0.3, null, '--timeout with a larger value'),
    fix('Lower the inactivity limit of the backend', 0.3, 'ralph.yml', 'adapters.<backend>.timeout'),
  ],
  find: ({ evidence, run }) => {
    if (evidence?.exit.kind !== 'timed-out') return null;
    const last = evidence.iterations.at(-1);
    const unit = evidence.conversation === undefined ? 'iteration' : 'turn';
    const where =
      last === undefined
        ? `before its first ${unit}`
        : `in ${unit} ${last.number}${last.said.trim() === '' ? ', in which the agent had not answered yet' : ''}`;
    const seen = `The target was still running after ${evidence.exit.afterSeconds} s, ${where}.`;
    return {
      // A script needs no login and waits for no input.
      hypothesis: run.agentIsHonest
        ? seen
        : `${seen} The backend hangs or waits for input, or the loop does not end.`,
      evidence: [...quoteEnd(evidence.stdout), ...quoteEnd(evidence.stderr, 2)],
      investigations: [
        'Read the last lines of the output: what was it doing when the time ran out?',
        ...(run.agentIsHonest ? [] : BACKEND_QUESTIONS),
      ],
    };
  },
};

/**
 * Where a target that broke off may have gone wrong, if its error names no place: in what the scenario is most about. Which
 * of the checks fails first says only that nothing went on.
 */
function promisesOfScenario({ broken, execution }: Case) {
  const [area] = execution.planned?.areas ?? [];
  return firstOf(broken.flatMap(({ promises = [] }) => promises).filter((held) => held.area === area));
}

const CRASH_QUESTIONS = [
  'Read stderr, starting at the panic.',
  'Ralph reacts to SIGTERM and SIGINT by killing its own process group: did it get a signal?',
  'Run the command from the context with RUST_BACKTRACE=1.',
];

const crashed: DiagnosisRule = {
  name: 'target-crashed',
  type: 'UnexpectedTermination',
  blames: 'target',
  find: (failure) => {
    const { evidence, endIsKnown } = failure;
    if (!evidence || endIsKnown) return null;
    const { exit } = evidence;
    const how =
      exit.kind === 'killed'
        ? `was killed by ${exit.signal}`
        : exit.kind === 'exited' && exit.code === 101
          ? 'panicked (exit 101)'
          : null;
    if (how === null) return null;
    const panic = quoteLines(evidence.stderr, PANIC);
    const place = readPanic(evidence.stderr.text);
    const isLoop = evidence.conversation === undefined;
    const who = isLoop ? 'Ralph' : 'The target';
    const end = exit.kind === 'killed' ? `killed by ${exit.signal}` : 'exit 101';
    const isPlaced = place !== null && placeOfPanic(`panicked at ${place}`) !== null;
    return {
      promises: isPlaced ? [] : promisesOfScenario(failure),
      investigations: isLoop
        ? CRASH_QUESTIONS
        : ['Read what the agent CLI wrote to stderr, and what it said last.'],
      hypothesis:
        place === null
          ? `${who} ${how}.${isLoop ? ' Its loop did not end normally.' : ''}`
          : `${who} panicked at ${place} (${end})`,
      evidence: panic.length > 0 ? panic : [...quoteEnd(evidence.stderr), ...quoteEnd(evidence.stdout, 2)],
    };
  },
};

const usageError: DiagnosisRule = {
  name: 'usage-error',
  type: 'ConfigurationError',
  blames: 'harness',
  hypothesis: 'The target rejected its arguments. It is probably another version than the harness expects.',
  investigations: ['Compare the command in the context with ralph run --help.'],
  fixes: [fix('Use a version of Ralph that accepts these arguments', 0.6)],
  find: ({ evidence }) => {
    // Exit 2 also means that a limit was reached: only the argument parser's message distinguishes them.
    if (evidence?.exit.kind !== 'exited' || evidence.exit.code !== 2 || evidence.termination) return null;
    const lines = quoteLines(evidence.stderr, USAGE);
    return lines.length === 0 ? null : lines;
  },
};

const badConfiguration: DiagnosisRule = {
  name: 'configuration-rejected',
  type: 'ConfigurationError',
  // The configurations of scenarios are sound, unless a scenario wants them refused.
  blames: 'target',
  investigations: ['Read the whole error in stderr; the configuration is in the context.'],
  find: (failure) => {
    const { evidence, provoked } = failure;
    if (evidence?.exit.kind !== 'exited' || evidence.exit.code !== 1 || provoked) return null;
    const lines = quoteLines(evidence.stderr, CONFIGURATION);
    const said = /Error: ([^\n]{1,300})/.exec(evidence.stderr.text)?.[1]?.trim();
    if (lines.length === 0) return null;
    const promises = promisesOfScenario(failure);
    return {
      ...(promises.length > 0 ? { promises } : { areas: ['config'] }),
      hypothesis: `The target rejected its configuration before it started the backend${said === undefined ? '' : `: ${quoteError(evidence.stderr.text, said)}`}. The test expects that it accepts it.`,
      evidence: lines,
    };
  },
};

const gaveUp: DiagnosisRule = {
  name: 'target-gave-up',
  type: 'UnexpectedTermination',
  blames: 'target',
  investigations: [
    "Search the target's source for the error message: which step fails?",
    "Look at the backend's last output in stdout: for example, output that is not valid UTF-8 ends Ralph.",
  ],
  find: (failure) => {
    const { evidence, provoked, endIsKnown } = failure;
    if (evidence?.exit.kind !== 'exited' || evidence.exit.code === 0 || evidence.termination) return null;
    if (provoked || endIsKnown) return null;
    const lines = quoteFrom(evidence.stderr, FATAL);
    const message = lines[0]?.replace(/^.*?: Error: /, '');
    // For a backend that it cannot start, Ralph says only "Error: No such file or directory (os error 2)".
    if (message === undefined || MISSING_EXECUTABLE.test(message)) return null;
    const before = describeEarlierSession(evidence);
    return {
      promises: promisesOfScenario(failure),
      hypothesis: `The target stopped ${evidence.iterations.length > 0 ? 'in the middle' : 'before its first iteration'} with its own error: ${quoteError(evidence.stderr.text, message)}. Missing output of the backend is a consequence.${before}`,
      evidence: lines,
    };
  },
};

/** How the first session before this one ended: an error here may begin there. */
function describeEarlierSession({ errands }: Evidence): string {
  const session = errands.find(({ when, stdout }) => when === 'before' && SESSION_END.test(stdout));
  const [, reason, iterations] = SESSION_END.exec(session?.stdout ?? '') ?? [];
  if (session === undefined || reason === undefined) return '';
  return ` Before it, "${session.command.slice(1).join(' ')}" ended with ${reason} after ${iterations}.`;
}

/** Rules about a target that could not run its loop. */
export const processRules: readonly DiagnosisRule[] = [
  interrupted,
  harnessFailed,
  timedOut,
  crashed,
  usageError,
  badConfiguration,
  gaveUp,
];

const scriptBroke: DiagnosisRule = {
  name: 'scripted-agent-broke',
  type: 'Unknown',
  blames: 'harness',
  hypothesis:
    'A call of the scripted agent failed, but everything else that the scenario expects happened. The stand-in or the script has a bug.',
  investigations: ['Run the test again: an unplayable script fails in every run.'],
  fixes: [fix('Fix the agent script of the scenario', 0.3, 'scenarios/')],
  find: ({ evidence, broken }) => {
    const calls = evidence ? brokenCalls(evidence) : [];
    // If more checks fail, the target may have sent something that broke the call.
    if (calls.length === 0 || broken.some(({ kind }) => kind !== 'scriptAnswered')) return null;
    return calls.slice(0, 3);
  },
};

const agentWithoutRule: DiagnosisRule = {
  name: 'scripted-agent-had-no-answer',
  type: 'PromptIneffective',
  blames: 'harness',
  hypothesis:
    'The scripted agent got a prompt or arguments that its script does not cover. Either the target sent something other than the scenario intends, or the script is incomplete.',
  investigations: [
    'Compare the prompt that got no answer with the conditions of the agent script: which one does not hold?',
    'Look for the first earlier prompt that already differs from what the scenario intends.',
  ],
  fixes: [
    fix('Make the target send what the scenario intends', 0.5),
    fix('Add a rule to the agent script of the scenario', 0.4, 'scenarios/'),
  ],
  find: ({ evidence, broken }) => {
    const lost = evidence ? unansweredPrompts(evidence) : [];
    // A script that has finished has no answer for a loop that does not end; then another rule looks at the end.
    const played = evidence?.invocations.some(({ outcome }) => outcome === 'played') ?? false;
    const onlyTheEnd = broken.every(({ category }) => LAST_CATEGORIES.has(category));
    if (lost.length === 0 || (played && onlyTheEnd)) return null;
    return lost.slice(0, 3);
  },
};

/** Rules about scripts without an answer. They come after the rules for its causes and before those for its effects. */
export const scriptRules: readonly DiagnosisRule[] = [scriptBroke, agentWithoutRule];
