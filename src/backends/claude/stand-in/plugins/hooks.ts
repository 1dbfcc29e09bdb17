import { randomUUID } from '../../../../agent/engine/random-id.js';
import { asMapping, parseMapping } from '../../../../agent/stand-in/json.js';
import { makeFolderSync } from '../../../../exec/files/make-folder.js';
import { matchesHook, withoutTwins } from '../../plugins/running-hooks.js';
import type { Output } from '../output.js';
import type { HookCommand } from '../settings.js';
import { runShell, type ShellResult } from '../tools/shell.js';

/** The combined result of one event's hooks. */
export interface HookOutcome {
  /** Why the action is blocked, with the hook that blocked it; null if it is not. */
  readonly blocked: { readonly message: string; readonly reason: string } | null;
  /** A decision about a tool that replaces the permission prompt. */
  readonly decision: 'allow' | 'ask' | null;
  /** What the hook says about its decision. */
  readonly reason: string;
  readonly updatedInput: Readonly<Record<string, unknown>> | null;
  /** Additional text for the model. */
  readonly context: readonly string[];
}

export interface HookSurroundings {
  readonly hooks: readonly HookCommand[];
  /** The folder of the project. */
  readonly cwd: string;
  /** Hooks run where the shell is. */
  readonly shell: { readonly shellFolder: string };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** Whether the stream shows hooks; SessionStart hooks are always shown. */
  readonly shown: boolean;
}

const NOTHING: HookOutcome = {
  blocked: null,
  decision: null,
  reason: '',
  updatedInput: null,
  context: [],
};

/** Runs the hooks of an event. Matchers test `about`: the tool, or how the session began. */
export async function runHooks(
  { hooks, cwd, shell, env, output, shown }: HookSurroundings,
  event: string,
  about: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<HookOutcome> {
  const fitting = hooks.filter(
    (hook) => hook.event === event && (about === '' || matchesHook(hook.matcher, about)),
  );
  if (fitting.length === 0) return NOTHING;
  const matching = withoutTwins(fitting, ({ plugin, command }) => JSON.stringify([plugin?.root, command]));
  const input = `${JSON.stringify({ ...payload, hook_event_name: event })}\n`;
  const outcomes = await Promise.all(
    matching.map(async (hook) => {
      const name = about === '' ? event : `${event}:${about}`;
      const head = { type: 'system', hook_id: randomUUID(), hook_name: name, hook_event: event };
      const visible = shown || event === 'SessionStart';
      if (visible) output.emit({ ...head, subtype: 'hook_started' });
      const result = await runShell(hook.command, {
        cwd: shell.shellFolder,
        env: { ...env, CLAUDE_PROJECT_DIR: cwd, ...placeOf(hook) },
        input,
        timeoutMs: hook.timeoutSeconds * 1000,
      });
      if (visible) output.emit({ ...head, subtype: 'hook_response', ...describeResult(result) });
      return judge(event, hook, result);
    }),
  );
  return {
    blocked: outcomes.map(({ blocked }) => blocked).find((blocked) => blocked !== null) ?? null,
    decision: DECISIONS.find((wanted) => outcomes.some(({ decision }) => decision === wanted)) ?? null,
    reason: outcomes.map(({ reason }) => reason).find((reason) => reason !== '') ?? '',
    updatedInput:
      outcomes.map((outcome) => outcome.updatedInput).findLast((changed) => changed !== null) ?? null,
    context: outcomes.flatMap(({ context }) => context),
  };
}

/** Tells a hook where its plugin is, and makes the folder for the plugin's data as the real program does. */
function placeOf({ plugin }: HookCommand): Readonly<Record<string, string>> {
  if (plugin === undefined) return {};
  makeFolderSync(plugin.data);
  return { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.data };
}

/** Of different decisions, the stricter one holds. */
const DECISIONS = ['ask', 'allow'] as const;

function describeResult({ stdout, stderr, exitCode, timedOut }: ShellResult) {
  return {
    output: `${stdout}${stderr}`,
    stdout,
    stderr,
    exit_code: exitCode ?? 1,
    outcome: timedOut ? 'cancelled' : exitCode === 0 ? 'success' : 'error',
  };
}

/** Exit 2 blocks with the text on stderr; JSON on stdout decides; other text is context for some events. */
function judge(event: string, hook: HookCommand, result: ShellResult): HookOutcome {
  const { exitCode, stdout, stderr, timedOut } = result;
  const { command } = hook;
  if (timedOut) return NOTHING;
  if (exitCode === 2 && !lacksItsScript(event, hook, result)) {
    const reason = stderr.trim();
    return { ...NOTHING, blocked: { message: `[${command}]: ${stderr}`, reason } };
  }
  if (exitCode !== 0) return NOTHING;
  // Braces that are not JSON are plain text to the real program, too.
  const answer = stdout.trim().startsWith('{') ? parseMapping(stdout) : null;
  if (answer === null) {
    const isContext = event === 'UserPromptSubmit' || event === 'SessionStart';
    return { ...NOTHING, context: isContext && stdout.trim() !== '' ? [stdout] : [] };
  }
  const specific = asMapping(answer.hookSpecificOutput);
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
  const reason = text(specific.permissionDecisionReason, text(answer.reason, text(answer.stopReason, '')));
  const denies =
    answer.decision === 'block' || specific.permissionDecision === 'deny' || answer.continue === false;
  const changed = specific.updatedInput;
  return {
    blocked: denies ? { message: reason, reason } : null,
    decision:
      specific.permissionDecision === 'allow' || answer.decision === 'approve'
        ? 'allow'
        : specific.permissionDecision === 'ask'
          ? 'ask'
          : null,
    reason,
    updatedInput: typeof changed === 'object' && changed !== null ? asMapping(changed) : null,
    context: typeof specific.additionalContext === 'string' ? [specific.additionalContext] : [],
  };
}

/** Some shells exit with 2 if a script is missing. Where that would block the user, the real program ignores it. */
function lacksItsScript(event: string, { plugin }: HookCommand, { stdout, stderr }: ShellResult): boolean {
  const forgiven =
    event === 'Stop' || event === 'SubagentStop' || (event === 'UserPromptSubmit' && plugin !== undefined);
  return forgiven && stdout.trim() === '' && /no such file|can't open/i.test(stderr);
}
