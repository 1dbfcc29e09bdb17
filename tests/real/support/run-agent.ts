import { execa } from 'execa';

/** How one real CLI ran, headless, as ralph starts it. */
export interface AgentRun {
  readonly exitCode: number | undefined;
  readonly output: string;
}

export interface AgentCall {
  readonly executable: string;
  readonly cwd: string;
  readonly home: string;
  readonly modelUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What both agents are asked. */
export const PROMPT = 'Say hello.';
const TIME_LIMIT_MS = 120_000;

/** Runs Claude Code with the arguments that ralph gives it; the prompt comes on stdin. */
export function runClaude(call: AgentCall): Promise<AgentRun> {
  const args = [
    ...['--dangerously-skip-permissions', '--verbose', '--output-format', 'stream-json'],
    ...['--setting-sources', 'project,local', '--print'],
    '--disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet',
  ];
  return run(call, args, PROMPT, {
    ANTHROPIC_BASE_URL: call.modelUrl,
    ANTHROPIC_API_KEY: 'fake-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
    // It refuses to skip permissions as root unless it is told that it is in a sandbox.
    IS_SANDBOX: '1',
  });
}

/** Runs OpenCode with the arguments that ralph gives it, on a provider that is our server. */
export function runOpencode(call: AgentCall): Promise<AgentRun> {
  const config = {
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    enabled_providers: ['fake'],
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${call.modelUrl}/v1`, apiKey: 'fake-key' },
        models: { 'fake-model': { limit: { context: 200_000, output: 8192 }, tool_call: true } },
      },
    },
  };
  return run(call, ['run', PROMPT], '', {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    NPM_CONFIG_REGISTRY: `${call.modelUrl}/npm/`,
  });
}

/** Runs a program with exactly these arguments and this environment. */
export async function runRaw(
  executable: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd = env.HOME, input = '' }: { cwd?: string | undefined; input?: string } = {},
): Promise<AgentRun> {
  const { exitCode, all } = await execa(executable, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    extendEnv: false,
    input,
    all: true,
    reject: false,
    timeout: TIME_LIMIT_MS,
  });
  return { exitCode, output: all };
}

function run(call: AgentCall, args: readonly string[], input: string, own: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH ?? '', HOME: call.home, ...own, ...call.env };
  return runRaw(call.executable, args, env, { cwd: call.cwd, input });
}
