// Any event: appends what Claude Code sends, and lets everything pass.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { logPath } from '../log-path.mjs';

const payload = JSON.parse(readFileSync(0, 'utf8'));
mkdirSync(dirname(logPath), { recursive: true });
// One write per line: hooks of parallel tool calls run at the same time.
appendFileSync(logPath, `${JSON.stringify({ at: new Date().toISOString(), ...payload })}\n`);
