// What ralph-e2e says about plugins: a client of `ralph-e2e mcp`, as any other.
import { connectHarness, HarnessCallError } from 'ralph-e2e';

/** Opens a server. `read` installs a plugin and returns its status, or the error that refuses it by name. */
export async function openServer({ lane, root, executable, script, output }) {
  const lanes = lane === 'scripted' ? ['--executable', executable] : [];
  const harness = await connectHarness({ lane, root, script, args: [...lanes, '--output', output] });
  /** A call that fails returns its reason as `refused`. */
  const call = (tool, input) => harness.call(tool, input).catch(refusal);
  return {
    read: async ({ name, marketplace, folder }, command) => {
      const path = marketplace ?? folder;
      const installed = await call('install_plugin', { plugin_name: name, marketplace_path: path });
      if (installed.refused !== undefined) return installed;
      const status = await call('get_plugin_status', { plugin_name: name });
      const turn = await talk(call, command);
      await call('uninstall_plugin', { plugin_name: name });
      return turn.refused === undefined ? { ...describe(status, installed), ...turn } : turn;
    },
    close: harness.close,
  };
}

function refusal(error) {
  if (!(error instanceof HarnessCallError)) throw error;
  return { refused: `${error.errorName}: ${error.message}` };
}

/** Holds one turn, and returns the hooks that ran in it, and what a command comes to. */
async function talk(call, command) {
  const started = await call('start_conversation', {});
  if (started.refused !== undefined) return started;
  const { session_id, working_directory: folder } = started;
  const turn = await call('send_prompt', { session_id, prompt: 'Are you ready?' });
  const { hooks } = await call('list_active_hooks', { session_id });
  const ran = [];
  for (const hook_name of new Set(hooks.map(({ event }) => event))) {
    const { executions } = await call('get_hook_execution_log', { hook_name, limit: 1000 });
    const runs = executions.filter((run) => run.session_id === session_id);
    ran.push(...runs.map((run) => `${run.hook_name} ${run.status}`));
  }
  const expanded = command === null ? null : await expand(call, command, session_id);
  await call('end_conversation', { session_id });
  if (turn.refused !== undefined) return turn;
  if (turn.status === 'error') return { refused: `${turn.error_name}: ${turn.error}` };
  const counted = hooks.reduce((sum, hook) => sum + hook.execution_count, 0);
  return {
    ...{ ran: ran.sort(), counted, listed: hooks.filter(({ enabled }) => enabled).length },
    expanded: expanded?.replaceAll(session_id, '{session}').replaceAll(folder, '{project}') ?? null,
  };
}

/** What a command comes to; null if the reason why that is not known is given. */
async function expand(call, command, session_id) {
  const input = { command: `/${command}`, args: 'one two', session_id };
  const {
    refused,
    valid,
    reason,
    expanded,
    not_expanded: why,
  } = await call('verify_command_expansion', input);
  if (refused !== undefined) return refused;
  return valid && why !== null ? null : (expanded ?? reason);
}

/** What it says that Claude Code has, and what it read itself from the plugin's files. */
function describe(
  { status, error_message: error, commands, skills, agents, hooks, mcp_servers: servers },
  installed,
) {
  const there = (parts) => parts.filter(({ available, active }) => available ?? active);
  const names = (parts) => parts.map(({ name }) => name).sort();
  const fromFiles = (parts) => names(parts.filter(({ file }) => file !== ''));
  return {
    verdict: status,
    error: error ?? '',
    commands: names(there(commands)),
    skills: names(there(skills)),
    aliases: there([...commands, ...skills])
      .flatMap(({ aliases }) => aliases)
      .sort(),
    agents: names(there(agents)),
    servers: names(servers),
    hooks: hooks.length,
    registered: installed.hooks_registered.length,
    read: { slash: fromFiles([...commands, ...skills]), agents: fromFiles(agents) },
  };
}
