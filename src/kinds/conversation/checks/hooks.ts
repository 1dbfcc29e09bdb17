import type { About, Check } from '../../../domain/check.js';
import { aboutWanted, excerpt, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { HookRun } from '../../../domain/evidence/conversation.js';
import { isTool } from '../stages/tool-class.js';
import { checkConversation, checkTurn } from './check-turn.js';

/** A hook ran in a turn; `event` is `PreToolUse` or, for one tool, `PreToolUse:Bash`. */
export function hookRan(turn: number, event: string, { says }: { readonly says?: Wanted } = {}): Check {
  const what = says === undefined ? '' : ` and says ${show(says)}`;
  return checkTurn(turn, {
    kind: 'hookRan',
    name: `in turn ${turn} a ${event} hook runs${what}`,
    about: { ...aboutHook(event), ...aboutWanted(says) },
    category: 'EventEmitted',
    judge: ({ hooks }) => ({
      passed: hooks.some(
        (hook) =>
          isHook(hook, event) && (says === undefined || holds(`${hook.stdout}\n${hook.stderr}`, says)),
      ),
      expected: `a ${event} hook${what}`,
      actual: describeHooks(hooks),
    }),
  });
}

/** A hook stops what the agent was about to do, for this reason; and the call is listed as denied. */
export function hookBlocked(turn: number, event: string, reason: Wanted): Check {
  return checkTurn(turn, {
    kind: 'hookBlocked',
    name: `in turn ${turn} a ${event} hook blocks with ${show(reason)}`,
    about: { ...aboutHook(event), ...aboutWanted(reason) },
    category: 'EventEmitted',
    judge: ({ hooks, denied, outcome }) => {
      const stopped = (hook: HookRun) =>
        hook.callId === null ? outcome.kind === 'blocked' : denied.includes(hook.callId);
      return {
        passed: hooks.some(
          (hook) => isHook(hook, event) && hook.blocked && holds(hook.reason ?? '', reason) && stopped(hook),
        ),
        expected: `a ${event} hook that blocks with ${show(reason)}, and what it blocked denied`,
        actual: `${describeHooks(hooks)}; ${denied.length} call(s) denied`,
      };
    },
  });
}

/** A call of this tool was not allowed in a turn. */
export function callDenied(turn: number, tool: string): Check {
  return checkTurn(turn, {
    kind: 'callDenied',
    name: `in turn ${turn} ${tool} is denied`,
    about: { tool },
    category: 'PromptEffectiveness',
    judge: ({ calls, denied }) => ({
      passed: calls.some((call) => isTool(call, tool) && denied.includes(call.id)),
      expected: `a denied call of ${tool}`,
      actual: list(
        calls.map(({ id, name }) => `${name}${denied.includes(id) ? ' (denied)' : ''}`),
        'no call',
      ),
    }),
  });
}

/** A recording hook was given this event, at least so many times. */
export function hookLogged(
  event: string,
  { atLeast = 1, holds: wanted }: { readonly atLeast?: number; readonly holds?: Wanted } = {},
): Check {
  const what = wanted === undefined ? '' : ` with ${show(wanted)}`;
  return checkConversation({
    kind: 'hookLogged',
    name: `the hook log has ${atLeast} × ${event}${what}`,
    about: { ...aboutHook(event), limit: atLeast, ...aboutWanted(wanted) },
    category: 'EventPayload',
    judge: ({ hookLog }) => {
      const logged = hookLog.filter(
        (line) =>
          line.event === event && (wanted === undefined || holds(JSON.stringify(line.payload), wanted)),
      );
      return {
        passed: logged.length >= atLeast,
        expected: `${atLeast} × ${event}${what}`,
        actual: `${logged.length}; logged: ${list([...new Set(hookLog.map((line) => line.event))], 'nothing')}`,
      };
    },
  });
}

/** `PreToolUse:Bash` is about a hook and a tool. */
function aboutHook(event: string): About {
  const [hook = event, tool] = event.split(':');
  return tool === undefined ? { hook } : { hook, tool };
}

function isHook({ event, name }: HookRun, wanted: string): boolean {
  return event === wanted || name === wanted;
}

function describeHooks(hooks: readonly HookRun[]): string {
  return list(
    hooks.map(
      ({ name, exitCode, blocked, reason, stderr }) =>
        `${name} exit ${exitCode}${blocked ? `, blocked: ${excerpt(reason, 80)}` : ''}${!blocked && stderr !== '' ? `: ${excerpt(stderr, 80)}` : ''}`,
    ),
    'no hook ran',
  );
}
