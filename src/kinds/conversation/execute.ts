import { join } from 'node:path';
import { BACKENDS } from '../../backends/index.js';
import type { ConversationArrangement } from '../../domain/scenario/conversation-arrangement.js';
import { ATTEMPT_MARKER } from '../../exec/process/markers.js';
import type { Attempt } from '../../lane/job.js';
import { type Executed, runOnWorkbench } from '../../lane/workbench.js';
import { collectConversation } from './evidence.js';
import { holdConversation } from './hold-conversation.js';
import { HOOK_LOG_VARIABLE, hookLogPath } from './hook-log.js';
import { layOutPlugins } from './plugins/lay-out.js';
import { addReceived, RECEIVED_VARIABLE, receivedPath } from './received.js';
import { prepareSession } from './session/prepare.js';

/** Holds the conversation that a scenario arranges, and collects the evidence. */
export async function executeConversation(
  attempt: Attempt,
  arrangement: ConversationArrangement,
): Promise<Executed> {
  const { job, settings, places } = attempt;
  const { artifacts } = places;
  const { backend } = job;
  const { command } = BACKENDS[backend];
  const { files, before, after, turns, workflow, form } = arrangement;
  const { agent, permissionMode, allowedTools, args } = arrangement;
  const copies = join(artifacts, 'plugins');
  const pluginDirs = await layOutPlugins(arrangement.plugins ?? [], copies, settings.root.path);
  const hookLog = hookLogPath(artifacts);
  const received = receivedPath(artifacts);
  const { lane } = settings;
  return runOnWorkbench(
    attempt,
    {
      files,
      mcpServers: 'of-plugins',
      env: { [HOOK_LOG_VARIABLE]: hookLog, ...(lane === 'sim' ? { [RECEIVED_VARIABLE]: received } : {}) },
      before,
      after,
      readable: pluginDirs,
      writable: [hookLog, ...(lane === 'sim' ? [received] : [])],
    },
    {
      run: ({ workspace, timeoutSeconds, attemptId, signal, cell, pen, onOutput, ...bench }) =>
        holdConversation({
          backend,
          form,
          turns,
          workflow,
          session: prepareSession({
            backend,
            bench,
            executable: command,
            cwd: workspace,
            artifacts,
            pluginDirs,
            agent,
            model: settings.model,
            permissionMode,
            allowedTools,
            args,
            sessionTimeoutSeconds: timeoutSeconds,
            marker: { name: ATTEMPT_MARKER, value: attemptId },
            signal,
            onOutput,
            cell,
            pen,
          }),
        }),
      collect: async ({ record, result }, facts) => {
        const { requests } = facts;
        const turns = await addReceived(record.turns, lane, { artifacts, requests });
        const interrupted = settings.signal.aborted;
        return collectConversation(
          { record: { ...record, turns }, result },
          { ...facts, command, interrupted },
        );
      },
    },
  );
}
