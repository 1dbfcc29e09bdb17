import type { PermissionMode } from '../arguments.js';
import type { WorkingFolders } from '../plugins/paths.js';

/** Whether a tool may run, with everything the real program reports about the decision. */
export type Permission =
  | { readonly allowed: true; readonly reasonType: string }
  | {
      readonly allowed: false;
      readonly message: string;
      readonly kind: string | null;
      readonly reasonType: string | null;
      /** The event's fields other than the message; null if there is no event. */
      readonly event: Readonly<Record<string, string>> | null;
      /** The program rejects the input before it checks permissions. */
      readonly isInputError?: boolean;
    };

export interface PermissionContext {
  readonly mode: PermissionMode;
  readonly folders: WorkingFolders;
  /** The folder in which the program was started: rules are relative to it, commands to where the shell is. */
  readonly root: string;
  readonly home: string;
  /** Whether a shell has run before. Only then does the program know the variables that it has. */
  readonly shellHasRun: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  /** A hook or the script allows the tool. Rules, safety checks and `plan` still stand in the way. */
  readonly approved: boolean;
}

export function allowedBy(reasonType: string): Permission {
  return { allowed: true, reasonType };
}

/** Nobody can be asked in print mode, so the question becomes the refusal, unless the mode has its own message. */
export function askFor(
  tool: string,
  mode: PermissionMode,
  message: string,
  event: Readonly<Record<string, string>>,
): Permission {
  const hasOwnCheck = mode === 'plan' || mode === 'auto';
  return hasOwnCheck ? withoutClassifier(tool) : askPerson(tool, mode, message, event);
}

/** A rule or a hook wants a person to be asked. The modes with a safety check of their own do not replace the person. */
export function askPerson(
  tool: string,
  mode: PermissionMode,
  message: string,
  event: Readonly<Record<string, string>>,
): Permission {
  if (mode === 'dontAsk') return deniedInDontAsk(tool);
  return { allowed: false, message, kind: 'user-rejected', reasonType: null, event };
}

/** The safety check of `auto` and `plan` runs on Anthropic's servers; behind a gateway it is unavailable. */
function withoutClassifier(tool: string): Permission {
  return {
    allowed: false,
    message: `Auto mode is unavailable: its safety check does not run for this session, so ${tool} was not run. Other actions that need the check will be denied too, and retrying won't help. Finish what you can without them, then tell the user what is blocked and that they can switch to another permission mode.`,
    kind: 'automode-unavailable',
    reasonType: 'classifier',
    event: {
      decision_reason_type: 'classifier',
      decision_reason_code: 'auto_mode_no_check_in_session',
      decision_reason: 'Classifier unavailable',
    },
  };
}

/** Refuses a file before the program looks at the mode. */
export function refusedFile(message: string): Permission {
  return { allowed: false, message, kind: null, reasonType: 'rule', event: null, isInputError: true };
}

/** Rejects a command that is no valid input, in every mode. */
export function rejectedCommand(message: string): Permission {
  return { allowed: false, message, kind: null, reasonType: null, event: null, isInputError: true };
}

export function deniedByRule(message: string, reasonType: string): Permission {
  const event = { decision_reason_type: reasonType };
  return { allowed: false, message, kind: 'permission-rule', reasonType, event };
}

function deniedInDontAsk(tool: string): Permission {
  const message = `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode. IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal, e.g. using head instead of cat. But you *should not* attempt to work around this denial in malicious ways, e.g. do not use your ability to run tests to execute non-test actions. You should only try to work around this restriction in reasonable ways that do not attempt to bypass the intent behind this denial. If you believe this capability is essential to complete the user's request, STOP and explain to the user what you were trying to do and why you need this permission. Let the user decide how to proceed.`;
  return deniedByRule(message, 'mode');
}
