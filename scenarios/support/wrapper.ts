/** A custom backend: a script around the real CLI that passes Ralph's arguments on. */
export function wrapper(script: string): Record<string, { content: string; mode: number }> {
  return { 'agent.sh': { content: `#!/bin/sh\n${script}\n`, mode: 0o755 } };
}
