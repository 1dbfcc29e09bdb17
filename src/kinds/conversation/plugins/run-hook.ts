import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hookSeconds } from '../../../backends/claude/plugins/running-hooks.js';
import { joinHeadAndTail } from '../../../exec/process/capture.js';
import type { Sandbox } from '../../../isolation/launch.js';
import { openDialogThrough } from '../../../isolation/run-inside.js';
import type { PluginHook } from './plugin.js';

/** The result of a hook that ran without Claude Code. */
export interface HookAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** True if it was ended before it was done. */
  readonly ended: boolean;
  readonly durationMs: number;
  /** Why it could not be started, or null. */
  readonly error: string | null;
}

export interface HookPlace {
  readonly pluginRoot: string;
  /** The folder in which the plugin keeps its data. */
  readonly pluginData: string;
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for its output. */
  readonly artifacts: string;
  readonly secrets: readonly string[];
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Where it runs; undefined on the host. */
  readonly sandbox?: Sandbox | undefined;
}

/** Runs a hook as Claude Code does, with the event as JSON on stdin. Calls no model. */
export async function runHook(hook: PluginHook, payload: unknown, place: HookPlace): Promise<HookAnswer> {
  const id = randomUUID();
  const variables = {
    CLAUDE_PLUGIN_ROOT: place.pluginRoot,
    CLAUDE_PLUGIN_DATA: place.pluginData,
    CLAUDE_PROJECT_DIR: place.projectDir,
  };
  const launch = {
    ...chooseProgram(hook, variables),
    cwd: place.projectDir,
    env: { ...place.env, ...variables },
  };
  const dialog = openDialogThrough(await place.sandbox?.enter(launch), {
    ...launch,
    timeoutMs: hookSeconds({ ...hook, isOfPlugin: true }, place.env) * 1000,
    stdoutPath: join(place.artifacts, `hook-${id}.stdout.txt`),
    stderrPath: join(place.artifacts, `hook-${id}.stderr.txt`),
    secrets: place.secrets,
    marker: { name: 'RALPH_E2E_HOOK', value: id },
    onLine: () => {},
    ...(place.signal === undefined ? {} : { signal: place.signal }),
  });
  dialog.write(JSON.stringify(payload));
  dialog.closeInput();
  const { exitCode, stdout, stderr, timedOut, interrupted, durationMs, spawnError } = await dialog.ended;
  return {
    exitCode,
    stdout: joinHeadAndTail(stdout),
    stderr: joinHeadAndTail(stderr),
    timedOut,
    ended: interrupted,
    durationMs,
    error: spawnError?.message ?? null,
  };
}

/** A hook with `args` is a program. Claude Code 2.1.325 fills in its own variables then, because no shell does. */
function chooseProgram({ handler, args }: PluginHook, variables: Readonly<Record<string, string>>) {
  if (args === null) return { command: '/bin/sh', args: ['-c', handler] };
  const fill = (text: string) =>
    Object.entries(variables).reduce(
      (made, [name, value]) => made.replaceAll(`\${${name}}`, () => value),
      text,
    );
  return { command: fill(handler), args: args.map(fill) };
}
