import { describe, expect, it } from 'vitest';
import { fileContains } from '../../../src/authoring.js';
import { analysis } from '../../../src/harness/analysis.js';
import { renderFailurePage, renderTestPage } from '../../../src/report/markdown/tests.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { readHtml } from '../support/html-outline.js';
import { broken, captured, iteration, journal, type RunStory } from '../support/journal.js';
import { readOutline } from '../support/markdown-outline.js';
import { renderHtml, renderMarkdown } from '../support/rendered.js';

const RED = {
  name: 'greeting.txt contains "hello"',
  category: 'FileContains',
  passed: false,
  expected: 'hello',
  actual: 'no such file',
} as const;

function render(story: RunStory): string {
  return renderMarkdown(buildReport(journal(story), analysis));
}

/** Renders the page with everything about a test. */
function renderPage(story: RunStory, id: string): string {
  const report = buildReport(journal(story), analysis);
  const result = report.results.find(({ scenario_id }) => scenario_id === id);
  if (result === undefined) throw new Error(`There is no test ${id}.`);
  return renderTestPage(report, result);
}

const PROMISE = {
  area: 'limits',
  promise: 'A loop ends.',
  source: 'ralph-core/src/loop.rs: check_termination',
};

describe('a run with many failures', () => {
  const report = buildReport(
    journal({
      run: { lane: 'sim', target: { kind: 'stand-in', path: '/x', version: '2.10.1' } },
      tests: Array.from({ length: 15 }, (_, index) => ({
        scenarioId: `limit-${index}`,
        attempts: [{ outcome: 'failed', checks: [{ ...RED, promises: [PROMISE] }] }],
      })),
    }),
    analysis,
  );
  const markdown = renderMarkdown(report);

  it('names the stand-in that broke a promise, in the report and on the pages', () => {
    const [first] = report.results;
    if (first === undefined) throw new Error('There is no test.');
    for (const page of [markdown, renderTestPage(report, first), renderFailurePage(report, first)]) {
      expect(page).toContain('**Fault:** the stand-in broke a promise of Ralph');
      expect(page).not.toMatch(/(?<!promise of )Ralph broke a promise/);
    }
  });
});

