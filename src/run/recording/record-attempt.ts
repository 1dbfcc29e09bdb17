import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRecordedInput } from '../../agent/recorded.js';
import { BACKENDS } from '../../backends/index.js';
import type { AttemptFinished } from '../../domain/attempt.js';
import { FORMATS } from '../../domain/common/formats.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { Evidence, Iteration } from '../../domain/evidence/evidence.js';
import { endsOfIterations, placeInTime } from '../../domain/evidence/facts.js';
import { type AgentRecording, type Deed, RECORDING_FILE } from '../../domain/recording/recording.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { replaceFile } from '../../exec/files/plain-file.js';
import { REDACTED } from '../../exec/redact/scanner-for.js';
import { redactText } from '../../exec/redact.js';
import type { Attempt } from '../../lane/job.js';
import type { Executed } from '../../lane/workbench.js';
import { hashScenario } from '../planned.js';
import { readLeftFiles } from './left-files.js';

const MAX_RECORDING = 16 * 1024 * 1024;

/** What a recording says about its attempt. */
interface Recorded {
  readonly job: Pick<Attempt['job'], 'scenario' | 'backend' | 'attempt'>;
  readonly settings: Pick<Attempt['settings'], 'run' | 'target'>;
  readonly places: Pick<Attempt['places'], 'artifacts'>;
}

/** What an attempt left. */
interface Left extends Pick<Executed, 'evidence' | 'secrets'> {
  readonly workspace: Pick<Executed['workspace'], 'path'>;
}

/**
 * Writes what the agent was sent and did, before its workspace is removed. Returns the SHA-256 of the file, or why there
 * is none: the attempt was paid, and its result must not be lost.
 */
export async function recordAttempt(
  attempt: Recorded,
  context: ScenarioContext,
  executed: Left,
): Promise<Pick<AttemptFinished, 'recordingSha256' | 'notRecorded'>> {
  try {
    return { recordingSha256: await writeRecording(attempt, context, executed) };
  } catch (error) {
    return { notRecorded: redactText(messageOf(error), executed.secrets) };
  }
}

async function writeRecording(attempt: Recorded, context: ScenarioContext, executed: Left): Promise<string> {
  const recording = await describeRecording(attempt, context, executed);
  const whole = JSON.stringify(recording, null, 2);
  const text =
    whole.length <= MAX_RECORDING ? whole : JSON.stringify(tooLarge(recording, whole.length), null, 2);
  await replaceFile(join(attempt.places.artifacts, RECORDING_FILE), `${text}\n`);
  return createHash('sha256').update(`${text}\n`).digest('hex');
}

async function describeRecording(
  { job, settings }: Recorded,
  { nonce, numbers, second, lane }: ScenarioContext,
  { evidence, workspace, secrets }: Left,
): Promise<AgentRecording> {
  const { scenario, backend, attempt } = job;
  const { hash } = hashScenario(scenario, backend, lane);
  return {
    format: FORMATS.recording.format,
    runId: settings.run.id,
    scenarioId: scenario.id,
    backend,
    attempt,
    at: evidence.startedAt,
    target: settings.target,
    lane,
    drawn: { nonce, numbers, second },
    ...(hash === undefined ? {} : { scenarioHash: hash }),
    workspace: workspace.path,
    calls: evidence.iterations.map((iteration) => ({
      iteration: iteration.number,
      hat: iteration.hat,
      prompt: iteration.prompt ?? '',
      deeds: deedsOf(iteration),
      emitted: listEmitted(evidence, iteration.number),
    })),
    files: await readLeftFiles(evidence, workspace.path, secrets),
    obstacles: findObstacles(job, evidence),
  };
}

function listEmitted({ events }: Evidence, iteration: number): string[] | null {
  const ends = endsOfIterations(events);
  if (!ends.some((end) => end.iteration === iteration)) return null;
  return events.filter((event) => placeInTime(event, ends) === iteration).map(({ topic }) => topic);
}

function tooLarge({ calls, ...rest }: AgentRecording, size: number): AgentRecording {
  const obstacle = `The recording has ${size} characters, and at most ${MAX_RECORDING} are kept.`;
  return { ...rest, calls: [], files: [], obstacles: [obstacle, ...rest.obstacles] };
}

/** Puts the texts and the tool calls of an answer back in their order. */
function deedsOf({ said, textLengths, toolCalls, order }: Iteration): Deed[] {
  const texts = splitTexts(said, textLengths).map((text): Deed => ({ kind: 'said', text }));
  const uses = toolCalls.map(
    ({ name, input, result, isError }): Deed => ({
      kind: 'used',
      tool: name,
      input: readRecordedInput(input),
      result: result ?? '',
      isError,
    }),
  );
  if (order === undefined) return [...uses, ...texts];
  return order.flatMap((kind) => (kind === 'text' ? texts.shift() : uses.shift()) ?? []);
}

/** Cuts what was said at the ends of its blocks. Between two blocks is a line feed. */
function splitTexts(said: string, lengths: readonly number[] = []): string[] {
  if (lengths.length < 2) return said === '' ? [] : [said];
  let from = 0;
  return lengths.map((length) => {
    const text = said.slice(from, from + length);
    from += length + 1;
    return text;
  });
}

/** Says why an attempt cannot be replayed, one sentence for each reason. */
function findObstacles({ scenario, backend }: Recorded['job'], evidence: Evidence): string[] {
  if (scenario.kind !== 'ralph') return ['It is a conversation: Ralph has no part in it.'];
  const { whyNotReplayed } = BACKENDS[backend];
  if (whyNotReplayed !== null) return [whyNotReplayed];
  const sessions = evidence.errands.some(({ stdout }) => /^ ITERATION \d+ \|/m.test(stdout));
  return [
    ...(sessions ? ['Its agent also worked in an earlier or a later session, which is not recorded.'] : []),
    ...evidence.iterations.flatMap(findObstacle),
  ];
}

function findObstacle({ number, prompt, said, saidCut, form, cli, toolCalls }: Iteration): string[] {
  if (prompt === null) return [`Ralph logged no prompt for iteration ${number}.`];
  if (prompt.includes(REDACTED)) return [`A credential was removed from the prompt of iteration ${number}.`];
  if (form === 'text')
    return said === '' && toolCalls.length === 0
      ? [`Nothing is known about what the agent did in iteration ${number}.`]
      : [`The agent does not say in its output what it did in iteration ${number}.`];
  if (saidCut === true) return [`What the agent said in iteration ${number} was too long to keep.`];
  if (cli?.whole === false)
    return [`The answer in iteration ${number} is not whole: the agent was ended, or its service failed.`];
  return [];
}
