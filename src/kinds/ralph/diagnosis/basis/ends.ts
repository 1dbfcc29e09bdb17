import { parse } from 'yaml';
import * as z from 'zod';
import { findErrand } from '../../../../domain/checks/errands.js';
import { countNoun, list } from '../../../../domain/checks/text.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { topicsSeen } from '../../../../domain/evidence/facts.js';
import { type Basis, WORKS } from './basis.js';

const completion: Basis = {
  promise: {
    area: 'completion',
    promise: 'A loop completes when the promise stands alone on the last non-empty line of the output.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
  },
  concerns: (check, evidence) => {
    const [args = ''] = check.about?.names ?? [];
    const isRun = check.kind === 'errandAnswered' && /^run\b/.test(args);
    return isRun && check.about?.exitCode === 0 && findErrand(evidence, args)?.exitCode === AT_A_LIMIT;
  },
  look: ({ errands, termination }) =>
    termination?.reason === 'completed' ||
    errands.some(({ command, exitCode }) => exitCode === 0 && command.includes('run'))
      ? WORKS
      : {
          state: 'unseen',
          text: 'No loop of this test completes: either completion is broken, or a limit stops every loop.',
        },
};

/** Ralph's exit code when a loop ends at one of its limits. */
const AT_A_LIMIT = 2;

const requiredEvents: Basis = {
  promise: {
    area: 'completion',
    promise: 'Completion is refused until every required event was seen.',
    source: 'ralph-core/src/event_loop/loop_state.rs: missing_required_events',
    about: ['config event_loop.required_events'],
  },
  directions: ['early'],
  concerns: (_check, { termination }) => termination?.reason === 'completed',
  look: (evidence) => {
    const required = readRequired(evidence);
    if (required.length === 0) return WORKS;
    const seen = topicsSeen(evidence);
    const missing = required.filter((name) => !seen.has(name));
    return missing.length > 0 && evidence.cut === undefined
      ? { state: 'broken', text: `It completed without ${list(missing)}, which is required.` }
      : { state: 'unseen', text: `It completed, and requires ${list(required)}.` };
  },
};

const recordedEnd: Basis = {
  promise: {
    area: 'history',
    promise:
      'The events file ends with loop.terminate: the last iteration, the reason, the iterations and the exit code.',
    source: 'ralph-cli/src/loop_runner.rs: log_terminate_event',
    about: ['topic loop.terminate'],
  },
  concerns: ({ category }, { exit, termination, iterations }) =>
    category === 'TerminationReason' &&
    termination === null &&
    exit.kind === 'exited' &&
    exit.code === 0 &&
    iterations.length > 0,
  look: ({ events }) => ({
    state: 'broken',
    text: `Ralph exited with 0 and recorded no end of the loop; the events file has ${countNoun(events.filter(({ source }) => source === 'ralph').length, 'record')} of Ralph.`,
  }),
};

const configSchema = z.object({
  event_loop: z.object({ required_events: z.array(z.string()).default([]) }),
});

function readRequired({ configYaml }: Evidence): readonly string[] {
  try {
    return configSchema.safeParse(parse(configYaml)).data?.event_loop.required_events ?? [];
  } catch {
    // A configuration that is not YAML requires nothing.
    return [];
  }
}

/** What ends every loop. */
export const END_BASES: readonly Basis[] = [recordedEnd, completion, requiredEvents];
