import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads what Claude Code sends to a hook on stdin. */
export function readPayload() {
  return JSON.parse(readFileSync(0, 'utf8'));
}

/** Tells whether the project has a plan. */
export function hasPlan(payload) {
  const project = process.env.CLAUDE_PROJECT_DIR ?? payload.cwd;
  return ['PLAN.md', '.plan.md', '.agent_planning'].some((name) => existsSync(join(project, name)));
}
