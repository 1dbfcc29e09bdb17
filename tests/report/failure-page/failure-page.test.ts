import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/analysis.js';
import { promptContained } from '../../../src/authoring.js';
import { needsPage, pageName } from '../../../src/domain/report/failure-pages.js';
import { renderFailurePage } from '../../../src/report/failure-page/failure-page.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { broken, captured, iteration, journal, type RunStory } from '../support/journal.js';
import { readOutline } from '../support/markdown-outline.js';
import { renderMarkdown } from '../support/rendered.js';

const EVENT = {
  topic: 'build.done',
  payload: 'ok',
  timestamp: 't',
  hat: 'builder',
  iteration: 2,
  source: 'agent',
} as const;
const story: RunStory = {
  run: { repeatWith: ['--lane', 'scripted'], lane: 'scripted' },
  tests: [
    {
      scenarioId: 'hat-single',
      attempts: [
        {
          outcome: 'failed',
          workspace: '/repo/.e2e-tests/hat-single',
          checks: [
            { name: 'the loop completes', passed: false, expected: 'an end', actual: 'exit 2' },
            { name: 'no process is left', category: 'Processes' },
            broken(promptContained('x', { iteration: 2 })),
            {
              name: 'build.finished is emitted',
              category: 'EventEmitted',
              passed: false,
              expected: 'build.finished',
              actual: 'build.done',
              diff: '-build.finished\n+build.done',
              suggestion: 'look at the topic',
            },
          ],
          evidence: {
            exit: { kind: 'exited', code: 2 },
            events: [EVENT],
            log: [
              { at: 't', level: 'INFO', module: 'ralph', text: 'starts' },
              { at: 't', level: 'WARN', module: 'ralph_core::event_loop', text: 'no hat waits' },
            ],
            backendErrors: ['overloaded'],
            stderr: captured('it hurts', 'stderr'),
            iterations: [
              iteration({
                toolCalls: [{ id: null, name: 'Bash', input: 'rm x', result: null, isError: true }],
              }),
              iteration({ number: 2, said: 'my last words' }),
            ],
          },
        },
      ],
    },
  ],
};

function pageOf(told: RunStory): string {
  const report = buildReport(journal(told), analysis);
  const [result] = report.results;
  if (!result) throw new Error('one result expected');
  return renderFailurePage(report, result);
}

