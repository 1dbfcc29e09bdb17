import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { runCli, tempFolder } from '../support/cli.js';

const CASES = {
  'hello/.claude-plugin/plugin.json': '{"name":"hello","version":"1.0.0","description":"Greets"}',
  'hello/evals/greets/prompt.md':
    '---\nmax_turns: 5\nallowed_tools: [Write, Read]\nruns: 3\n---\n\nGreet Alfred in greeting.txt.\n',
  'hello/evals/greets/graders/says.md': '---\ntype: regex\nflags: i\n---\n\nwritten\\b\n',
  'hello/evals/greets/graders/quiet.md': '---\ntype: regex\nmatch: not_contains\n---\nsorry\n',
  'hello/evals/greets/graders/content.md':
    '---\ntype: regex\ntarget: { source: file, path: greeting.txt }\nmatch: count:1\n---\nHello\n',
  'hello/evals/greets/graders/notes.md': 'This page has no head, so it is no grader.\n',
  'hello/evals/written/case.yaml': `
schema_version: "1.1"
name: Written Down
description: The greeting is written to a file
execution:
  prompt: Greet Bertha in greeting.txt.
  allowed_tools: [Write, Read]
graders:
  - { type: file_exists, name: there, path: "**/*.txt" }
  - { type: file_exists, name: clean, path: "*.log", exists: false }
  - { type: tool_used, name: once, tool: Write, input_match: "greeting\\\\.txt", max: 1 }
  - { type: tool_order, name: order, before: Write, after: { tool: Read } }
  - { type: regex, name: listed, target: files, pattern: "^greeting", flags: m }
  - { type: regex, name: last, pattern: "^Done" }
  - { type: regex, name: completed, match: not_contains, pattern: Sorry }
  - { type: regex, name: completed, match: not_contains, pattern: begin }
`,
  'hello/evals/judged/case.yaml': `
schema_version: "1.0"
name: judged
context: { scaffold_script: setup.sh }
execution: { prompt: Greet everybody. }
graders: [{ type: llm, name: polite, criteria: It is polite. }]
`,
} as const;

const MODULE = `
import { evalCases, onPrompt } from 'ralph-e2e';
export const evals = await evalCases(new URL('hello/evals', import.meta.url), {
  agents: {
    greets: [onPrompt('Alfred').writes('greeting.txt', 'Hello, Alfred').says('Written.')],
    'Written Down': [onPrompt('Bertha').says('I begin.').writes('greeting.txt', 'Hello').readsFile('greeting.txt').says('Done.')],
  },
});
`;

function writeFiles(files: Readonly<Record<string, string>>): string {
  const cwd = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

async function run(files: Readonly<Record<string, string>>, scenarios = 'mine.mjs') {
  const { code, stdout, stderr } = await runCli(['--mock', '--scenarios', scenarios, '--json'], {
    cwd: writeFiles(files),
  });
  expect(stdout, stderr).not.toBe('');
  const { results } = reportSchema.parse(JSON.parse(stdout));
  return { code, results: new Map(results.map((result) => [result.scenario_id, result])) };
}

/** The graders that did not pass. */
function brokenIn(
  result: Awaited<ReturnType<typeof run>>['results'] extends Map<string, infer R> ? R | undefined : never,
) {
  return result?.assertions.filter(({ passed }) => !passed).map(({ key }) => key);
}

describe('cases of claude plugin eval', () => {
  test('run as conversations whose graders are checks, and what needs a judge is skipped', async () => {
    const { code, results } = await run({ ...CASES, 'mine.mjs': MODULE });
    expect([results.get('greets')?.outcome, results.get('written-down')?.outcome]).toEqual([
      'passed',
      'passed',
    ]);
    expect(results.get('greets')?.assertions.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['content', 'quiet', 'says']),
    );
    expect(results.get('judged')).toMatchObject({
      outcome: 'skipped',
      skip_reason: expect.stringMatching(/scaffold_script.*the grader "polite" is judged by a model \(llm\)/),
    });
    expect(code).toBe(0);
  });

  test('fail where a grader does', async () => {
    const idle = MODULE.replace(
      ".writes('greeting.txt', 'Hello, Alfred').says('Written.')",
      ".says('Sorry, sorry')",
    ).replace(
      ".writes('greeting.txt', 'Hello').readsFile('greeting.txt').says('Done.')",
      ".writes('a.log', 'x').runs('true').says('Sorry, I begin again.')",
    );
    const { code, results } = await run({ ...CASES, 'mine.mjs': idle });
    expect(brokenIn(results.get('greets'))).toEqual(expect.arrayContaining(['content', 'says']));
    expect(brokenIn(results.get('written-down'))).toEqual(
      expect.arrayContaining([
        ...['there', 'clean', 'once', 'order', 'listed', 'last'],
        ...['completed 2', 'completed 3'],
      ]),
    );
    expect(code).toBe(1);
  });

  test('are read from a folder, and need a real model without a script', async () => {
    const { code, results } = await run(CASES, 'hello/evals');
    expect([...results.values()].map(({ skip_reason }) => skip_reason)).toEqual(
      expect.arrayContaining(['the case has no agent script: it needs a real model']),
    );
    expect(code).toBe(2);
  });

  test('in a folder, also in one around the output, are the same when a run is resumed', async () => {
    const cwd = writeFiles(CASES);
    await runCli(['--mock', '--scenarios', '.', '-q'], { cwd });
    const runs = join(cwd, '.e2e-tests/runs');
    // A killed run has no summary.
    rmSync(join(runs, readdirSync(runs)[0] ?? '', 'summary.json'));
    const resume = async () => {
      const { code, stdout, stderr } = await runCli(['resume', '--json'], { cwd });
      return {
        code,
        stderr,
        results: stdout === '' ? 0 : reportSchema.parse(JSON.parse(stdout)).results.length,
      };
    };
    writeFileSync(join(cwd, 'hello/evals/greets/graders/new.md'), 'Another page.\n');
    expect((await resume()).stderr).toContain(`expected them as they were, found ${cwd} (changed).`);
    rmSync(join(cwd, 'hello/evals/greets/graders/new.md'));
    expect(await resume()).toMatchObject({ code: 2, results: 3 });
  });

  test.each<{ what: string; files: Readonly<Record<string, string>>; error: RegExp }>([
    {
      what: 'an unknown grader',
      files: {
        'e/x/case.yaml':
          'schema_version: "1.0"\nname: x\nexecution: {prompt: p}\ngraders: [{type: vote, name: v}]',
      },
      error: /expected a case of `claude plugin eval`/,
    },
    {
      what: 'an unknown field',
      files: {
        'e/x/prompt.md': '---\nturns: 3\n---\nDo it.',
        'e/x/graders/a.md': '---\ntype: regex\n---\nx',
      },
      error: /unknown field "turns"/,
    },
    {
      what: 'a bad pattern',
      files: { 'e/x/prompt.md': 'Do it.', 'e/x/graders/a.md': '---\ntype: regex\n---\n(' },
      error: /expected a regular expression/,
    },
    { what: 'no case', files: { 'e/readme.md': 'x' }, error: /expected eval cases .* found none/ },
  ])('are refused with $what', async ({ files, error }) => {
    const { code, stderr } = await runCli(['--mock', '--scenarios', 'e'], { cwd: writeFiles(files) });
    expect(stderr).toMatch(error);
    expect(code).toBe(2);
  });
});
