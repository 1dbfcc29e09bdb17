import { resolve } from 'node:path';
import { RALPH_HAT, RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { type Backend, resolveHatBackend } from '../backend/backend.js';
import { executeBackend } from '../backend/execute.js';
import { parseEventTags } from '../backend/output-tags.js';
import { findAdapter } from '../config/adapters.js';
import type { HatConfig, ScratchpadConfig } from '../config/config.js';
import { faulty } from '../faults.js';
import { attempt } from '../log.js';
import { buildPrompt } from '../prompt/prompt.js';
import { renderFooter, renderPromptDump, renderSeparator } from '../screen/display.js';
import { print } from '../screen/screen.js';
import { appendLoopRecord, appendTagRecord } from '../store/events-file.js';
import { appendTextFile } from '../store/files.js';
import { quoteList } from '../text.js';
import { now } from '../time.js';
import {
  type BusEvent,
  COORDINATOR,
  type EventBus,
  findActiveHats,
  findSubscriber,
  hideKickoffs,
  previewActiveHat,
} from './bus.js';
import type { LoopSetup } from './setup.js';
import type { LoopState } from './state.js';

const CORE = 'ralph_core::event_loop';
const RUNNER = 'ralph::loop_runner';

/** What one iteration needs. */
export interface IterationParts {
  readonly setup: LoopSetup;
  readonly state: LoopState;
  readonly bus: EventBus;
  readonly backend: Backend;
}

/** The result of running the backend. */
export interface IterationResult {
  readonly output: string;
  /** The hat that was active, or the coordinator. */
  readonly displayHat: string;
  readonly succeeded: boolean;
}

/** Builds the prompt, runs the backend on it and records its output. */
export async function runIteration(parts: IterationParts): Promise<IterationResult> {
  const { config, diagnostics, verbose, log, workspace, program, hooks } = parts.setup;
  const { maxIterations } = config.eventLoop;
  const number = parts.state.iteration + 1;
  const selected = previewActiveHat(config, parts.bus);
  hooks.run('post.iteration.start', { iteration: number, activeHat: selected, selectedHat: selected });
  const prompt = composePrompt(parts);
  const displayHat = parts.state.lastActiveHats[0] ?? selected;
  diagnostics.prompt(number, displayHat, prompt);

  print(renderSeparator(number, displayHat, parts.state.elapsedMs(), maxIterations));
  if (verbose) process.stderr.write(renderPromptDump(prompt, COORDINATOR, number));
  const started = now();
  const backend = chooseBackend(parts, displayHat);
  const { text, succeeded } = await executeBackend(backend, prompt, {
    workspace,
    program,
    verbose,
    log,
    inactivitySeconds: findAdapter(config.adapters, backend.name).timeout,
  });
  const duration = now() - started;
  print(renderFooter(number, maxIterations, duration, parts.state.elapsedMs(), parts.state.totalCostUsd));
  recordTags(parts, number, text);
  recordSummary(parts, number, duration, backend.name);
  return { output: text, displayHat, succeeded };
}

/** Combines all pending events of all hats into one prompt. */
function composePrompt(parts: IterationParts): string {
  const { config } = parts.setup;
  const { hats } = config;
  const taken = parts.bus.take().flatMap(({ hat, events }) => {
    const delivered = events.length > 1 && faulty('one-pending-event') ? events.slice(0, 1) : events;
    return dropExhausted(parts, hat, delivered);
  });
  const all = [...taken, ...parts.bus.takeHuman(), ...repeatEvents(parts)];
  parts.state.lastEvents = [...taken];
  const regular = all.filter(({ topic }) => topic !== RALPH_TOPICS.guidance);
  const activeHats = findActiveHats(hats, regular, config.eventLoop.startingEvent);
  for (const { id } of activeHats)
    parts.state.activations.set(id, (parts.state.activations.get(id) ?? 0) + 1);
  parts.state.lastActiveHats = activeHats.map(({ id }) => id);

  if (activeHats.length === 0) {
    for (const { name } of hats.filter(({ triggers }) => triggers.length === 0)) {
      const what = 'Hat has triggers that are never published - it may be unreachable';
      parts.setup.log.warn('ralph_core::hatless_ralph', `${what} hat=${name} triggers=[]`);
    }
  }
  const scratchpad = activeHats[0]?.scratchpad ?? config.core.scratchpad;
  keepGuidance(
    parts,
    all.filter(({ topic }) => topic === RALPH_TOPICS.guidance),
    scratchpad,
  );
  return buildPrompt({
    ...parts.setup,
    // Without hats nothing is hidden: a kickoff is noise only to a hat.
    events: hats.length === 0 ? regular : hideKickoffs(regular),
    activeHats,
    scratchpad,
    guidance: parts.state.guidance,
    iteration: parts.state.iteration,
  });
}

function repeatEvents({ state }: IterationParts): readonly BusEvent[] {
  return state.lastEvents.length > 0 && faulty('repeat-events') ? state.lastEvents : [];
}

/** Drops the events of a hat that reached its activation limit; the loop reports it once. */
function dropExhausted(parts: IterationParts, id: string, events: readonly BusEvent[]): readonly BusEvent[] {
  const max = findHat(parts, id)?.maxActivations;
  const count = parts.state.activations.get(id) ?? 0;
  if (max === undefined || count < max || faulty('ignore-max-activations')) return events;
  if (parts.state.exhaustedHats.has(id) && !faulty('repeat-exhausted')) return [];
  parts.state.exhaustedHats.add(id);
  parts.setup.log.warn(CORE, `Hat exhausted (max_activations reached) hat=${id} max_activations=${max}`);
  const topics = events.map(({ topic }) => topic).sort();
  const event = {
    topic: `${id}.exhausted`,
    payload: `Hat '${id}' exhausted.\n- max_activations: ${max}\n- activations: ${count}\n- dropped_topics:\n  - ${topics.join('\n  - ')}`,
  };
  // It appears in this prompt and, through the bus, in the next.
  parts.bus.publish(event);
  return [event];
}

function keepGuidance(parts: IterationParts, events: readonly BusEvent[], active: ScratchpadConfig): void {
  const { config, workspace, log } = parts.setup;
  const pad = active.enabled ? active : config.core.scratchpad;
  for (const { payload } of events) {
    parts.state.guidance.push(payload);
    const stamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const note = `\n### HUMAN GUIDANCE (${stamp} UTC)\n\n${payload}\n`;
    if (pad.enabled)
      attempt(log, CORE, 'write guidance to scratchpad', () =>
        appendTextFile(resolve(workspace, pad.path), note),
      );
  }
}

function chooseBackend(parts: IterationParts, hatId: string): Backend {
  if (faulty('wrong-backend-for-hat')) return parts.backend;
  const hat = forgetArguments(findHat(parts, hatId));
  const own = hat === undefined ? undefined : resolveHatBackend(hat);
  if (own === 'unknown') {
    parts.setup.log.warn(
      RUNNER,
      `Failed to create backend from hat configuration for '${hatId}'. Falling back to global backend.`,
    );
  }
  if (own !== undefined && own !== 'unknown') return own;
  return hat === undefined
    ? parts.backend
    : { ...parts.backend, args: [...parts.backend.args, ...hat.backendArgs] };
}

function forgetArguments(hat: HatConfig | undefined): HatConfig | undefined {
  const { backend } = hat ?? {};
  const count = (hat?.backendArgs.length ?? 0) + (backend?.args.length ?? 0);
  if (hat === undefined || count === 0 || !faulty('drop-hat-arguments')) return hat;
  return { ...hat, backend: backend && { ...backend, args: [] }, backendArgs: [] };
}

/** Writes event tags in the text to the events file, from which they are read like any other event. */
function recordTags(parts: IterationParts, iteration: number, output: string): void {
  const { config, eventsPath, log } = parts.setup;
  const tags = parseEventTags(output);
  if (tags.length > 0 && faulty('ignore-event-tags')) return;
  for (const { topic, payload } of tags) {
    const triggered = findSubscriber(config.hats, topic)?.id;
    if (triggered === undefined) {
      const valid = [...new Set(config.hats.flatMap((hat) => hat.triggers))].filter(
        (trigger) => trigger !== '*',
      );
      log.warn(
        RUNNER,
        `Event has no subscriber - logging ${RALPH_TOPICS.orphaned} topic=${topic} source=${COORDINATOR}`,
      );
      const record = {
        iteration,
        hat: 'loop',
        topic: RALPH_TOPICS.orphaned,
        payload: `Event '${topic}' has no subscriber hat. Valid events to publish: ${quoteList(valid)}`,
      };
      attempt(log, RUNNER, `log ${RALPH_TOPICS.orphaned}`, () => appendLoopRecord(eventsPath, record));
    }
    const target = triggered === undefined ? {} : { triggered };
    const record = { iteration, hat: COORDINATOR, topic, ...target, payload };
    attempt(log, RUNNER, `log event ${topic}`, () => appendTagRecord(eventsPath, record));
  }
}

/** Headless runs do not know tokens or costs: everything except the duration is zero. */
function recordSummary(parts: IterationParts, iteration: number, durationMs: number, backend: string): void {
  const window =
    parts.setup.config.eventLoop.contextWindowTokens ??
    (backend === 'claude' || backend === 'pi' ? 200_000 : 0);
  const payload = `{"cache_read_tokens":0,"cache_write_tokens":0,"context_pct":0,"context_tokens":0,"context_window":${window},"cost_usd":0.0,"duration_ms":${Math.floor(durationMs)},"input_tokens":0,"num_turns":0,"output_tokens":0}`;
  attempt(parts.setup.log, RUNNER, `log ${RALPH_TOPICS.summary} event`, () =>
    appendLoopRecord(parts.setup.eventsPath, {
      iteration,
      hat: RALPH_HAT,
      topic: RALPH_TOPICS.summary,
      payload,
    }),
  );
}

function findHat(parts: IterationParts, id: string): HatConfig | undefined {
  return parts.setup.config.hats.find((hat) => hat.id === id);
}
