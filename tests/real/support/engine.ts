import { afterAll } from 'vitest';
import { provideEngine } from '../../../scripts/escapes/engine.mjs';
import { setUntilEnd } from './environment.js';

/** Provides a docker engine for the tests of a file, in the variable that names it. Returns why there is none, or null. */
export async function useEngine(): Promise<string | null> {
  const engine = await provideEngine();
  if ('missing' in engine) return engine.missing;
  afterAll(engine.stop);
  if (engine.host !== undefined) setUntilEnd('DOCKER_HOST', engine.host);
  return null;
}
