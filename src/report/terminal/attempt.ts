import type { ChalkInstance } from 'chalk';
import { type AttemptFinished, isInconclusive } from '../../domain/attempt.js';
import type { CheckResult } from '../../domain/check.js';
import { type FailedInOrder, orderFailed } from '../../domain/diagnosis/divergence.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { describeEndOfProcess } from '../../domain/evidence/facts.js';
import { describeStopped } from '../../domain/evidence/isolation.js';
import { describeLasting } from '../../domain/scenario/known-issue.js';
import { testLabel } from '../../domain/vocabulary.js';
import { cutMiddle, oneLine, quoteCommand } from '../text/safe-text.js';
import { describeConsequences, describeFault, markOf } from '../words/outcomes.js';
import { countOf, formatDuration } from '../words/words.js';
import { oneLineAt } from './layout.js';
import { renderBrokenCheck } from './write.js';

/** How an attempt is shown. */
interface AttemptStyle {
  readonly chalk: ChalkInstance;
  readonly verbose: boolean;
  /** How wide lines may be. */
  readonly columns: number;
  /** What to add behind the name. */
  readonly note?: string;
}

const INDENT = 5;
/** What was received gives way to what was expected, down to this share of the line. */
const LEAST_RECEIVED = 0.15;

/**
 * Renders one attempt. A failure takes two lines, because others may have the same cause and the end of the run explains
 * it; verbose shows every check and how it ran.
 */
export function renderAttempt(attempt: AttemptFinished, style: AttemptStyle): string[] {
  const { chalk, verbose, columns, note = '' } = style;
  const { evidence } = attempt;
  return [
    ...renderHead(attempt, chalk, note),
    ...renderFault(attempt, style),
    ...(verbose ? renderEverything(attempt, style) : renderFirstBreak(attempt, style)),
    ...renderStopped(evidence, verbose).map((line) => chalk.yellow(line)),
    ...(attempt.knownIssueLasts === undefined
      ? []
      : [chalk.yellow(oneLineAt(INDENT, `└─ ${describeLasting(attempt.knownIssueLasts)}`, columns))]),
    ...(attempt.outcome === 'passed' && attempt.knownIssueGone === true
      ? [chalk.green('     └─ 🎉 its known issue did not occur')]
      : []),
    ...(verbose && attempt.outcome !== 'passed'
      ? [chalk.dim(`     output: ${oneLine(attempt.artifacts, 400)}`)]
      : []),
    ...(verbose && evidence
      ? renderRun(evidence).map((line) => chalk.dim(oneLineAt(INDENT, line, Math.max(columns, 120))))
      : []),
  ];
}

function renderHead(attempt: AttemptFinished, chalk: ChalkInstance, note: string): string[] {
  if (attempt.interrupted) return [`  ⏹  ${chalk.yellow(`${labelOf(attempt)}: interrupted`)}`];
  const mark = markOf({ outcome: attempt.outcome, inconclusive: isInconclusive(attempt) });
  const again =
    attempt.repeat !== undefined
      ? `, repeat ${attempt.repeat}`
      : attempt.attempt > 1
        ? `, attempt ${attempt.attempt}`
        : '';
  const time = chalk.dim(`(${formatDuration(attempt.durationSeconds)}${again})${note && ` · ${note}`}`);
  return [`  ${mark} ${paintLabel(labelOf(attempt), attempt, chalk)} ${time}`];
}

function labelOf({ scenarioId, backend }: AttemptFinished): string {
  return oneLine(testLabel(scenarioId, backend), 120);
}

function paintLabel(label: string, attempt: AttemptFinished, chalk: ChalkInstance): string {
  const { outcome } = attempt;
  if (outcome === 'passed') return label;
  if (isInconclusive(attempt)) return chalk.yellow(label);
  return outcome === 'known-issue' ? chalk.yellow(`${label}: known issue`) : chalk.red(label);
}

