import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_OUTPUT, LISTED_CALL_OPTIONS, type RunCall } from '../domain/run-call.js';
import { EMBEDDED_RALPH } from '../domain/stand-ins.js';
import type { RunStarted } from './resume/whole-journal.js';

/** Returns the options that reports repeat in their commands, with files and folders as the user named them. */
export function repeatFlags(choices: Partial<RunCall>): string[] {
  const given = new Map<string, unknown>(Object.entries(choices));
  return LISTED_CALL_OPTIONS.filter(({ inCommands }) => inCommands).flatMap(({ key, flag, fallback }) => {
    const value = given.get(key) ?? null;
    if (value === null || isDeepStrictEqual(value, fallback)) return [];
    return [value].flat().flatMap((one) => [flag, String(one)]);
  });
}

/** Returns the flags for a run of which only a journal is known. They name no path and no variable of it. */
export function safeRepeatFlags({ lane, target, environment }: RunStarted, output: string): string[] {
  const ralph = target.because === 'asked' ? EMBEDDED_RALPH : null;
  return repeatFlags({ lane, ralph, isolation: environment.isolation, output });
}

/** Returns the flag that names the folder of runs, unless it is the default one. */
export function outputFlags(output: string): string[] {
  return output === DEFAULT_OUTPUT ? [] : ['--output', output];
}
