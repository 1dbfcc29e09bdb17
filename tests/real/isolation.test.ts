import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorkspace, type WorkspaceFile } from '../../src/workspace/create-workspace.js';
import { openWorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { requireProgram } from './programs.js';
import { makeEnclosingProject } from './support/enclosing-project.js';
import { startModelServer } from './support/model-server.js';
import { PROMPT, runClaude, runOpencode } from './support/run-agent.js';

const ANSWER = 'Hello from the model.';

const AGENTS = [
  {
    name: 'claude',
    run: runClaude,
    /** What the control must see at least, so that the test is known to be able to fail. */
    reads: [
      'CLAUDE.md',
      'CLAUDE.local.md',
      '.claude/CLAUDE.md',
      '.claude/rules/canary.md',
      'deeper/CLAUDE.md',
      '.mcp.json',
    ],
    starts: ['mcp'],
    ownFile: 'CLAUDE.md',
  },
  {
    name: 'opencode',
    run: runOpencode,
    reads: ['AGENTS.md', 'deeper/AGENTS.md', 'opencode.json', '.opencode/tool/canary.js'],
    starts: ['plugin', 'opencode-json'],
    ownFile: 'AGENTS.md',
  },
] as const;

describe.each(AGENTS)('the real $name in a workspace', ({ name, run, reads, starts, ownFile }) => {
  it('sees nothing of the project around it and starts nothing of it', async () => {
    const { project, workspace, home } = await arrange();
    const { bodies } = await ask(run, name, workspace, home);
    expect(findWords(bodies, project.canaries)).toEqual([]);
    expect(project.started()).toEqual([]);
  });

  it('control: would see it if the workspace were a plain folder', async () => {
    const { project, workspace, home } = await arrange();
    rmSync(join(workspace, '.git'), { recursive: true });
    rmSync(join(workspace, '.claude'), { recursive: true });
    const { bodies } = await ask(run, name, workspace, home);
    expect(findWords(bodies, project.canaries)).toEqual(expect.arrayContaining([...reads]));
    expect(project.started()).toEqual(expect.arrayContaining([...starts]));
  });

  it(`still reads ${ownFile} of the workspace itself`, async () => {
    const { workspace, home } = await arrange({ [ownFile]: 'Remember the word INSIDEWORD.\n' });
    const { bodies } = await ask(run, name, workspace, home);
    expect(bodies.includes('INSIDEWORD')).toBe(true);
  });
});

it('the real claude remembers nothing of an earlier run in the same place', async () => {
  const { workspace, home } = await arrange();
  // Claude Code keeps notes by working folder, and a workspace is made anew at the same path in every run.
  const memory = join(home, '.claude', 'projects', workspace.replace(/[^a-zA-Z0-9]/g, '-'), 'memory');
  mkdirSync(memory, { recursive: true });
  writeFileSync(join(memory, 'MEMORY.md'), '- The word is EARLIERWORD\n');
  const before = await ask(runClaude, 'claude', workspace, home);
  expect(before.bodies.includes('EARLIERWORD')).toBe(false);
  rmSync(join(workspace, '.claude'), { recursive: true });
  const control = await ask(runClaude, 'claude', workspace, home);
  expect(control.bodies.includes('EARLIERWORD'), 'control').toBe(true);
});

/** A workspace of ours two folders deep in a project full of instructions, and a HOME that knows nothing. */
async function arrange(files: Readonly<Record<string, WorkspaceFile>> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-e2e-isolation-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = makeEnclosingProject(join(folder, 'project'));
  const root = await openWorkspaceRoot(join(project.path, 'deeper', '.e2e-tests'));
  const workspace = await createWorkspace(root, 'isolation', { files });
  const home = join(folder, 'home');
  mkdirSync(home);
  return { project, workspace: workspace.path, home };
}

/** Lets the agent answer one prompt; fails unless the model was really asked and its answer came back. */
async function ask(run: typeof runClaude, name: 'claude' | 'opencode', cwd: string, home: string) {
  const server = await startModelServer({ answer: ANSWER });
  try {
    const { exitCode, output } = await run({
      executable: requireProgram(name),
      cwd,
      home,
      modelUrl: server.url,
    });
    const bodies = server.requests.map(({ body }) => body).join('\n');
    expect(output).toContain(ANSWER);
    expect(exitCode).toBe(0);
    expect(bodies.includes(PROMPT), 'the prompt reached the model').toBe(true);
    return { bodies };
  } finally {
    await server.close();
  }
}

function findWords(text: string, canaries: ReadonlyMap<string, string>): string[] {
  return [...canaries].filter(([, word]) => text.includes(word)).map(([file]) => file);
}