/** Renders whose fault it is if it is not the target's, and whether the test runs again. */
function renderFault(
  { fault, evidence, retryInSeconds, ...attempt }: AttemptFinished,
  { chalk }: AttemptStyle,
): string[] {
  const again =
    retryInSeconds === undefined
      ? ''
      : `runs again${retryInSeconds > 0 ? ` in ${formatDuration(retryInSeconds)}` : ''}`;
  if (fault === undefined || !isInconclusive({ ...attempt, fault }))
    return again === '' ? [] : [`     └─ ${again}`];
  const words = describeFault(fault, { isConversation: evidence?.conversation !== undefined });
  return [
    chalk.yellow(`     └─ ${words}${again === '' ? '' : `; ${again}`}`),
    ...fault.because.map((fact) => chalk.yellow(`        ${oneLine(fact, 300)}`)),
  ];
}

/** Renders the error, or the failed check about the earliest moment, on one line. */
function renderFirstBreak(attempt: AttemptFinished, { chalk, columns }: AttemptStyle): string[] {
  const { error, outcome, interrupted } = attempt;
  if (interrupted) return [];
  if (error !== null) return [chalk.red(oneLineAt(INDENT, `error: ${error}`, columns))];
  if (outcome !== 'failed' || isInconclusive(attempt)) return [];
  const [first] = listBroken(attempt).shown;
  if (first === undefined) return [];
  const room = columns - INDENT - '; received: '.length;
  const name = cutMiddle(
    first.name,
    room - Math.min(Math.floor(columns * LEAST_RECEIVED), first.actual.length),
  );
  return [
    chalk.red(oneLineAt(INDENT, `${name}; received: ${oneLine(first.actual, room - name.length)}`, columns)),
  ];
}

/** Lists the failed checks, the earliest moment of the run first. */
function listBroken({ checks, evidence }: AttemptFinished): FailedInOrder<CheckResult> {
  const worn = evidence?.iterations.map(({ hat }) => hat ?? '') ?? [];
  return orderFailed(
    checks.filter(({ passed }) => !passed),
    worn,
  );
}

function renderEverything(attempt: AttemptFinished, { chalk, columns }: AttemptStyle): string[] {
  const { error, checks } = attempt;
  const { shown, consequences } = listBroken(attempt);
  return [
    ...(error === null ? [] : [chalk.red(`     error: ${oneLine(error, 600)}`)]),
    ...checks
      .filter(({ passed }) => passed)
      .map(({ name }) => oneLineAt(INDENT, `✓ ${name}`, Math.max(columns, 120))),
    ...shown.flatMap((check) => [
      ...renderBrokenCheck(check, { chalk, columns, indent: INDENT, most: 6 }),
      ...(check.suggestion === null ? [] : [`       💡 ${oneLine(check.suggestion, 300)}`]),
    ]),
    ...(consequences.length === 0 ? [] : [`     ${describeConsequences(consequences)}:`]),
    ...consequences.map(({ name }) => oneLineAt(INDENT, `✗ ${name}`, Math.max(columns, 120))),
  ];
}

/** Renders what the isolation stopped, even if everything passed. */
function renderStopped(evidence: Evidence | null, verbose: boolean): string[] {
  const stopped = evidence?.isolation?.stopped ?? [];
  const shown = verbose ? stopped : stopped.slice(0, 3);
  return [
    ...shown.map((what) => `     🚧 stopped: ${oneLine(describeStopped(what), 240)}`),
    ...(stopped.length > shown.length ? [`     🚧 and ${stopped.length - shown.length} more`] : []),
  ];
}

function renderRun(evidence: Evidence): string[] {
  const { command, iterations, events, termination, conversation } = evidence;
  const unit = conversation === undefined ? 'iteration' : 'turn';
  return [
    `$ ${quoteCommand(command)}`,
    ...iterations.map(
      ({ number, hat, said, toolCalls }) =>
        `${unit} ${number}${hat === null ? '' : ` [${oneLine(hat, 40)}]`}: ${countOf(toolCalls.length, 'tool call')}, said ${JSON.stringify(oneLine(said, 160))}`,
    ),
    ...events.map(
      ({ topic, payload, source }) =>
        `event ${oneLine(topic, 80)} by ${source}${payload === null ? '' : `: ${oneLine(payload, 160)}`}`,
    ),
    `ended: ${oneLine(describeEndOfProcess(evidence.exit), 80)}${termination === null ? '' : `, ${oneLine(termination.reason, 80)}`}`,
  ];
}
