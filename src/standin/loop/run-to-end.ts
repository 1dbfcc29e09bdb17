import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { RALPH_HAT, RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { faulty } from '../faults.js';
import { SuspensionEnded } from '../hooks/hooks.js';
import { attempt } from '../log.js';
import { renderBanner, renderTermination } from '../screen/display.js';
import { print } from '../screen/screen.js';
import { renderTerminatePayload, writeSummary } from '../screen/summary.js';
import { appendLoopRecord } from '../store/events-file.js';
import { appendHistory, writeTextFile } from '../store/files.js';
import { formatElapsed } from '../time.js';
import { land } from './landing.js';
import { Loop } from './loop.js';
import { openSessionRecorder } from './session-recorder.js';
import type { LoopSetup } from './setup.js';
import { describeTermination, type TerminationReason } from './termination.js';

const RUNNER = 'ralph::loop_runner';

/** Runs the loop from its first record to its last; returns the exit code. */
export async function runToEnd(setup: LoopSetup): Promise<number> {
  const { config, files, workspace, loopId, objective, eventsPath, hooks, log, remembered } = setup;
  const loop = new Loop(setup);
  const stopped = await untilStopped(() => {
    hooks.run('pre.loop.start', { iteration: 0 });
    loop.begin();
    hooks.run('post.loop.start', { iteration: 0, activeHat: loop.findActiveHat() });
    return undefined;
  });
  const record = openSessionRecorder(setup.recording, config, setup.isShown);
  loop.open(record);
  const started = { kind: 'loop_started', prompt: objective };
  if (remembered) attempt(log, RUNNER, 'record loop start', () => appendHistory(files, started));
  if (stopped === undefined)
    print(
      renderBanner({
        loopId,
        resumed: setup.resumed,
        backend: config.cli.backend,
        promptFile: config.eventLoop.promptFile,
        eventsPath,
        scratchpadPath: resolve(workspace, config.core.scratchpad.path),
        maxIterations: config.eventLoop.maxIterations,
      }),
    );

  const reached = stopped ?? (await untilStopped(() => loop.run()));
  const recorded = await runEndHooks('pre', reached, loop, hooks);
  const { iteration: iterations, totalCostUsd: costUsd } = loop.state;
  const end = { reason: recorded, iterations, elapsedMs: loop.state.elapsedMs(), costUsd };
  const duration = formatElapsed(end.elapsedMs);
  log.info(
    'ralph_core::event_loop',
    `Wrapping up: ${recorded}. ${end.iterations} iterations in ${duration}. reason=${recorded} iterations=${end.iterations} duration=${duration}`,
  );
  const payload = renderTerminatePayload(end);
  record({ topic: RALPH_TOPICS.end, payload });
  const terminate = { iteration: end.iterations, hat: RALPH_HAT, topic: RALPH_TOPICS.end, payload };
  attempt(log, RUNNER, `log ${RALPH_TOPICS.end} event`, () => appendLoopRecord(eventsPath, terminate));
  const reason = await runEndHooks('post', recorded, loop, hooks);
  const words = describeTermination(reason);
  attempt(log, RUNNER, 'write summary file', () =>
    writeSummary({ ...end, reason }, files, workspace, config.core.scratchpad.path),
  );
  const ended = { kind: 'loop_completed', reason: words.history ?? reason };
  if (remembered) attempt(log, RUNNER, 'record loop completion', () => appendHistory(files, ended));
  if (remembered && reason === 'completed') land(workspace, files, objective, log);
  attempt(log, RUNNER, 'deregister loop from registry', () =>
    writeTextFile(files.loops, JSON.stringify({ loops: [] }, null, 2)),
  );
  print(renderTermination(reason, end.iterations, end.elapsedMs, costUsd, loopId));
  if (reason === 'restart_requested') {
    // The real Ralph leaves a shell behind that builds and starts ralph from source. The stand-in does not.
    rmSync(files.restartRequested, { force: true });
    // The stand-in says so, but does not build the real Ralph.
    const command = `kill ${process.pid} && RALPH_DIAGNOSTICS=1 cargo run --bin ralph -- resume -c ralph.test.yml`;
    log.info('ralph', `Restart requested — launching single-command restart: ${command}`);
    return 0;
  }
  if (reason === 'completed' && faulty('hang-after-completion')) await hang();
  return faulty('wrong-exit-code') ? Number(words.exitCode === 0) : words.exitCode;
}

/** Returns what the action returns, or why somebody ended the loop while a hook suspended it. */
async function untilStopped<Result>(
  action: () => Promise<Result> | Result,
): Promise<Result | SuspensionEnded['reason']> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof SuspensionEnded) return error.reason;
    throw error;
  }
}

/** Runs the hooks of the end: those for completion, or those for every other reason. A cancelled loop has none. */
async function runEndHooks(
  side: 'pre' | 'post',
  reason: TerminationReason,
  loop: Loop,
  hooks: LoopSetup['hooks'],
): Promise<TerminationReason> {
  if (reason === 'cancelled') return reason;
  const activeHat = loop.findActiveHat();
  const completed = (reason === 'completed') !== faulty('wrong-end-hooks');
  return untilStopped(() => {
    hooks.run(`${side}.loop.${completed ? 'complete' : 'error'}`, {
      iteration: loop.state.iteration,
      activeHat,
      selectedHat: activeHat,
      terminationReason: reason,
    });
    return reason;
  });
}

function hang(): Promise<never> {
  // A pending promise alone would not keep the process alive.
  setInterval(() => {}, 60_000);
  return new Promise(() => {});
}
