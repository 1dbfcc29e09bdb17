import { connect, type HarnessClient } from '../harness-client.js';
import { MARKET, SCRIPT } from '../plugins.js';

const FILES = { ...MARKET, 'agent.yaml': SCRIPT };

/** The tools that the tests of a lane have called with success. */
export const called = new Set<string>();

/** Opens a server that notes which tools worked. */
export async function open(args: readonly string[]): Promise<HarnessClient> {
  const harness = await connect({ args: ['--script', 'agent.yaml', ...args], files: FILES });
  return {
    ...harness,
    ok: (name, input) => {
      called.add(name);
      return harness.ok(name, input);
    },
  };
}

/** A conversation with the plugin, in the project. */
export async function talk({ ok }: HarnessClient): Promise<string> {
  await ok('install_plugin', { plugin_name: 'agent-loop' });
  const { session_id } = await ok('start_conversation', { config: { working_directory: 'project' } });
  return session_id;
}
