import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transform } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { onAnyPrompt, onPrompt } from '../../../src/agent/builder.js';
import { type Agent, createAgent } from '../../../src/agent/library.js';
import { scriptJsonSchema } from '../../../src/agent/script/json-schema.js';
import { parseScript } from '../../../src/agent/script/parse.js';

const DOCUMENT = readFileSync(new URL('../../../docs/agent-script.md', import.meta.url), 'utf8');

interface Block {
  readonly kind: string;
  readonly text: string;
  readonly line: number;
}

const BLOCKS: Block[] = [...DOCUMENT.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
  kind: match[1] ?? '',
  text: match[2] ?? '',
  line: DOCUMENT.slice(0, match.index).split('\n').length,
}));
const isScript = ({ kind }: Block) => ['yaml', 'toml', 'json'].includes(kind);
const syntaxOf = ({ kind }: Block) => (kind === 'toml' || kind === 'json' ? kind : 'yaml');
/** The scripts, each with the block that stands behind it. */
const SCRIPTS = BLOCKS.flatMap((block, index) =>
  isScript(block) ? [{ block, next: BLOCKS[index + 1], line: block.line }] : [],
);

describe('the examples of docs/agent-script.md', () => {
  test.each(SCRIPTS)('the script in line $line', async ({ block, next }) => {
    const parse = () => parseScript(block.text, { format: syntaxOf(block), file: 'example' });
    if (next?.kind === 'error') return expect(parse).toThrow(next.text.trim());
    const { script } = parse();
    if (next?.kind !== 'transcript') return;
    const cwd = mkdtempSync(join(tmpdir(), 'ralph-e2e-docs-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    expect(await replay(await createAgent(script, { cwd }), next.text, cwd)).toBe(next.text);
  });

  test('every block is one that is tried, and every kind is there', () => {
    expect(new Set(BLOCKS.map(({ kind }) => kind))).toEqual(
      new Set(['yaml', 'toml', 'json', 'transcript', 'error', 'ts']),
    );
    const stray = BLOCKS.filter(
      ({ kind }, index) =>
        ['transcript', 'error'].includes(kind) && !BLOCKS.slice(index - 1, index).some(isScript),
    );
    expect(stray).toEqual([]);
  });

  test('the program', async () => {
    const [program] = BLOCKS.filter(({ kind }) => kind === 'ts');
    const [imports = '', ...body] = program?.text.split('\n') ?? [];
    expect(imports).toBe("import { createAgent, onAnyPrompt, onPrompt } from 'ralph-e2e';");
    const { code } = await transform(`(async () => {${body.join('\n')}})()`, { loader: 'ts' });
    const names = { assert, createAgent, onAnyPrompt, onPrompt };
    await new Function(...Object.keys(names), `return ${code}`)(...Object.values(names));
  });
});

describe('the schema of scripts', () => {
  test('accepts and refuses what we do', () => {
    const validate = new Ajv2020().compile(scriptJsonSchema());
    const ours = SCRIPTS.filter(({ block }) => block.kind === 'yaml');
    const verdicts = ours.map(({ block }) => validate(parseYaml(block.text)));
    expect(verdicts).toEqual(ours.map(({ next }) => next?.kind !== 'error'));
    expect(verdicts).toContain(false);
  });
});

/** Plays the prompts of a transcript and writes it anew with what is really answered. */
async function replay(agent: Agent, transcript: string, cwd: string): Promise<string> {
  const lines: string[] = [];
  for (const line of transcript.split('\n')) {
    if (line.startsWith('> ')) {
      const reply = await agent.execute(line.slice(2)).catch(() => undefined);
      lines.push(line);
      if (reply === undefined) lines.push('(no match)');
      else lines.push(reply.failure === undefined ? reply.text : `! ${reply.failure.type}`);
    } else if (line.startsWith('$ ')) {
      lines.push(line, execFileSync('sh', ['-c', line.slice(2)], { cwd, encoding: 'utf8' }).trimEnd());
    }
  }
  return `${lines.join('\n')}\n`;
}
