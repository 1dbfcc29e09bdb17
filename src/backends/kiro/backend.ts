import { join } from 'node:path';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { homeOf, REFUSED_KEY } from '../environment.js';

/** Kiro's CLI, according to its public documentation. It is in no registry, so we could not try the real one. */
export const kiro = defineBackend('kiro', {
  probe: { args: ['whoami'], env: {}, parse: parseWhoami },
  credentialVariables: ['KIRO_API_KEY'],
  loginFiles: ['.local/share/kiro-cli'],
  installHint: 'see https://kiro.dev/docs/cli/installation',
  loginHint: 'kiro-cli login',
  inheritedFiles: (env) =>
    ['steering', 'settings/cli.json', 'settings/mcp.json', 'agents', 'skills', 'hooks'].map((name) =>
      join(homeOf(env), '.kiro', name),
    ),
  // A login takes precedence over the variable, and it is in HOME: only a private HOME hides it.
  privateHome: (home) => ({ HOME: home, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined }),
  refusedCredentials: { KIRO_API_KEY: REFUSED_KEY },
  modelArgs: (model) => ['--model', model],
  scripted: {
    possible: false,
    reason: 'Kiro cannot be pointed at another service, and its CLI is in no package registry',
  },
  standIn: async () => (await import('./stand-in/stand-in.js')).kiroStandIn,
});

/** `kiro-cli whoami` answers with its exit code: 0 logged in, 1 logged out. Anything else means that it failed. */
function parseWhoami({ exitCode, stdout }: ProbeOutput): ProbeAnswer | null {
  if (exitCode === 1) return { authenticated: false, detail: 'not logged in' };
  if (exitCode !== 0) return null;
  const line = stdout.split('\n').find((text) => text.trim() !== '') ?? '';
  // Reports are shared, so do not name the account.
  const anonymous = line.trim().replace(/(?<!\S)\S+@\S+/g, '<account>');
  return { authenticated: true, detail: anonymous === '' ? 'logged in' : anonymous.slice(0, 120) };
}
