import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { standInFolder } from '../../../src/backends/index.js';
import type { AgentScript } from '../../../src/domain/agent-script.js';
import { runCommand } from '../../../src/exec/process/run-command.js';
import { serveScript } from '../../../src/lane/script-server.js';
import { requireProgram } from '../../real/programs.js';
import type { StandInCase } from './stand-in-cases.js';

/** What a caller depends on: how a call ended, what it said, what became of each tool call, and which files it left. */
export interface CallOutcome {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly result: string;
  /** `denied`, or `ran` or `failed` with what the model was told. */
  readonly tools: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const TIME_LIMIT_MS = 120_000;

const blockSchema = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
  content: z.unknown().optional(),
});
const eventSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  // That of a denial is a text.
  message: z
    .looseObject({ content: z.union([z.string(), z.array(blockSchema)]) })
    .optional()
    .catch(undefined),
  tool_use_id: z.string().optional(),
  permission_denials: z.array(z.looseObject({ tool_use_id: z.string() })).optional(),
});
type StreamEvent = z.infer<typeof eventSchema>;

/** Plays a case in a fresh folder with a fresh home, on the stand-in or on the real Claude Code. */
export async function observeCalls(
  { rules, calls, files = {}, hasOwnWords = false }: StandInCase,
  program: 'stand-in' | 'real',
): Promise<CallOutcome[]> {
  const base = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
  const [workspace, home] = [join(base, 'workspace'), join(base, 'home')];
  const script: AgentScript = { format: 1, rules: rules.map(({ rule }) => rule) };
  for (const folder of [workspace, home]) mkdirSync(folder);
  const given = Object.entries(files).map(([path, text]) => [join(workspace, path), text] as const);
  for (const [path, text] of [...given, [join(base, 'script.json'), JSON.stringify(script)] as const]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const server = await serveScript({ script, cwd: workspace });
  const isReal = program === 'real';
  const executable = isReal ? requireProgram('claude') : join(standInFolder(), 'claude');
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: home },
    ...{ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'fake-key' },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
    // As root, Claude Code skips permissions only if this says that it runs in a sandbox.
    ...{ DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' },
    ...(isReal ? {} : { RALPH_E2E_AGENT_SCRIPT: join(base, 'script.json') }),
    ...(isReal ? {} : { RALPH_E2E_AGENT_LOG: join(base, 'calls.jsonl') }),
  };
  const hidePlaces = (text: string) =>
    text
      .replaceAll(base, '<base>')
      .replaceAll(server.url.replace('http://', ''), '<server>')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>');
  try {
    const outcomes: CallOutcome[] = [];
    for (const call of calls) {
      const args = 'refused' in call ? call.args : call;
      const options = { cwd: workspace, env, timeoutMs: TIME_LIMIT_MS };
      const { exitCode, stdout, stderr } = await runCommand(executable, args, options);
      outcomes.push({
        exitCode,
        stderr: hidePlaces(stderr),
        ...readOutput(hidePlaces(stdout), hasOwnWords),
        files: readFiles(workspace, hidePlaces),
      });
    }
    return outcomes;
  } finally {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function readOutput(stdout: string, hasOwnWords: boolean): Pick<CallOutcome, 'result' | 'tools'> {
  const events = stdout.split('\n').flatMap((line): StreamEvent[] => {
    if (!line.startsWith('{')) return [];
    const event = eventSchema.safeParse(JSON.parse(line));
    return event.success ? [event.data] : [];
  });
  const end = events.findLast(({ type }) => type === 'result');
  const blocks = events.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
  // A call that ends early has no result, which lists them all.
  const denied = [
    ...events.filter(({ subtype }) => subtype === 'permission_denied'),
    ...(end?.permission_denials ?? []),
  ].map(({ tool_use_id }) => tool_use_id);
  const tools = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => {
      if (denied.includes(id)) return 'denied';
      const answer = blocks.find(({ tool_use_id }) => tool_use_id === id);
      return `${answer?.is_error === true ? 'failed' : 'ran'}: ${JSON.stringify(answer?.content)}`;
    });
  const words = hasOwnWords ? '<words>' : end?.result;
  // Without a result event the words follow the status.
  const said = hasOwnWords ? stdout.replace(/^(API Error: \d+)[\s\S]*$/, '$1 <words>') : stdout;
  const result = end === undefined ? said : [end.subtype, end.is_error, words].join(' · ');
  return { result, tools };
}

function readFiles(folder: string, clean: (text: string) => string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/'))
    .filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    paths.sort().map((path) => [path, clean(readFileSync(join(folder, path), 'utf8'))]),
  );
}
