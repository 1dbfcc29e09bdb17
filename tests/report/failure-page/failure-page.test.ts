import { describe, expect, it } from 'vitest';
import { needsPage, pageName } from '../../../src/domain/report/failure-pages.js';
import { analysis } from '../../../src/harness/analysis.js';
import { renderFailurePage } from '../../../src/report/markdown/tests.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { RECORD } from '../../kinds/conversation/support/record.js';
import { captured, iteration, journal, type RunStory } from '../support/journal.js';
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

function pageOf(told: RunStory): string {
  const report = buildReport(journal(told), analysis);
  const [result] = report.results;
  if (!result) throw new Error('one result expected');
  return renderFailurePage(report, result);
}

describe('the page on one failure', () => {
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
      expect(told).toMatch(
        new RegExp(`## Checks \\(0 of ${count} passed\\)\\n\\n❌ \\*\\*${checks[count - 1]?.name}\\*\\*`),
      );
    }
  });

  it('says how many events it leaves out, those of which the report knows only the number included', () => {
    const events = Array.from({ length: 700 }, (_, index) => ({ ...EVENT, topic: `topic.${index}` }));
    const told = pageOf({
      tests: [{ attempts: [{ outcome: 'failed', checks: [{}], evidence: { events } }] }],
    });
    expect(told).toContain('| `topic.699` |');
    expect(told).not.toContain('| `topic.679` |');
    expect(told).toContain(
      '684 events left out here; all are in `/repo/.e2e-tests/runs/run-1/hat-single-claude/1/evidence.json`',
    );
  });

  it('has the end of stderr, where the reason stands', () => {
    const stderr = captured(`first line\n${'noise\n'.repeat(2_000)}the reason`, 'stderr');
    const told = pageOf({
      tests: [{ attempts: [{ outcome: 'failed', checks: [{}], evidence: { stderr } }] }],
    });
    expect(told).toContain('the reason\n');
    expect(told).toMatch(/\d+ characters left out; the whole is in \S+stderr/);
  });

  it('names the turn in which a conversation went wrong, and says that no tool was called', () => {
    const talked = (calls: ReturnType<typeof iteration>['toolCalls']) =>
      pageOf({
        tests: [
          {
            kind: 'conversation',
            attempts: [
              {
                outcome: 'failed',
                checks: [{ passed: false }],
                evidence: {
                  conversation: RECORD,
                  iterations: [iteration({ toolCalls: calls })],
                },
              },
            ],
          },
        ],
      });
    const silent = 'No tool call was recorded. (A CLI that prints plain text shows none.)';
    const told = talked([]);
    expect(told).toContain('\nTurn 1 (stage exploring):\n\n```\n=== what the agent was sent ===');
    expect(told).toContain(silent);
    const called = { id: null, name: 'Bash', input: 'ls', result: 'done', isError: false };
    expect(talked([called])).not.toContain(silent);
  });

  it('stays within 16,000 characters and keeps command, verdict and hypothesis, whatever it has to tell', () => {
    const long = '<&|`'.repeat(20_000);
    const flood = pageOf({
      tests: [
        {
          description: long,
          knownIssue: { upTo: long, reason: long, link: long, breaks: [], shows: {} },
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
    expect(flood).toContain('## Diagnosis');
    expect(flood).not.toMatch(/## Diagnosis\n\nToo long/);
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
          knownIssue: { upTo: '2', reason: 'r', link: 'l', breaks: [], shows: {} },
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