describe('the page on one failure', () => {
  const page = pageOf(story);

  it('has its sections in order', () => {
    expect(readOutline(page).headings).toEqual([
      '# ❌ `hat-single` on Claude: failed',
      '## First divergence',
      '## Expected and actual',
      '## Reproduce',
      '## Hypothesis',
      '## Configuration',
      '## What Ralph logged',
      '## Last events',
      '## What happened there',
      '## What was not checked',
      '## Evidence',
    ]);
    expect(readOutline(page).problems).toEqual([]);
  });

  it('names the broken assertion that looks at the earliest moment, not the first of the list', () => {
    expect(page).toContain(
      'The failed check about the earliest moment of the run: **the prompt of iteration 2 contains "x"** (expected',
    );
    expect(page).toContain('Passed: no process is left.');
    expect(page).toContain('- the backend reported: `overloaded`');
    expect(page).toContain('- in iteration 1 a tool call failed: `Bash rm x`');
  });

  it('quotes the warnings of Ralph, and not the rest of its log', () => {
    expect(page).toContain('## What Ralph logged\n\n```\nWARN ralph_core::event_loop: no hat waits\n```');
  });

  it('says what Ralph promised', () => {
    const promises = [
      { area: 'hats', promise: 'A hat has its turn.', source: 'ralph-core/src/hats.rs: next' },
    ];
    const checks = [{ name: 'the hat', category: 'PromptContent' as const, passed: false, promises }];
    expect(pageOf({ tests: [{ attempts: [{ outcome: 'failed', checks }] }] })).toContain(
      '- Ralph promises: A hat has its turn. It decides that in `ralph-core/src/hats.rs: next`.',
    );
  });

  it('takes causes for earlier than effects: what was sent, what was said, what came of it', () => {
    const red = (
      name: string,
      category: 'ExitCode' | 'FileContains' | 'OutputContains' | 'PromptContent',
    ) => ({
      ...{ name, category, passed: false },
    });
    const checks = [
      red('the exit', 'ExitCode'),
      red('the file', 'FileContains'),
      red('the words', 'OutputContains'),
      red('the prompt', 'PromptContent'),
    ];
    for (let count = 1; count <= checks.length; count += 1) {
      const told = pageOf({ tests: [{ attempts: [{ outcome: 'failed', checks: checks.slice(0, count) }] }] });
      expect(told).toContain(`the earliest moment of the run: **${checks[count - 1]?.name}**`);
    }
  });

  it('says how many events came before the last ones, those of which the report knows only the number included', () => {
    const events = Array.from({ length: 700 }, (_, index) => ({ ...EVENT, topic: `topic.${index}` }));
    const told = pageOf({
      tests: [{ attempts: [{ outcome: 'failed', checks: [{}], evidence: { events } }] }],
    });
    expect(told).toContain('| `topic.699` |');
    expect(told).not.toContain('| `topic.679` |');
    expect(told).toContain(
      '680 came before, see `/repo/.e2e-tests/runs/run-1/hat-single-claude/1/evidence.json`',
    );
  });

  it('has the end of stderr, where the reason stands', () => {
    const stderr = captured(`first line\n${'noise\n'.repeat(2_000)}the reason`, 'stderr');
    const told = pageOf({
      tests: [{ attempts: [{ outcome: 'failed', checks: [{}], evidence: { stderr } }] }],
    });
    expect(told).toContain('the reason\n');
    expect(told).not.toContain('first line');
  });

  it('has both sides, the difference, the last events and words, the command and the files', () => {
    const { fenced } = readOutline(page);
    expect(page).toContain('- Expected: `build.finished`\n- Actual: `build.done`');
    expect(fenced).toContain('-build.finished\n+build.done');
    expect(fenced.join('\n')).toContain('my last words');
    expect(fenced).toContain('it hurts');
    expect(fenced).toContain(
      'ralph-e2e claude --test hat-single --verbose --keep-workspace --keep-reports --lane scripted',
    );
    expect(page).toContain('| `build.done` | agent | 2 builder | ok |');
    expect(page).toContain('`/repo/.e2e-tests/runs/run-1/hat-single-claude/1/evidence.json`');
    expect(page).toContain('- workspace: `/repo/.e2e-tests/hat-single`');
    expect(page).toContain('They are data.');
  });

  it('says what the result does not show', () => {
    expect(page).toContain('- A real model: a script answered the real CLI.');
    expect(page).toContain('it was tried once');
    expect(page).not.toContain('Ralph itself: a stand-in');
  });

  it('tells of a harness that broke down that nothing was judged', () => {
    const broken = pageOf({
      tests: [{ attempts: [{ outcome: 'error', error: 'disk full', evidence: null }] }],
    });
    expect(broken).toContain('The harness itself broke off: disk full');
    expect(broken).toContain('No assertion was judged at all.');
    expect(readOutline(broken).problems).toEqual([]);
  });

  it('stays within 16,000 characters and keeps command, verdict and hypothesis, whatever it has to tell', () => {
    const long = '<&|`'.repeat(20_000);
    const flood = pageOf({
      tests: [
        {
          description: long,
          knownIssue: { upTo: long, reason: long, link: long, breaks: [] },
          attempts: [
            {
              outcome: 'failed',
              checks: Array.from({ length: 60 }, (_, index) => ({
                name: `${index} ${long}`,
                passed: false,
                expected: long,
                actual: long,
                diff: long,
                suggestion: long,
              })),
              evidence: {
                events: Array.from({ length: 900 }, () => ({ ...EVENT, topic: long, payload: long })),
                iterations: [iteration({ prompt: long, said: long })],
                stderr: captured(long, 'stderr'),
                backendErrors: [long],
              },
            },
          ],
        },
      ],
    });
    expect(flood.length).toBeLessThanOrEqual(16_000);
    expect(readOutline(flood).problems).toEqual([]);
    expect(flood).toContain('ralph-e2e claude --test hat-single --verbose --keep-workspace --keep-reports');
    expect(flood).toContain('## Hypothesis');
    expect(flood).not.toMatch(/## Hypothesis\n\nToo long/);
  });
});

it('failures, errors and known issues get a page, and report.md says where it is', () => {
  const report = buildReport(
    journal({
      tests: [
        { scenarioId: 'bad', attempts: [{ outcome: 'failed', checks: [{ passed: false }] }] },
        { scenarioId: 'broken', attempts: [{ outcome: 'error', evidence: null, error: 'x' }] },
        {
          scenarioId: 'known',
          knownIssue: { upTo: '2', reason: 'r', link: 'l', breaks: [] },
          attempts: [{ outcome: 'known-issue', checks: [{ passed: false }] }],
        },
        { scenarioId: 'good', attempts: [{}] },
        { scenarioId: 'left-out', skipped: 'why not' },
        { scenarioId: 'shaky', attempts: [{ outcome: 'failed' }, {}] },
      ],
    }),
    analysis,
  );
  const names = report.results.filter(needsPage).map(pageName);
  expect(names).toEqual(['bad-claude.md', 'broken-claude.md', 'known-claude.md']);
  const markdown = renderMarkdown(report);
  for (const name of names) expect(markdown).toContain(`(report/failures/${name})`);
  expect(markdown).not.toContain('report/failures/good-claude.md');
});

it('the name of a page is one plain path segment, whatever the id is', () => {
  const name = (scenario_id: string) => pageName({ scenario_id, backend: 'kiro' });
  expect(name('a-b')).toBe('a-b-kiro.md');
  expect(name('../../etc/passwd')).toBe('_._.._etc_passwd-kiro.md');
  expect(name('.hidden')).toBe('_hidden-kiro.md');
  expect(name('x'.repeat(5_000)).length).toBeLessThan(200);
});
