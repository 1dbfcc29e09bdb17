import type { About, Check } from '../../../domain/check.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import type { HookRun } from '../../../domain/evidence/conversation.js';
import { isTool } from '../stages/tool-class.js';
import { checkConversation, checkTurn } from './check-turn.js';

/** Checks that a hook ran in a turn. `event` is `PreToolUse`, for example, or `PreToolUse:Bash` for one tool. */
export function hookRan(
  turn: number,
  event: string,
  {
    says,
  }: {
    /** A text or pattern that the hook prints, on stdout or stderr. */
    readonly says?: Wanted;
  } = {},
): Check {
  const what = says === undefined ? '' : ` and prints ${show(says)}`;
  return checkTurn(turn, 'hookRan', 'EventEmitted', {
    name: `a ${event} hook runs in turn ${turn}${what}`,
    about: { ...aboutHook(event), ...aboutWanted(says) },
    judge: ({ hooks }) => ({
      passed: hooks.some(
        (hook) =>
          isHook(hook, event) && (says === undefined || holds(`${hook.stdout}\n${hook.stderr}`, says)),
      ),
      expected: `a ${event} hook that runs${what}`,
      actual: describeHooks(hooks),
    }),
  });
}

/**
 * Checks that a hook blocked a call or a prompt in a turn with this reason, and that what it blocked was not carried
 * out.
 */
export function hookBlocked(turn: number, event: string, reason: Wanted): Check {
  return checkTurn(turn, 'hookBlocked', 'EventEmitted', {
    name: `a ${event} hook blocks in turn ${turn} with ${show(reason)}`,
    about: { ...aboutHook(event), ...aboutWanted(reason) },
    judge: ({ hooks, denied, outcome }) => {
      const stopped = (hook: HookRun) =>
        hook.callId === null ? outcome.kind === 'blocked' : denied.includes(hook.callId);
      return {
        passed: hooks.some(
          (hook) => isHook(hook, event) && hook.blocked && holds(hook.reason ?? '', reason) && stopped(hook),
        ),
        expected: `a ${event} hook that blocks with ${show(reason)}, and the call or prompt denied`,
        actual: `${describeHooks(hooks)}; ${countNoun(denied.length, 'call')} denied`,
      };
    },
  });
}

/** Checks that a call to this tool was denied in a turn. */
export function callDenied(turn: number, tool: string): Check {
  return checkTurn(turn, 'callDenied', 'PromptEffectiveness', {
    name: `${tool} is denied in turn ${turn}`,
    about: { tool },
    judge: ({ calls, denied }) => ({
      passed: calls.some((call) => isTool(call, tool) && denied.includes(call.id)),
      expected: `a denied call of ${tool}`,
      actual: list(
        calls.map(({ id, name }) => `${name}${denied.includes(id) ? ' (denied)' : ''}`),
        'no calls',
      ),
    }),
  });
}

/** Checks that a recording hook logged this event. */
export function hookLogged(
  event: string,
  {
    atLeast = 1,
    holds: wanted,
  }: {
    /** The minimum number of times; 1 by default. */
    readonly atLeast?: number;
    /** A text or pattern in the payload, which is JSON. Only such entries count. */
    readonly holds?: Wanted;
  } = {},
): Check {
  const what = wanted === undefined ? '' : ` with ${show(wanted)}`;
  const entries = `at least ${atLeast} ${event} ${atLeast === 1 ? 'entry' : 'entries'}${what}`;
  return checkConversation('hookLogged', 'EventPayload', {
    name: `the hook log has ${entries}`,
    about: { ...aboutHook(event), limit: atLeast, ...aboutWanted(wanted) },
    judge: ({ hookLog }) => {
      const logged = hookLog.filter(
        (line) =>
          line.event === event && (wanted === undefined || holds(JSON.stringify(line.payload), wanted)),
      );
      return {
        passed: logged.length >= atLeast,
        expected: entries,
        actual: `${logged.length === 1 ? '1 entry' : `${logged.length} entries`}; events in the log: ${list([...new Set(hookLog.map((line) => line.event))])}`,
      };
    },
  });
}

/** Splits `PreToolUse:Bash` into the facts hook and tool. */
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
        `${name} exited with ${exitCode}${blocked ? `, blocked: ${excerpt(reason, 80)}` : ''}${!blocked && stderr !== '' ? `: ${excerpt(stderr, 80)}` : ''}`,
    ),
    'no hook ran',
  );
}
