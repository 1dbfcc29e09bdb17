import { join } from 'node:path';
import { completeCall } from '../../src/domain/run-call.js';
import type { HarnessOptions } from '../../src/harness/harness.js';
import { bareSystemPath } from './cli.js';

/** Returns the options of a live run on the embedded Ralph, with fakes in `bin` where the real CLIs would be. */
export function liveRun(folder: string, bin: string) {
  const call = completeCall({
    ...{ lane: 'live', backends: ['claude'], suite: 'all', ralph: 'embedded', reports: [] },
    passEnv: ['RALPH_STANDIN_TIME_SCALE'],
    output: join(folder, '.e2e-tests'),
  });
  return {
    ...call,
    env: { HOME: folder, PATH: `${bin}:${bareSystemPath()}`, RALPH_STANDIN_TIME_SCALE: '0.01' },
    program: ['ralph-e2e'],
    repeatWith: [],
    harnessVersion: '0.1.0',
    signal: new AbortController().signal,
    onEvent: () => {},
  } satisfies Partial<HarnessOptions>;
}
