import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a call of the fake ends with: an answer, or an error of the service as Claude Code 2.1.325 prints it. */
export type Reply = 'answers' | 'wanders' | 429 | 529 | 401 | 'resets tomorrow' | 'gets over a 529';

/** Puts a fake `claude` into a folder. Its calls end as listed, and after that like the last of the list. */
export function writeTroubledClaude(folder: string, replies: readonly Reply[]): { calls: () => number } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'claude');
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  writeFileSync(path, program(replies, log));
  chmodSync(path, 0o755);
  return { calls: () => readFileSync(log, 'utf8').length };
}

function program(replies: readonly Reply[], log: string): string {
  return `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const argv = process.argv.slice(2);
if (argv[0] === '--version') { console.log('2.1.325 (Claude Code)'); process.exit(0); }
if (argv.join(' ').endsWith('auth status')) { console.log('{"loggedIn":true}'); process.exit(0); }
const prompt = readFileSync(0, 'utf8');
const replies = ${JSON.stringify(replies)};
const reply = replies[Math.min(readFileSync(${JSON.stringify(log)}, 'utf8').length, replies.length - 1)];
appendFileSync(${JSON.stringify(log)}, '.');
const print = (event) => console.log(JSON.stringify(event));
const say = (text) => print({ type: 'assistant', message: { model: 'claude-opus-5-5', content: [{ type: 'text', text }] } });
const retry = (status, error) => print({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 1, retry_delay_ms: 20000, error_status: status, error });
const fail = (status, error, text) => {
  print({ type: 'assistant', message: { model: '<synthetic>', content: [{ type: 'text', text }] }, error, is_api_error_message: true, api_error_status: status });
  print({ type: 'result', subtype: 'success', is_error: true, api_error_status: status, terminal_reason: 'api_error', result: text });
  process.exit(1);
};
const answer = (words) => {
  const text = words + '\\nLOOP_COMPLETE';
  say(text);
  print({ type: 'result', subtype: 'success', is_error: false, result: text, num_turns: 1 });
};
print({ type: 'system', subtype: 'init', model: 'claude-opus-5-5', permissionMode: 'bypassPermissions', tools: ['Bash', 'Edit', 'Read', 'Write'] });
const [, a, b] = /Work out (\\d+) \\+ (\\d+)/.exec(prompt) ?? [];
switch (reply) {
  case 'wanders': answer('I would rather not. The API said 429 the other day.'); break;
  case 'gets over a 529': retry(529, 'overloaded'); answer('I lost my thread.'); break;
  case 429: retry(429, 'rate_limit'); fail(429, 'rate_limit', 'API Error: Request rejected (429)'); break;
  case 529: retry(529, 'overloaded'); fail(529, 'server_error', 'API Error: 529 Overloaded'); break;
  case 401: fail(401, 'authentication_failed', 'Failed to authenticate. API Error: 401'); break;
  case 'resets tomorrow':
    print({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: Math.floor(Date.now() / 1000) + 86400 } });
    fail(429, 'rate_limit', "You've hit your 5-hour limit");
    break;
  default: answer('ANSWER=' + (Number(a) + Number(b)));
}
`;
}
