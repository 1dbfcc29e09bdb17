import { join } from 'node:path';
import { parseStreamLine, type StreamEvent } from '../../../backends/claude/stream.js';
import type { Dialog } from '../../../exec/process/dialog.js';
import { redactText } from '../../../exec/redact.js';
import type { Launch, SandboxEntry } from '../../../isolation/launch.js';
import { openDialogThrough } from '../../../isolation/run-inside.js';
import type { SessionOptions } from '../session/session.js';

/** Returns the arguments of a conversation over streaming input. */
function claudeArgs(call: SessionOptions, sessionId: string): string[] {
  return [
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-hook-events', '--replay-user-messages', '--session-id', sessionId],
    ...claudeOptions(call),
  ];
}

/** Returns the arguments that both forms of a conversation share. */
export function claudeOptions(call: SessionOptions): string[] {
  return [
    ...['--permission-mode', call.permissionMode],
    ...(call.allowedTools.length === 0 ? [] : ['--allowedTools', call.allowedTools.join(',')]),
    ...call.pluginDirs.flatMap((folder) => ['--plugin-dir', folder]),
    ...call.args,
  ];
}

/** Starts Claude Code for a conversation. `take` gets each event of its stream, without secrets. */
export function openClaudeDialog(
  options: SessionOptions,
  id: string,
  entry: SandboxEntry | undefined,
  take: (event: StreamEvent) => void,
): Dialog {
  const { artifacts, secrets, marker, onOutput, pen, signal } = options;
  return openDialogThrough(entry, {
    ...launchOf(options, id),
    timeoutMs: options.sessionTimeoutSeconds * 1000,
    stdoutPath: join(artifacts, 'stdout.txt'),
    stderrPath: join(artifacts, 'stderr.txt'),
    ...{ secrets, marker, onOutput, pen },
    ...(signal === undefined ? {} : { signal }),
    onLine: (line) => {
      const event = parseStreamLine(redactText(line, secrets));
      if (event !== null) take(event);
    },
  });
}

/** Returns the call of Claude Code. */
export function launchOf(options: SessionOptions, id: string): Launch {
  const { executable: command, cwd, env } = options;
  return { command, args: claudeArgs(options, id), cwd, env };
}
