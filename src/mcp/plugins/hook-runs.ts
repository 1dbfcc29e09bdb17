import { matchesHook, withoutTwins } from '../../backends/claude/plugins/hook-matcher.js';
import type { PluginHook } from '../../kinds/conversation/plugins/plugin-hook.js';
import type { ManagedSession } from '../../kinds/conversation/session/managed-session.js';
import type { Laboratory } from '../laboratory.js';
import type { SessionFacts } from '../session-facts.js';
import type { HookExecution } from './hook-execution.js';
import { judgeHook } from './judge-hook.js';
import type { ShelvedPlugin } from './shelf.js';

/** A hook and the installed plugin that it belongs to. */
export interface OwnedHook {
  readonly plugin: ShelvedPlugin;
  readonly hook: PluginHook;
}

/** Lists the hooks of all installed plugins. */
export function listHooks({ plugins }: Laboratory): OwnedHook[] {
  return plugins.installed.flatMap(hooksOf);
}

/** Lists the hooks of a plugin. */
export function hooksOf(plugin: ShelvedPlugin): OwnedHook[] {
  return plugin.status.plugin.hooks.map((hook) => ({ plugin, hook }));
}

/** Lists every run of a hook so far, the oldest first. */
export function listHookRuns({ sessions, hookRuns }: Laboratory): HookExecution[] {
  const inSessions = sessions.all.flatMap(runsOf);
  return [...inSessions, ...hookRuns].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}

function runsOf(session: ManagedSession): HookExecution[] {
  return session.hooks.entries.map(({ id, name, event, at, durationMs, run, call, prompt }) => {
    const failed = run !== null && run.exitCode !== 0 && !run.blocked;
    return {
      execution_id: id,
      hook_name: name,
      timestamp: at,
      // Rebuilt from the conversation: the stream does not contain the payload that Claude Code passes to the hook.
      event_payload: {
        hook_event_name: event,
        session_id: session.id,
        ...(call === null ? {} : { tool_name: call.name, tool_input: call.input, tool_use_id: call.id }),
        ...(event === 'UserPromptSubmit' && prompt !== null ? { prompt } : {}),
      },
      status: run === null ? 'running' : run.blocked ? 'blocked' : failed ? 'failed' : 'success',
      output: run?.stdout ?? '',
      error: run?.reason ?? (failed ? run.stderr.trim() || `exit code ${run.exitCode}` : null),
      duration_ms: durationMs,
      action_blocked: run?.blocked ?? false,
      session_id: session.id,
      action_id: run?.callId ?? null,
      triggered: null,
    };
  });
}

/**
 * Whether a run belongs to this hook. A run is named after the tool (`PreToolUse:Bash`), a hook after its matcher
 * (`PreToolUse:Bash|Write`); a caller may use either name, or only the event.
 */
export function isRunOf(run: Pick<HookExecution, 'hook_name'>, hookName: string): boolean {
  if (run.hook_name === hookName) return true;
  const [event = '', ...matcher] = hookName.split(':');
  const [ranFor = '', ...tool] = run.hook_name.split(':');
  if (event !== ranFor) return false;
  // Claude Code does not ask for the matcher of an event that is about nothing.
  return matcher.length === 0 || tool.length === 0 || matchesHook(matcher.join(':'), tool.join(':'));
}

/** What is known about the conversations that hooks ran in. */
interface Conversations {
  readonly facts: ReadonlyMap<string, SessionFacts>;
  readonly sessions: { get(id: string): { readonly workingDirectory: string } };
}

/**
 * Finds the runs of one hook. The stream names only the event and the tool, and all hooks that match run together, in
 * the order in which they are registered: so each gets its share of the runs with one name. A conversation runs only
 * the hooks of its own plugins. Hooks with an `if` take part only in calls that fit it; runs that nobody can tell apart
 * belong to none of them.
 */
export function runsOfHook(
  hook: OwnedHook,
  laboratory: Conversations,
  runs: readonly HookExecution[],
): HookExecution[] {
  const seen = new Map<string, number>();
  return runs.filter((run) => {
    if (run.triggered !== null) return run.triggered.includes(nameHandler(hook));
    if (run.session_id === null || !isRunOf(run, hook.hook.name)) return false;
    const { certain, isWhole } = whoRan(run, run.session_id, laboratory);
    const call = `${run.session_id} ${run.hook_name} ${String(run.event_payload?.tool_use_id)}`;
    const count = seen.get(call) ?? 0;
    seen.set(call, count + 1);
    const mine = certain.findIndex((other) => nameHandler(other) === nameHandler(hook));
    return (isWhole ? count % certain.length : count) === mine;
  });
}

/** Finds the hooks that certainly ran together with a run, and whether these were all. */
function whoRan(run: HookExecution, sessionId: string, { facts, sessions }: Conversations) {
  const own = facts.get(sessionId);
  const folders = { cwd: sessions.get(sessionId).workingDirectory, home: own?.home ?? '' };
  const together = withoutTwinHooks(
    (own?.plugins ?? []).flatMap(hooksOf).filter((other) => isRunOf(run, other.hook.name)),
  );
  const judged = together.map((other) => judgeHook(other.hook, run.event_payload ?? {}, folders).kind);
  return {
    certain: together.filter((_, index) => judged[index] === 'fits'),
    isWhole: !judged.includes('unknown'),
  };
}

/** Leaves out handlers that a plugin registers twice: Claude Code runs them once. */
export function withoutTwinHooks(hooks: readonly OwnedHook[]): OwnedHook[] {
  return withoutTwins(hooks, nameHandler);
}

/** Names a handler by its plugin and what it runs. */
export function nameHandler({ plugin, hook }: OwnedHook): string {
  return JSON.stringify([plugin.id, hook.event, hook.handler, hook.args, hook.condition]);
}
