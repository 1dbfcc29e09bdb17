import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { faulty } from '../faults.js';
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
import { describeTermination } from './termination.js';

const RUNNER = 'ralph::loop_runner';

/** Runs the loop from its first record to its last; returns the exit code. */
export async function runToEnd(setup: LoopSetup): Promise<number> {
  const { config, files, workspace, loopId, objective, eventsPath, hooks, log } = setup;
  const loop = new Loop(setup);
  hooks.run('pre.loop.start', { iteration: 0 });
  loop.begin();
  hooks.run('post.loop.start', { iteration: 0, activeHat: loop.findActiveHat() });
  const record = openSessionRecorder(setup.recording, config);
  loop.open(record);
  const started = { kind: 'loop_started', prompt: objective };
  attempt(log, RUNNER, 'record loop start', () => appendHistory(files, started));
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

  const reason = await loop.run();
  const { iteration: iterations, totalCostUsd: costUsd } = loop.state;
  const end = { reason, iterations, elapsedMs: loop.state.elapsedMs(), costUsd };
  const activeHat = loop.findActiveHat();
  const boundary = reason === 'completed' ? 'loop.complete' : 'loop.error';
  const moment = { iteration: end.iterations, activeHat, selectedHat: activeHat, terminationReason: reason };
  hooks.run(`pre.${boundary}`, moment);
  const words = describeTermination(reason);
  const duration = formatElapsed(end.elapsedMs);
  log.info(
    'ralph_core::event_loop',
    `Wrapping up: ${reason}. ${end.iterations} iterations in ${duration}. reason=${reason} iterations=${end.iterations} duration=${duration}`,
  );
  const payload = renderTerminatePayload(end);
  record({ topic: 'loop.terminate', payload });
  const terminate = { iteration: end.iterations, hat: 'loop', topic: 'loop.terminate', payload };
  attempt(log, RUNNER, 'log loop.terminate event', () => appendLoopRecord(eventsPath, terminate));
  hooks.run(`post.${boundary}`, moment);
  attempt(log, RUNNER, 'write summary file', () =>
    writeSummary(end, files, workspace, config.core.scratchpad.path),
  );
  const ended = { kind: 'loop_completed', reason: words.history ?? reason };
  attempt(log, RUNNER, 'record loop completion', () => appendHistory(files, ended));
  if (reason === 'completed') land(workspace, files, objective, log);
  attempt(log, RUNNER, 'deregister loop from registry', () =>
    writeTextFile(files.loops, JSON.stringify({ loops: [] }, null, 2)),
  );
  print(renderTermination(reason, end.iterations, end.elapsedMs, costUsd, loopId));
  if (reason === 'restart_requested') {
    // The real Ralph leaves a shell behind that builds and starts ralph from source. The stand-in does not.
    rmSync(files.restartRequested, { force: true });
    log.info('ralph', 'Restart requested — the stand-in does not restart itself');
    return 0;
  }
  if (reason === 'completed' && faulty('hang-after-completion')) await hang();
  return faulty('wrong-exit-code') ? Number(words.exitCode === 0) : words.exitCode;
}

function hang(): Promise<never> {
  // A pending promise alone would not keep the process alive.
  setInterval(() => {}, 60_000);
  return new Promise(() => {});
}
