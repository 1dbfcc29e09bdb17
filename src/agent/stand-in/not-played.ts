import type { CliCall } from './plain-stand-in.js';
import { SCRIPT_MISTAKE } from './run-stand-in.js';

/** Refuses what a stand-in does not support; `elsewhere` says what does. */
export function refuseUnplayed(
  command: string,
  what: string,
  elsewhere: string,
): Extract<CliCall, { kind: 'refuse' }> {
  const message = `ralph-e2e: the stand-in for ${command} does not support ${what}. ${elsewhere}`;
  return { kind: 'refuse', message, exitCode: SCRIPT_MISTAKE };
}

/** Points to the real program in the scripted lane. */
export function inScriptedLane(program: string): string {
  return `The scripted lane does, with the real ${program} and the same script (ralph-e2e serve --script F).`;
}
