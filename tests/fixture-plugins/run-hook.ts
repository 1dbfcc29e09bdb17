import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

export const PLUGINS = fileURLToPath(new URL('../../scenarios/support/plugins', import.meta.url));

const commands = z.array(
  z.object({
    matcher: z.string().default(''),
    hooks: z.array(z.object({ type: z.literal('command'), command: z.string() })),
  }),
);
const hooksSchema = z.object({ hooks: z.record(z.string(), commands) });

/** The hooks of a plugin as its hooks.json has them. */
function readHooks(plugin: string) {
  return hooksSchema.parse(JSON.parse(readFileSync(join(PLUGINS, plugin, 'hooks/hooks.json'), 'utf8'))).hooks;
}

export interface HookAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What it printed as JSON; nothing when it printed nothing. */
  readonly json: unknown;
}

/** Runs the hook of an event as Claude Code does: its command in a shell, the payload on stdin. */
export function runHook(
  plugin: string,
  {
    event,
    tool,
    ...payload
  }: { readonly event: string; readonly tool?: string; readonly [key: string]: unknown },
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): HookAnswer {
  const fitting = (readHooks(plugin)[event] ?? []).filter(
    ({ matcher }) => matcher === '' || tool === undefined || matcher.split('|').includes(tool),
  );
  const [hook] = fitting.flatMap(({ hooks }) => hooks);
  if (hook === undefined) throw new Error(`${plugin} has no hook for ${event} ${tool}`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', hook.command], {
    cwd,
    encoding: 'utf8',
    input: `${JSON.stringify({ hook_event_name: event, cwd, ...(tool === undefined ? {} : { tool_name: tool }), ...payload })}\n`,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: cwd,
      CLAUDE_PROJECT_DIR: cwd,
      CLAUDE_PLUGIN_ROOT: join(PLUGINS, plugin),
      ...env,
    },
  });
  return { code: status, stdout, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) };
}
