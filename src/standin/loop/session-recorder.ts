import { closeSync, openSync } from 'node:fs';
import type { RalphConfig } from '../config/config.js';
import { CommandError, describeOsError } from '../failure.js';
import { appendTextFile } from '../store/files.js';
import type { BusEvent } from './bus.js';

/** Records every event that the loop publishes internally. */
export type SessionRecorder = (event: BusEvent) => void;

/** Opens the recording for `--record-session`; without a path it records nothing. */
export function openSessionRecorder(
  path: string | undefined,
  { eventLoop }: RalphConfig,
  isShown: boolean,
): SessionRecorder {
  if (path === undefined) return () => {};
  try {
    closeSync(openSync(path, 'w'));
  } catch (error) {
    throw new CommandError(
      `Failed to create session recording file: ${JSON.stringify(path)}`,
      error instanceof Error ? describeOsError(error) : String(error),
    );
  }
  const write = (event: string, data: Readonly<Record<string, unknown>>) =>
    appendTextFile(path, `${JSON.stringify({ ts: Date.now(), event, data })}\n`);
  write('_meta.loop_start', {
    max_iterations: eventLoop.maxIterations,
    prompt_file: eventLoop.promptFile,
    ux_mode: isShown ? 'tui' : 'cli',
  });
  return ({ payload, source, target, topic }) =>
    write('bus.publish', { payload, source: source ?? null, target: target ?? null, topic });
}
