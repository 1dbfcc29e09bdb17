import { homedir } from 'node:os';
import { join } from 'node:path';

/** The log that the hook writes and the server reads. */
export const logPath =
  process.env.PROMPTCTL_LOG || process.env.E2E_HOOK_LOG || join(homedir(), '.promptctl', 'events.jsonl');
