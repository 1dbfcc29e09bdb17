import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { AgentScript, Invocation } from '../../domain/agent-script.js';
import { findRule, type Match, type Mismatch } from '../match.js';
import { play } from '../play.js';
import { type PromptView, readPrompt } from '../prompt-view.js';
import type { Face, Write } from './face.js';

/** Names of the variables by which the harness tells a stand-in its part. */
const SCRIPT = 'RALPH_E2E_AGENT_SCRIPT';
const LOG = 'RALPH_E2E_AGENT_LOG';
const LOGIN = 'RALPH_E2E_AGENT_LOGIN';

/** The exit code for mistakes in the script, unlike any of the CLIs' own, so that it cannot pass for one of theirs. */
const SCRIPT_MISTAKE = 70;

/** Runs a stand-in as the program it stands in for, and records the call. */
export async function runFace(face: Face): Promise<void> {
  const argv = process.argv.slice(2);
  const call = face.interpret(argv, process.env[LOGIN] !== 'absent');
  const record = recorder(face, argv);
  switch (call.kind) {
    case 'print':
      write(call.stream ?? 'stdout', `${call.text}\n`);
      process.exitCode = call.exitCode;
      return record('not-a-prompt', { promptSource: 'none', promptBytes: 0, rule: null });
    case 'refuse':
      write('stderr', `${call.message}\n`);
      process.exitCode = call.exitCode;
      return record('refused', { promptSource: 'none', promptBytes: 0, rule: null, detail: call.message });
    case 'prompt': {
      const about = { promptSource: call.source, promptBytes: Buffer.byteLength(call.prompt) };
      const prompt = readPrompt(call.prompt);
      const found = findRule(loadScript(), prompt, countPlayed());
      if ('mismatches' in found) {
        const detail = explainNoMatch(prompt, found.mismatches);
        write('stderr', `${detail}\n`);
        process.exitCode = SCRIPT_MISTAKE;
        return record('no-match', { ...about, rule: null, detail });
      }
      // Recorded before it is played: a rule that hangs is killed and would leave no trace.
      record('played', { ...about, rule: found.match.rule.name });
      try {
        process.exitCode = await speak(face, found.match, prompt);
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        write('stderr', `${detail}\n`);
        process.exitCode = SCRIPT_MISTAKE;
        record('script-error', { ...about, rule: null, detail });
      }
      return;
    }
    default:
      call satisfies never;
  }
}

async function speak(face: Face, match: Match, prompt: PromptView): Promise<number> {
  const voice = face.speak(write);
  voice.begin();
  for await (const action of play(match, prompt, process.cwd())) {
    voice.show(action);
    if (action.kind === 'hang') await hang();
  }
  return voice.end();
}

const write: Write = (stream, text) => {
  process[stream].write(text);
};

function hang(): Promise<void> {
  return new Promise(() => setInterval(() => {}, 2 ** 30));
}

/** The harness validated the script when it wrote it; here only its presence and version are checked. */
function loadScript(): AgentScript {
  const path = process.env[SCRIPT];
  if (path === undefined)
    fail(`${SCRIPT} is not set: expected the path of an agent script, there is nothing to play.`);
  let script: AgentScript;
  try {
    script = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    fail(`The agent script ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (script.version !== 1) fail(`The agent script ${path} has version ${script.version}, expected 1.`);
  return script;
}

function fail(message: string): never {
  write('stderr', `${message}\n`);
  process.exit(SCRIPT_MISTAKE);
}

function recorder(face: Face, argv: readonly string[]) {
  const call = {
    at: new Date().toISOString(),
    backend: face.backend,
    argv: argv.map((word) => (word.length > 200 ? `${word.slice(0, 200)}…` : word)),
    cwd: process.cwd(),
    environmentNames: Object.keys(process.env).sort(),
  };
  return (
    outcome: Invocation['outcome'],
    rest: Pick<Invocation, 'promptSource' | 'promptBytes' | 'rule' | 'detail'>,
  ): void => {
    const path = process.env[LOG];
    if (path !== undefined)
      appendFileSync(path, `${JSON.stringify({ ...call, outcome, ...rest } satisfies Invocation)}\n`);
  };
}

/** How often each rule has played so far in this attempt: the log of earlier calls is the state. */
function countPlayed(): Map<string, number> {
  const path = process.env[LOG];
  const played = new Map<string, number>();
  if (path === undefined || !existsSync(path)) return played;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const { rule }: Pick<Invocation, 'rule'> = JSON.parse(line);
    if (rule !== null) played.set(rule, (played.get(rule) ?? 0) + 1);
  }
  return played;
}

function explainNoMatch(prompt: PromptView, mismatches: readonly Mismatch[]): string {
  const view = [
    `  active hats: ${prompt.hats.join(', ') || 'none'}`,
    `  pending events: ${prompt.events.map(({ topic }) => topic).join(', ') || 'none'}`,
    `  objective: ${prompt.objective.slice(0, 300) || '(none found)'}`,
    `  length: ${prompt.text.length} characters, beginning: ${JSON.stringify(prompt.text.slice(0, 120))}`,
  ];
  const rules = mismatches.map(({ rule, reason }) => `  ${rule.name}: ${reason}`);
  return [
    'ralph-e2e: no rule of the agent script answers this prompt.',
    'The prompt:',
    ...view,
    'The rules, and why each does not fit:',
    ...(rules.length === 0 ? ['  (the script has no rules)'] : rules),
  ].join('\n');
}
