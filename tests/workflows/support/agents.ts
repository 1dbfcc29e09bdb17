import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFakeAgents } from '../../support/fake-agents.js';

/** Writes the packages that the live jobs install, with fakes of the agent CLIs that are logged out. Returns the folders. */
export function packageAgents(folder: string): string[] {
  return [
    { name: '@anthropic-ai/claude-code', version: '2.1.325', command: 'claude' },
    { name: 'opencode-ai', version: '1.18.18', command: 'opencode' },
  ].map(({ name, version, command }) => {
    const root = join(folder, command);
    writeFakeAgents(root, 'adds numbers', { loggedIn: false });
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ name, version, bin: { [command]: command }, files: [command] }),
    );
    return root;
  });
}