describe('the size of a report', () => {
  /** About as many tests and as much about them as the catalog has. */
  const catalog: NonNullable<RunStory['tests']> = [
    ...Array.from({ length: 350 }, (_, index) => ({
      scenarioId: `scenario-with-a-name-${index}`,
      expectedIterations: 1,
      attempts: [
        {
          checks: [{}, {}, {}],
          evidence: { termination: { reason: 'completed', status: '', iterations: 3, exitCode: 0 } },
        },
      ],
    })),
    ...Array.from({ length: 28 }, (_, index) => ({
      scenarioId: `known-issue-${index}`,
      knownIssue: {
        upTo: '2.10.1',
        reason: `Ralph does ${index} things otherwise`,
        link: 'l',
        breaks: [],
        shows: {},
      },
      attempts: [{ outcome: 'known-issue' as const, checks: [{ passed: false }] }],
    })),
    ...Array.from({ length: 83 }, (_, index) => ({
      scenarioId: `skipped-${index}`,
      skipped: `needs a real ralph: the stand-in for it cannot do this (${index % 17})`,
    })),
  ];
  const failed: NonNullable<RunStory['tests']>[number] = {
    scenarioId: 'the-failed-one',
    attempts: [
      {
        outcome: 'failed',
        checks: [
          { ...RED, ...broken(fileContains('greeting.txt', 'hello')), promises: [PROMISE] },
          { ...RED, ...broken(fileContains('bye.txt', 'bye')) },
          {},
          {},
        ],
        evidence: {
          configYaml: 'hats:\n  builder:\n    triggers: [build.task]\n    publishes: [build.done]\n'.repeat(
            8,
          ),
          iterations: [1, 2].map((number) =>
            iteration({
              number,
              prompt: `### 0a. ORIENTATION\n\nYou are Ralph.\n\n## OBJECTIVE\n\nSay hello.\n\n## PENDING EVENTS\n\nEvent: build.task - hello\n`,
              said: 'I wrote the greeting, and then I looked at the list of what is left to do. '.repeat(5),
              toolCalls: [
                {
                  id: null,
                  name: 'Bash',
                  input: 'echo hello > greeting.txt',
                  result: 'done',
                  isError: false,
                },
              ],
            }),
          ),
        },
      },
    ],
  };
  /** Four characters are about a token. */
  const tokens = (text: string) => text.length / 4;

  it('is small if all went well', () => {
    expect(tokens(render({ run: { lane: 'sim' }, tests: catalog }))).toBeLessThan(4_000);
  });

  it('is mostly about the failure if there is one', () => {
    const markdown = render({ run: { lane: 'sim' }, tests: [...catalog, failed] });
    const about = markdown.split(/^(?=## )/m).filter((part) => /^## (?:🎯|🔴 Failed Tests)/u.test(part));
    expect(about).toHaveLength(2);
    expect(about.join('').length / markdown.length).toBeGreaterThan(0.5);
  });
});

it.each(['sim', 'scripted'] as const)('does not judge scripted agents in the %s lane', (lane) => {
  const story = {
    run: { lane },
    tests: [{ scenarioId: 'slow', timeoutSeconds: 2, attempts: [{ checks: [{}], durationSeconds: 1.9 }] }],
  };
  const report = buildReport(journal(story), analysis);
  expect(renderMarkdown(report)).toContain('## ✅ Passed Tests (1)');
  for (const page of [renderMarkdown(report), renderPage(story, 'slow'), readHtml(renderHtml(report)).text])
    expect(page).not.toMatch(/quality|warnings|acceptable|of its time limit/i);
});

it('does not say FAILED when only the harness failed', () => {
  const markdown = render({
    tests: [{ attempts: [{ outcome: 'error', evidence: null, error: 'disk full' }] }],
  });
  const { headings } = readOutline(markdown);
  expect(headings).toContain('## 💥 ERROR');
  expect(headings).toContain('## 💥 Tests that could not be carried out');
  expect(headings.join('\n')).not.toMatch(/🔴|❌/u);
});

it.each([
  ['nothing ran', { tests: [{ skipped: 'x' }] }, '## 🟠 NOTHING TESTED'],
  [
    'the run was interrupted',
    { tests: [{ attempts: [{}] }], end: { interrupted: true } },
    '## 🟠 INTERRUPTED',
  ],
])('is neither green nor red when %s', (_, story, heading) => {
  expect(readOutline(render(story)).headings).toContain(heading);
});

describe('sizes', () => {
  const LIMIT = 40_000;

  it('stays under 40 KB, and counts what it leaves out', () => {
    const tests = Array.from({ length: 60 }, (_, index) => ({
      scenarioId: `broken-${index}`,
      attempts: [
        {
          outcome: 'failed' as const,
          error: '<&|'.repeat(900),
          checks: Array.from({ length: 30 }, () => ({
            ...RED,
            actual: '|<`ü🙂'.repeat(400),
            diff: '`'.repeat(2_000),
          })),
        },
      ],
    }));
    const markdown = render({ tests });
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(LIMIT);
    const { headings, problems } = readOutline(markdown);
    expect(problems).toEqual([]);
    expect(headings).toContain('## 🎯 Causes: 1 cause, 60 tests');
    expect(headings).toContain('### Others');
    expect(markdown).toMatch(/^- \d+ more tests in `report\/tests\/`$/m);
  });

  it('stays under 40 KB when hundreds of tests pass, are skipped and are known issues', () => {
    const of = (name: string, story: object) =>
      Array.from({ length: 300 }, (_, index) => ({ scenarioId: `${name}-${index}`, ...story }));
    const knownIssue = { upTo: '2.10.1', reason: 'r'.repeat(300), link: 'l', breaks: [], shows: {} };
    const markdown = render({
      tests: [
        ...of('passed', { timeoutSeconds: 2, attempts: [{ checks: [{}], durationSeconds: 1.9 }] }),
        ...of('known', { knownIssue, attempts: [{ outcome: 'known-issue', checks: [RED] }] }),
        ...of('skipped', { skipped: 'kiro-cli is not on PATH' }),
      ],
    });
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(LIMIT);
    expect(readOutline(markdown).headings).toEqual(
      expect.arrayContaining([
        '## ✅ Passed Tests (300)',
        '## 🐞 Known Issues (300)',
        '## ⏭️ Skipped Tests (300)',
      ]),
    );
  });

  it('shows one test of each cause, and the others as links', () => {
    const tests = ['a', 'b', 'c'].map((scenarioId) => ({
      scenarioId,
      attempts: [{ outcome: 'failed' as const, checks: [RED] }],
    }));
    const markdown = render({ tests });
    const { headings } = readOutline(markdown);
    expect(headings.filter((heading) => heading.startsWith('### ❌'))).toEqual([
      '### ❌ `a` on Claude (Tier 5: Hat Collections)',
    ]);
    expect(markdown).toContain('- [b on Claude](report/failures/b-claude.md): greeting.txt contains "hello"');
  });

  const pageOf = (evidence: object, artifacts = '/runs/1/hat') =>
    renderPage(
      {
        tests: [{ scenarioId: 'hat', attempts: [{ outcome: 'failed', checks: [RED], evidence, artifacts }] }],
      },
      'hat',
    );

  it('cuts long output on a page and names the file with the whole', () => {
    const stdout = {
      ...captured('', 'stdout'),
      text: `begin${'x'.repeat(50_000)}end`,
      path: '/runs/1/stdout.log',
    };
    const block = readOutline(pageOf({ stdout })).fenced.find((text) => text.startsWith('beginx')) ?? '';
    expect(block.length).toBeLessThan(17_000);
    expect(block).toContain('the whole is in /runs/1/stdout.log');
    expect(block).toMatch(/xend$/);
  });

  it('shows failed checks with what they expected and received, and names those that passed', () => {
    const green = Array.from({ length: 20 }, (_, index) => ({ name: `held ${index}` }));
    const broken = Array.from({ length: 18 }, (_, index) => ({ name: `broke ${index}`, passed: false }));
    const few = render({
      tests: [{ attempts: [{ outcome: 'failed', checks: [...green, ...broken.slice(0, 2)] }] }],
    });
    expect(few).toContain(
      '❌ **broke 1** (TerminationReason)\n\n- Expected: `completed`\n- Received: `completed`',
    );
    expect(few).toMatch(/✅ Passed: held 0; .*held 19; 4 more in report\.json\./);
    const many = render({ tests: [{ attempts: [{ outcome: 'failed', checks: [...green, ...broken] }] }] });
    expect(many).toContain('2 more checks failed: see report.json.');
  });

  it('says how many of many events a page leaves out, and where they are', () => {
    const events = Array.from({ length: 700 }, (_, index) => ({
      topic: `topic.${index}`,
      payload: null,
      timestamp: 't',
      hat: null,
      iteration: 1,
      source: 'agent' as const,
    }));
    const page = pageOf({ events });
    expect(page).toContain('<summary>📊 Events (700)</summary>');
    expect(page).toContain('640 events left out here; all are in `/runs/1/hat/evidence.json`.');
  });

  it('keeps first and last of many iterations on a page', () => {
    const iterations = Array.from({ length: 40 }, (_, index) => iteration({ number: index + 1 }));
    const page = pageOf({ iterations });
    expect(page).toContain('<summary>🔁 Iteration 1,');
    expect(page).toContain('<summary>🔁 Iteration 40,');
    expect(page).not.toContain('<summary>🔁 Iteration 20,');
    expect(page).toContain('28 iterations left out here.');
  });
});

it('lets no text of agent or target out of its place, wherever it stands', () => {
  const evil = '\n```\n</details>\n# Injected\n| a | b |\n<script>x</script> \u001b[31m\u202e';
  const story: RunStory = {
    tests: ['failed', 'passed', 'error'].map((outcome) => ({
      scenarioId: `id-${outcome}`,
      description: evil,
      attempts: [
        {
          outcome: outcome === 'failed' ? 'failed' : outcome === 'error' ? 'error' : 'passed',
          error: outcome === 'error' ? evil : null,
          checks: [
            {
              name: evil,
              passed: outcome !== 'failed',
              expected: evil,
              actual: evil,
              diff: evil,
              suggestion: evil,
            },
          ],
          evidence: {
            configYaml: evil,
            promptText: evil,
            stdout: captured(evil, 'stdout'),
            stderr: captured(evil, 'stderr'),
            iterations: [
              iteration({
                hat: evil,
                prompt: evil,
                said: evil,
                toolCalls: [{ id: null, name: evil, input: evil, result: evil, isError: true }],
              }),
            ],
            events: [
              { topic: evil, payload: evil, timestamp: evil, hat: evil, iteration: 1, source: 'agent' },
            ],
            malformedLines: [{ file: evil, line: 1, text: evil }],
            scratchpad: { before: evil, after: evil },
            files: [{ path: evil, change: 'added', sizeBytes: 1, preview: evil }],
            backendErrors: [evil],
            leftBehind: [{ pid: 1, command: evil }],
            termination: { reason: evil, status: evil, iterations: 1, exitCode: 0 },
          },
        },
      ],
    })),
  };
  const pages = [
    render(story),
    ...['failed', 'passed', 'error'].map((name) => renderPage(story, `id-${name}`)),
  ];
  for (const page of pages) {
    const { problems, headings } = readOutline(page);
    expect(problems).toEqual([]);
    expect(headings.filter((heading) => heading.startsWith('# '))).toHaveLength(1);
    expect(page).not.toMatch(/[\u001b\u202e]/);
  }
});
