import { join } from 'node:path';
import { BACKENDS } from '../../backends/index.js';
import type { ConversationArrangement } from '../../domain/scenario/conversation-arrangement.js';
import { openScope } from '../../exec/process/containment/open-scope.js';
import { ATTEMPT_MARKER } from '../../exec/process/markers.js';
import type { Attempt } from '../../lane/job.js';
import { type Executed, runOnWorkbench } from '../../lane/workbench.js';
import { fillAddress, serveWhile } from './dev-server.js';
import { collectConversation } from './evidence.js';
import { holdConversation } from './hold-conversation.js';
import { addReceived, HOOK_LOG_VARIABLE, hookLogPath, RECEIVED_VARIABLE, receivedPath } from './hook-log.js';
import { layOutPlugins } from './plugins/lay-out.js';
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
  const { files, before, after, turns, workflow, form, devServer } = arrangement;
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
      run: ({
        workspace,
        timeoutSeconds,
        attemptId,
        signal,
        sandbox: own,
        scope,
        onOutput,
        ...laneSetup
      }) => {
        const hold = (said: typeof turns, sandbox: typeof own) =>
          holdConversation({
            backend,
            form,
            turns: said,
            workflow,
            asks: job.asks ?? [],
            session: prepareSession({
              backend,
              laneSetup,
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
              sandbox,
              scope,
            }),
          });
        if (devServer === undefined) return hold(turns, own);
        const { env, secrets } = laneSetup;
        const site = { cwd: workspace, env, artifacts, secrets, signal, sandbox: own };
        const openOwnScope = () => openScope(settings.containment);
        return serveWhile(
          devServer,
          { ...site, openScope: openOwnScope },
          async ({ url, sandbox, record }) => {
            const held = await hold(fillAddress(turns, url), sandbox);
            return { ...held, record: { ...held.record, devServer: record() } };
          },
        );
      },
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
