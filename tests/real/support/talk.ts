import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { onAnyPrompt, type RuleBuilder } from '../../../src/agent/builder.js';
import { startModelServer } from '../../../src/agent/server/server.js';
import { BACKENDS, TOOL_RECIPES } from '../../../src/backends/index.js';
import { ClaudeSession } from '../../../src/kinds/conversation/claude/session.js';
import {
  createTestProject,
  type DefectName,
} from '../../../src/kinds/conversation/projects/create-test-project.js';
import {
  type FixturePlugin,
  fixturePluginFolder,
} from '../../../src/kinds/conversation/projects/fixture-plugins.js';
import { setupGitRepo } from '../../../src/kinds/conversation/projects/repo-and-files.js';
import type { ProjectType } from '../../../src/kinds/conversation/projects/templates.js';
import { scriptedAttempt } from '../../../src/lane/environment.js';
import { tempFolder } from '../../support/cli.js';
import { requireProgram } from '../programs.js';

/** Answers whatever is said. */
export const HELLO = onAnyPrompt().says('Hello.');

interface TalkOptions {
  readonly type?: ProjectType;
  readonly defect?: readonly DefectName[];
  readonly tools?: readonly string[];
}

/** A conversation of the real Claude Code about a new project, with our plugins and a scripted model. */
export async function talk(
  plugins: readonly (FixturePlugin | string)[],
  rules: readonly RuleBuilder[],
  options: TalkOptions = {},
) {
  const base = realpathSync(tempFolder());
  const [project, home, artifacts] = [join(base, 'project'), join(base, 'home'), join(base, 'artifacts')];
  for (const folder of [home, artifacts]) mkdirSync(folder);
  const { type = 'cli', defect = ['add-subtracts'] } = options;
  await createTestProject({ type, language: 'python', path: project, defect });
  await setupGitRepo(project);
  const script = { format: 1 as const, rules: rules.map(({ rule }) => rule) };
  const server = await startModelServer({ script, recipes: TOOL_RECIPES });
  onTestFinished(server.close);
  const recorded = {
    PROMPTCTL_LOG: join(base, 'events.jsonl'),
    RALPH_E2E_MCP_CALLS: join(base, 'mcp-calls.jsonl'),
    RALPH_E2E_MCP_MOCKS: join(base, 'mocks.json'),
  };
  const env = scriptedAttempt([BACKENDS.claude], { PATH: process.env.PATH ?? '' }, home, server.url);
  const session = await ClaudeSession.open({
    executable: requireProgram('claude'),
    cwd: project,
    env: { ...env, ...recorded },
    artifacts,
    pluginDirs: plugins.map((name) => (isFixture(name) ? fixturePluginFolder(name) : name)),
    permissionMode: 'acceptEdits',
    allowedTools: ['Bash', ...(options.tools ?? [])],
    args: [],
    sessionTimeoutSeconds: 600,
    marker: { name: 'TEST_SESSION', value: base },
    secrets: [],
  });
  onTestFinished(async () => void (await session.end()));
  await session.begin();
  const send = async (prompt: string) => {
    const turn = await session.send(prompt, 300);
    return {
      ...turn,
      results: turn.calls.map(({ name, isError }) => `${name} ${isError ? 'failed' : 'done'}`),
    };
  };
  return { session, send, project, recorded, server };
}

function isFixture(name: string): name is FixturePlugin {
  return !name.includes('/');
}

const statusSchema = z.object({ mcpServers: z.array(z.object({ name: z.string(), status: z.string() })) });

/** How a server of the session is; it may take a while to connect. */
export function serverStatus(session: ClaudeSession, name: string) {
  const ask = async () => {
    const { mcpServers } = statusSchema.parse(await session.control({ subtype: 'mcp_status' }, 60));
    return mcpServers.find((server) => server.name === name)?.status;
  };
  return expect.poll(ask, { timeout: 60_000 });
}

/** What git prints in a folder. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}

/** A file with one JSON object a line. */
export function readLines(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
