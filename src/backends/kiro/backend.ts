import { join } from 'node:path';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { homeOf, REFUSED_KEY } from '../environment.js';

/** Kiro's CLI, after its public documentation: it is in no registry, so nothing here was tried on the real one. */
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
  // A login takes precedence over the variable, and it lies in HOME: only a private HOME shuts it out.
  privateHome: (home) => ({ HOME: home, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined }),
  refusedCredentials: { KIRO_API_KEY: REFUSED_KEY },
  modelArgs: (model) => ['--model', model],
  scripted: {
    possible: false,
    reason: 'Kiro asks a service of its own that cannot be pointed elsewhere, and its CLI is in no registry',
  },
  standIn: async () => (await import('./stand-in/face.js')).kiroStandIn,
});

/** `kiro-cli whoami` tells by its exit code: 0 logged in, 1 not. Anything else is a failure of the program. */
function parseWhoami({ exitCode, stdout }: ProbeOutput): ProbeAnswer | null {
  if (exitCode === 1) return { authenticated: false, detail: 'not logged in' };
  if (exitCode !== 0) return null;
  const line = stdout.split('\n').find((text) => text.trim() !== '') ?? '';
  // Reports are passed around: whose account it is stays on this machine.
  const anonymous = line.trim().replace(/\S+@\S+/g, '<account>');
  return { authenticated: true, detail: anonymous === '' ? 'logged in' : anonymous.slice(0, 120) };
}
