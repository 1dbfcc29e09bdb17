import { RALPH_HAT, RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { type Backend, resolveBackend } from '../backend/backend.js';
import { containsPromise } from '../backend/output-tags.js';
import { faulty } from '../faults.js';
import { attempt } from '../log.js';
import { panic } from '../signals.js';
import { appendLoopRecord, EventsReader } from '../store/events-file.js';
import { scaleWait, sleep } from '../time.js';
import { type BusEvent, COORDINATOR, EventBus, previewActiveHat } from './bus.js';
import { grantCompletion } from './completion.js';
import { type IntakeContext, takeInEvents, warnOfMalformed } from './intake.js';
import { takeInWithHooks } from './intake-hooks.js';
import { runIteration } from './iteration.js';
import type { SessionRecorder } from './session-recorder.js';
import type { LoopSetup } from './setup.js';
import { checkLimits, LoopState, persistState, restoreState } from './state.js';
import type { TerminationReason } from './termination.js';

const CORE = 'ralph_core::event_loop';
const RUNNER = 'ralph::loop_runner';
const LATE_EVENTS = { polls: 5, intervalMs: 50 };
const EXPECTED_EMIT = { polls: 20, intervalMs: 250 };

/** Runs iterations until something ends the loop. */
export class Loop {
  readonly state = new LoopState();
  readonly #setup: LoopSetup;
  readonly #bus: EventBus;
  readonly #reader: EventsReader;
  readonly #backend: Backend;
  readonly #intake: IntakeContext;
  #greeted = false;

  constructor(setup: LoopSetup) {
    this.#setup = setup;
    this.#bus = new EventBus(setup.config.hats);
    this.#reader = new EventsReader(setup.eventsPath);
    this.#backend = resolveBackend(setup.config, setup.extraArgs);
    this.#intake = { ...setup, bus: this.#bus, state: this.state };
  }

  /** Publishes the objective as the first event. */
  begin(): void {
    const { config, resumed, objective } = this.#setup;
    const topic = resumed ? RALPH_TOPICS.resume : (config.eventLoop.startingEvent ?? RALPH_TOPICS.start);
    this.#bus.publish({ topic, payload: objective });
  }

  /** Opens the events file; from here on an observer can record what is published. */
  open(observer: SessionRecorder): void {
    const { config, resumed, objective, eventsPath, log } = this.#setup;
    const { startingEvent } = config.eventLoop;
    this.#bus.observe(observer);
    if (resumed) this.#restore();
    // The record names the starting event even if the loop was resumed, and always the same receiver.
    const topic = startingEvent ?? (resumed ? RALPH_TOPICS.resume : RALPH_TOPICS.start);
    const record = { iteration: 0, hat: RALPH_HAT, topic, triggered: 'planner', payload: objective };
    attempt(log, RUNNER, 'log start event', () => appendLoopRecord(eventsPath, record));
    this.#reader.skipToEnd();
  }

  /**
   * Continues a loop where it ended: the iteration count goes on, known topics stay known, and events appended after
   * the end are delivered.
   */
  #restore(): void {
    const { files, log } = this.#setup;
    // Without a readable count the loop starts from zero.
    attempt(log, RUNNER, 'restore persisted loop state', () => restoreState(this.state, files.loopState));
    const { events, malformed } = this.#reader.read();
    for (const { topic } of events) this.state.seenTopics.add(topic);
    const end = events.findLastIndex(({ topic }) => topic === RALPH_TOPICS.end);
    const endLine = events[end]?.line ?? Number.POSITIVE_INFINITY;
    warnOfMalformed({ events: [], malformed: malformed.filter(({ line }) => line < endLine) }, log);
    if (end === -1) return;
    const later = malformed.filter(({ line }) => line > endLine);
    takeInEvents({ events: events.slice(end + 1), malformed: later }, this.#intake);
  }

  /** Runs iterations until something ends the loop. */
  async run(): Promise<TerminationReason> {
    for (;;) {
      const reason = await this.#step();
      if (reason !== undefined) return reason;
    }
  }

  /** Returns the hat that would be active if an iteration began now. */
  findActiveHat(): string {
    return previewActiveHat(this.#setup.config, this.#bus);
  }

  /** Runs one step of the loop; the order of its parts decides what counts in the last iteration. */
  async #step(): Promise<TerminationReason | undefined> {
    const { config, log } = this.#setup;
    const limit = this.#checkLimits();
    if (limit !== undefined) return limit;
    if (!this.#bus.hasPending()) return this.#recover();

    const iteration = this.state.iteration + 1;
    this.#setup.hooks.run('pre.iteration.start', { iteration, activeHat: this.findActiveHat() });
    if (!this.#greeted) log.info(RUNNER, "I'm Ralph. Let's do this.");
    this.#greeted = true;
    const { output, displayHat, succeeded } = await runIteration({
      setup: this.#setup,
      state: this.state,
      bus: this.#bus,
      backend: this.#backend,
    });
    if (faulty('crash')) panic('fault: crash');

    this.state.iteration += 1;
    this.#noteIteration();
    this.state.consecutiveFailures = succeeded ? 0 : this.state.consecutiveFailures + 1;
    const reached = this.#checkLimits();
    attempt(log, RUNNER, 'persist loop state', () => persistState(this.state, this.#setup.files.loopState));
    if (reached !== undefined) return reached;

    let wrote = takeInWithHooks(this.#reader.read(), this.#intake, this.#setup.hooks, displayHat);
    if (!wrote && output.includes('ralph emit')) {
      const late = await this.#pollForEvents(EXPECTED_EMIT);
      if (late === 'none')
        log.warn(RUNNER, 'Output indicated `ralph emit`, but no event became readable before fallback logic');
      else if (late === 'pending') wrote = true;
      else return late;
    }
    if (!wrote || faulty('always-default-publishes')) this.#publishDefaults(displayHat);
    return this.#concludeIteration(output, config.eventLoop.cooldownDelaySeconds);
  }

  async #concludeIteration(output: string, cooldownSeconds: number): Promise<TerminationReason | undefined> {
    const { config, files, loopId, log } = this.#setup;
    const promise = config.eventLoop.completionPromise;
    if (this.#isCancelled()) return 'cancelled';
    if (faulty('complete-too-early')) return 'completed';
    if (grantCompletion(this.#intake, files, loopId)) {
      log.info(RUNNER, `Completion event ${promise} detected.`);
      return 'completed';
    }
    if (containsPromise(output, promise)) {
      log.info(CORE, 'Completion requested via text fallback (output contained completion promise)');
      this.state.completionRequested = true;
      if (grantCompletion(this.#intake, files, loopId)) {
        log.info(RUNNER, `Completion promise ${promise} detected in output text.`);
        return 'completed';
      }
    }
    if (cooldownSeconds > 0 && !this.#bus.hasHumanPending() && !faulty('ignore-cooldown'))
      await sleep(cooldownSeconds * 1000);
    return undefined;
  }

  #publishDefaults(displayHat: string): void {
    if (faulty('drop-default-publishes')) return;
    const { config, log } = this.#setup;
    for (const id of new Set([displayHat, ...this.state.lastActiveHats])) {
      const topic = config.hats.find((hat) => hat.id === id)?.defaultPublishes;
      if (topic === undefined) continue;
      const event: BusEvent =
        topic === config.eventLoop.completionPromise
          ? {
              topic: RALPH_TOPICS.resume,
              target: id,
              payload: `Recovery: hat \`${id}\` produced no events, and its default_publishes is the completion promise \`${topic}\`. A loop does not complete in silence: emit the completion yourself, or another event.`,
            }
          : { topic, payload: '', source: id };
      if (event.topic === RALPH_TOPICS.resume)
        log.warn(
          CORE,
          `default_publishes matches completion_promise — requiring explicit agent event hat=${id}`,
        );
      this.state.recordEvent(event);
      this.#bus.publish(event);
      if (this.#bus.hasPending()) return;
    }
  }

  /** Handles an empty bus: waits for a late event; if none arrives, asks the coordinator to continue. */
  async #recover(): Promise<TerminationReason | undefined> {
    const late = await this.#pollForEvents(LATE_EVENTS);
    if (late !== 'none' && late !== 'pending') return late;
    if (late === 'none') {
      this.#bus.publish({
        topic: RALPH_TOPICS.resume,
        payload: faulty('empty-recovery')
          ? ''
          : 'RECOVERY: Previous iteration did not publish an event. Look at the scratchpad, then hand on the next task or complete the loop.',
      });
    }
    return undefined;
  }

  async #pollForEvents(wait: {
    polls: number;
    intervalMs: number;
  }): Promise<'none' | 'pending' | TerminationReason> {
    if (faulty('ignore-late-events')) return 'none';
    for (let poll = 0; poll <= wait.polls; poll += 1) {
      if (poll > 0) await sleep(scaleWait(wait.intervalMs));
      const read = this.#reader.read();
      if (read.problem !== undefined) {
        const what = 'Failed to drain late JSONL events before fallback';
        this.#setup.log.warn(RUNNER, `${what} error=${read.problem}`);
        return 'none';
      }
      const published = takeInEvents(read, this.#intake);
      if (this.#isCancelled()) return 'cancelled';
      if (grantCompletion(this.#intake, this.#setup.files, this.#setup.loopId)) return 'completed';
      if (this.#bus.hasPending()) return 'pending';
      if (published) return 'none';
    }
    return 'none';
  }

  #checkLimits(): TerminationReason | undefined {
    return checkLimits(this.state, this.#setup);
  }

  #isCancelled(): boolean {
    if (!this.state.cancellationRequested || faulty('ignore-cancellation')) return false;
    const event = { type: 'loop_terminated', reason: 'cancelled' } as const;
    this.#setup.diagnostics.orchestration(this.state.iteration, 'loop', event);
    return true;
  }

  #noteIteration(): void {
    const { diagnostics } = this.#setup;
    diagnostics.orchestration(this.state.iteration, 'loop', { type: 'iteration_started' });
    diagnostics.orchestration(this.state.iteration, 'loop', {
      type: 'hat_selected',
      hat: COORDINATOR,
      reason: 'process_output',
    });
  }
}
