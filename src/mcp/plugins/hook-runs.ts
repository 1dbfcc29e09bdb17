import { matchesHook, withoutTwins } from '../../backends/claude/plugins/running-hooks.js';
import type { PluginHook } from '../../kinds/conversation/plugins/plugin.js';
import type { Harness } from '../harness.js';
import type { HookExecution } from '../session-times.js';
import type { ManagedSession, ManagedSessionOptions } from '../sessions.js';
import type { RegisteredPlugin } from './registry.js';

/** A hook and the installed plugin that it belongs to. */
export interface OwnedHook {
  readonly plugin: RegisteredPlugin;
  readonly hook: PluginHook;
}

/** Lists the hooks of all installed plugins. */
export function listHooks({ plugins }: Harness): OwnedHook[] {
  return plugins.installed.flatMap(hooksOf);
}

/** Lists the hooks of a plugin. */
export function hooksOf(plugin: RegisteredPlugin): OwnedHook[] {
  return plugin.status.plugin.hooks.map((hook) => ({ plugin, hook }));
}

/** Lists every run of a hook so far, the oldest first. */
export function listHookRuns({ sessions, hookRuns }: Harness): HookExecution[] {
  const inSessions = sessions.all.flatMap(runsOf);
  return [...inSessions, ...hookRuns].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}

function runsOf({ id, times }: ManagedSession): HookExecution[] {
  return times.hooks.map((run) => ({
    ...run,
    session_id: id,
    event_payload: { ...run.event_payload, session_id: id },
  }));
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
  get(id: string): { readonly options: Pick<ManagedSessionOptions, 'plugins'> };
}

/** The runs of a hook, and the hooks that may have made some of them. */
interface HookRuns {
  readonly runs: readonly HookExecution[];
  readonly sharedBy: readonly OwnedHook[];
}

/**
 * Finds the runs of one hook. The stream names only the event and the tool. Where one hook of the conversation's plugins
 * matches, the runs are its own. Where several match, each of them gets all the runs of the group.
 */
export function runsOfHook(
  hook: OwnedHook,
  sessions: Conversations,
  runs: readonly HookExecution[],
): HookRuns {
  const group = new Map<string, OwnedHook>();
  const own = runs.filter((run) => {
    if (run.triggered !== null) return run.triggered.includes(nameHandler(hook));
    if (run.session_id === null) return false;
    const matching = whoMatches(run, run.session_id, sessions);
    if (!matching.some((other) => nameHandler(other) === nameHandler(hook))) return false;
    for (const other of matching) group.set(nameHandler(other), other);
    return true;
  });
  group.delete(nameHandler(hook));
  return { runs: own, sharedBy: [...group.values()] };
}

/** Lists the hooks that may have made a run: whether the `if` of a hook fits, only Claude Code knows. */
function whoMatches(run: HookExecution, sessionId: string, sessions: Conversations): OwnedHook[] {
  const { plugins } = sessions.get(sessionId).options;
  return withoutTwinHooks(plugins.flatMap(hooksOf).filter(({ hook }) => isRunOf(run, hook.name)));
}

/** Leaves out handlers that a plugin registers twice: Claude Code runs them once. */
export function withoutTwinHooks(hooks: readonly OwnedHook[]): OwnedHook[] {
  return withoutTwins(hooks, nameHandler);
}

/** Names a handler by its plugin and what it runs. */
export function nameHandler({ plugin, hook }: OwnedHook): string {
  return JSON.stringify([plugin.id, hook.event, hook.handler, hook.args, hook.condition]);
}
