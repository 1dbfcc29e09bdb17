import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKEND_FACTS, BACKEND_IDS, type BackendId } from '../../src/domain/backends.js';

/** How the agent CLIs on a test's PATH behave when they are prompted. */
export type Behaviour = 'adds numbers' | 'does nothing' | 'echoes its prompt';

export interface FakeOptions {
  readonly loggedIn?: boolean;
  /** What claude says that each call cost; it says nothing by default. */
  readonly costUsd?: number;
  /** An agent that adds numbers never answers anything else; it fails by default. */
  readonly hangs?: boolean;
}

/** Puts fakes of agent CLIs into a folder: they answer version and login, then behave. One without a fake is missing. */
export function writeFakeAgents(
  folder: string,
  behaviour: Behaviour,
  { loggedIn = true, costUsd, hangs = false }: FakeOptions = {},
): string {
  mkdirSync(folder, { recursive: true });
  const fakes: Partial<Record<BackendId, Fake>> = {
    claude: {
      version: '2.1.0 (Claude Code)',
      login: ['--setting-sources project,local auth status', `{"loggedIn":${loggedIn}}`, loggedIn ? 0 : 1],
    },
    kiro: {
      version: 'kiro-cli 2.0.0',
      login: ['whoami', loggedIn ? 'Logged in' : 'Not logged in', loggedIn ? 0 : 1],
    },
    opencode: { version: '1.18.18', login: ['auth list', `└  ${loggedIn ? 1 : 0} credentials`, 0] },
    codex: {
      version: 'codex-cli 0.166.0',
      login: ['login status', loggedIn ? 'Logged in using ChatGPT' : 'Not logged in', loggedIn ? 0 : 1],
    },
    gemini: { version: '0.61.0', login: ['--list-extensions', '', loggedIn ? 0 : 41] },
    pi: {
      version: '0.73.1',
      login: ['--list-models', loggedIn ? 'provider  model\nopenai    gpt-5' : 'No models available.', 0],
    },
  };
  for (const id of BACKEND_IDS) {
    const fake = fakes[id];
    if (fake === undefined) continue;
    const { command } = BACKEND_FACTS[id];
    const path = join(folder, command);
    const write = behaviour === 'adds numbers' ? adderProgram({ costUsd, hangs }) : shellProgram(behaviour);
    writeFileSync(path, write(command, fake.version, fake.login));
    chmodSync(path, 0o755);
  }
  return folder;
}

interface Fake {
  readonly version: string;
  readonly login: Login;
}

type Login = readonly [question: string, answer: string, code: number];

/** What needs no thought is a shell script: loops with such agents start them by the dozen. */
function shellProgram(behaviour: keyof typeof SHELL_BEHAVIOURS) {
  return (name: string, version: string, [question, answer, code]: Login) => `#!/bin/sh
case "$*" in
  --version) echo '${version}'; exit ;;
  '${question}') echo '${answer}'; exit ${code} ;;
esac
${SHELL_BEHAVIOURS[behaviour](name)}
`;
}

/** Claude Code reads its prompt from stdin, the others have it as their last argument. */
const SHELL_BEHAVIOURS = {
  'does nothing': (name: string) => (name === 'claude' ? 'cat >/dev/null' : ''),
  'echoes its prompt': (name: string) =>
    name === 'claude' ? 'cat' : 'for prompt; do :; done\nprintf %s "$prompt"',
} as const;

function adderProgram({ costUsd, hangs }: { costUsd: number | undefined; hangs: boolean }) {
  return (name: string, version: string, login: Login) => `#!${process.execPath}
const { readFileSync } = require('node:fs');
const [question, answer, code] = ${JSON.stringify(login)};
const argv = process.argv.slice(2);
if (argv[0] === '--version') { console.log(${JSON.stringify(version)}); process.exit(0); }
if (argv.join(' ') === question) { console.log(answer); process.exit(code); }
const prompt = ${JSON.stringify(name)} === 'claude' ? readFileSync(0, 'utf8') : argv.at(-1);
const say = (text) => console.log(${JSON.stringify(name)} === 'claude'
  ? JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
  : ${JSON.stringify(name)} === 'pi'
    ? JSON.stringify({ type: 'message_update', assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: text } })
    : text);
const sum = /Work out (\\d+) \\+ (\\d+)/.exec(prompt);
${hangs ? 'if (sum === null) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);' : ''}
say('ANSWER=' + (Number(sum[1]) + Number(sum[2])) + '\\nLOOP_COMPLETE');
${name === 'claude' && costUsd !== undefined ? `console.log(JSON.stringify(${JSON.stringify(billOf(costUsd))}));` : ''}
`;
}

function billOf(costUsd: number) {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 1,
    result: '',
    total_cost_usd: costUsd,
    usage: { input_tokens: 10, cache_read_input_tokens: 900, output_tokens: 90 },
  };
}
