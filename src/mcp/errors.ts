import * as z from 'zod';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import { hasErrorCode } from '../exec/error-code.js';
import { ServerCancelledError, ServerFailedError } from '../kinds/conversation/mcp-client/stdio-server.js';
import { PluginInstallError } from '../kinds/conversation/plugins/claude-plugins.js';
import {
  AgentNotFoundError,
  CommandAmbiguousError,
  CommandNotFoundError,
} from '../kinds/conversation/session/commands.js';
import { StateTransitionError } from '../kinds/conversation/session/log.js';
import { AgentMissingError } from '../kinds/conversation/session/prepare.js';

/** The error names that callers see. */
export type ErrorName =
  | 'PluginNotFoundError'
  | 'PluginInvalidError'
  | 'InstallationError'
  | 'CommandNotFoundError'
  | 'CommandAmbiguousError'
  | 'CommandTimeoutError'
  | 'ExecutionNotFoundError'
  | 'SessionNotFoundError'
  | 'PromptTimeoutError'
  | 'ResponseNotFoundError'
  | 'NoWorkflowError'
  | 'HookNotFoundError'
  | 'ActionNotFoundError'
  | 'AgentNotFoundError'
  | 'BackendUnavailableError'
  | 'BackendAuthError'
  | 'StateTransitionError'
  | 'ToolNotFoundError'
  | 'InvalidInputError'
  | 'PathOutsideRootError'
  | 'FileNotFoundError'
  | 'ServerNotFoundError'
  | 'ServerFailedError'
  | 'ReportNotFoundError'
  | 'UnsupportedError'
  | 'CancelledError'
  | 'UsageError'
  | 'InternalError';

/** A failure that the caller of a tool can do something about. */
export class ToolError extends KnownError {
  readonly errorName: ErrorName;

  constructor(errorName: ErrorName, message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint });
    this.errorName = errorName;
  }
}

/** What a failed call returns, for every tool. It is a part of each tool's output schema. */
export const failureSchema = z.object({
  success: z.literal(false),
  status: z.literal('error'),
  error_name: z.string(),
  error: z.string(),
  hint: z.string().nullable(),
});

/** Errors of lower layers that have their own name here. */
const NAMED = [
  [AgentMissingError, 'BackendUnavailableError'],
  [AgentNotFoundError, 'AgentNotFoundError'],
  [CommandNotFoundError, 'CommandNotFoundError'],
  [PluginInstallError, 'InstallationError'],
  [CommandAmbiguousError, 'CommandAmbiguousError'],
  [StateTransitionError, 'StateTransitionError'],
  [ServerFailedError, 'ServerFailedError'],
  [ServerCancelledError, 'CancelledError'],
] as const satisfies readonly (readonly [unknown, ErrorName])[];

/** Turns an error into a result: its name, what was expected and found, and what to do. */
export function toFailureResult(error: unknown): z.infer<typeof failureSchema> {
  const failed = (name: ErrorName, message: string, hint?: string): z.infer<typeof failureSchema> => ({
    success: false,
    status: 'error',
    error_name: name,
    error: message,
    hint: hint ?? null,
  });
  if (error instanceof ToolError) return failed(error.errorName, error.message, error.hint);
  const named = NAMED.find(([known]) => error instanceof known)?.[1];
  if (error instanceof KnownError) return failed(named ?? 'UsageError', error.message, error.hint);
  if (
    hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP')
  ) {
    return failed('UsageError', `Cannot read or write a file: ${messageOf(error)}.`);
  }
  return failed(
    'InternalError',
    messageOf(error),
    'This is a bug in ralph-e2e. Please report it. The server keeps running.',
  );
}
