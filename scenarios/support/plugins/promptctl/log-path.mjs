import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the events are, for the hook that writes them and the server that reads them. */
export const logPath =
  process.env.PROMPTCTL_LOG || process.env.E2E_HOOK_LOG || join(homedir(), '.promptctl', 'events.jsonl');
