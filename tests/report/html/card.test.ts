import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../src/domain/check.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import { analysis } from '../../../src/harness/analysis.js';
import { renderTestPage } from '../../../src/report/markdown/tests.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { RECORD } from '../../kinds/conversation/support/record.js';
import { readHtml } from '../support/html-outline.js';
import { iteration, journal } from '../support/journal.js';
import { renderHtml } from '../support/rendered.js';

const HATS = ['planner', 'builder', 'planner'];

/** The page of one failed test. */
function pageOf(checks: Partial<CheckResult>[], evidence: Partial<Evidence> = {}): string {
  const iterations = HATS.map((hat, index) =>
    iteration({ number: index + 1, hat, prompt: `You are the ${hat}.`, durationSeconds: index + 1 }),
  );
  const attempts = [
    {
      outcome: 'failed' as const,
      checks: checks.map((check) => ({ passed: false, ...check })),
      evidence: { iterations, ...evidence },
    },
  ];
  return renderHtml(buildReport(journal({ tests: [{ attempts }] }), analysis));
}

/** The moments of the timeline, and which of them went wrong. */
function momentsOf(page: string): string[] {
  const [timeline = ''] = /<ol class="timeline">[\s\S]*?<\/ol>/.exec(page) ?? [];
  return [...timeline.matchAll(/<p class="moment">([\s\S]*?)<\/p>/g)].map(([, moment = '']) =>
    readHtml(moment).text.replace(/\s+/g, ' '),
  );
}

it.each([
  ['live', true],
  ['scripted', false],
  ['sim', false],
] as const)('usage of a model is on the page in the %s lane: %s', (lane, isShown) => {
  const usage = { model: 'm-5', turns: 1, inputTokens: 600, outputTokens: 7, costUsd: 0.5 };
  const report = buildReport(journal({ run: { lane }, tests: [{ attempts: [{ evidence: { usage } }] }] }));
  expect(readHtml(renderHtml(report)).text.includes('600 tokens in')).toBe(isShown);
  const [result] = report.results;
  expect(result && renderTestPage(report, result).includes('600 tokens in')).toBe(isShown);
});

describe('where the run went wrong', () => {
  it.each<[string, Partial<CheckResult>, number]>([
    ['names the iteration', { category: 'PromptContent', about: { iteration: 2 } }, 2],
    ['names the hats', { category: 'EventEmitted', about: { hats: ['planner', 'builder', 'reviewer'] } }, 3],
    ['names a hat', { category: 'PromptContent', about: { hat: 'builder', text: 'secret' } }, 2],
  ])('is marked in the iteration if the first failed check %s', (_, check, number) => {
    const page = pageOf([check]);
    const marked = momentsOf(page).filter((moment) => moment.includes('went wrong here'));
    expect(marked).toEqual([expect.stringMatching(new RegExp(`^Iteration ${number} `))]);
  });

  it('is marked at the end if the check is about the end or about an iteration that never came', () => {
    for (const about of [{ reason: 'completed' }, { iteration: 7 }]) {
      const marked = momentsOf(pageOf([{ category: 'TerminationReason', about }])).filter((moment) =>
        moment.includes('went wrong here'),
      );
      expect(marked).toEqual([expect.stringMatching(/^Ended with completed/)]);
    }
  });

  it('is marked nowhere if no iteration took place, and not in a test that passed', () => {
    const check = { category: 'FileContains', about: { path: 'a.txt' } } as const;
    expect(pageOf([check], { iterations: [] })).not.toContain('went wrong here');
    expect(pageOf([{ passed: true, about: { iteration: 2 } }])).not.toContain('went wrong here');
  });

  it('shows what Ralph decided there: pending events with their hats, the prompt, and what came next', () => {
    const configYaml = 'hats:\n  builder:\n    name: Builder\n    triggers: [build.task]\n';
    const iterations = [
      iteration({ number: 1, hat: 'ralph' }),
      iteration({
        number: 2,
        hat: 'ralph',
        prompt: '## PENDING EVENTS\nEvent: build.task - 1019\n\n## OBJECTIVE\nBuild it.\n',
      }),
    ];
    const page = pageOf([{ category: 'PromptContent', about: { iteration: 2 } }], { configYaml, iterations });
    const [traced = ''] = /<div class="traced">[\s\S]*?<\/div>/.exec(page) ?? [];
    const words = readHtml(traced).text.replace(/\s+/g, ' ');
    expect(words).toContain('Ralph decided this between iterations 1 and 2.');
    expect(words).toContain('pending: build.task "1019"; hats with a matching trigger: builder');
    expect(words).toContain('hat ralph (by the configuration, the pending events activate builder)');
    expect(words).toMatch(
      /prompt of \d+ characters, sections: ## PENDING EVENTS \(\d+\), ## OBJECTIVE \(\d+\)/,
    );
    expect(words).toContain('After that: the loop ended with completed.');
  });

  it('stays in a timeline from which iterations are left out', () => {
    const text = 'lorem ipsum '.repeat(300);
    const iterations = Array.from({ length: 40 }, (_, index) =>
      iteration({ number: index + 1, hat: 'a', prompt: `${index} ${text}`, said: `${index} ${text}` }),
    );
    const attempts = [
      {
        outcome: 'failed' as const,
        checks: [{ passed: false, category: 'PromptContent' as const, about: { iteration: 17 } }],
        evidence: { iterations },
      },
    ];
    const tests = Array.from({ length: 12 }, (_, index) => ({ scenarioId: `bad-${index}`, attempts }));
    const page = renderHtml(buildReport(journal({ tests }), analysis));
    const moments = momentsOf(page);
    expect(moments.length).toBeLessThan(30);
    expect(moments.filter((moment) => moment.includes('went wrong here'))).toEqual([
      expect.stringMatching(/^Iteration 17 /),
    ]);
    expect(page).toMatch(/\d+ iterations left out here/);
  });
});

describe('a failed test', () => {
  const page = pageOf([
    { name: 'it ends', category: 'ExitCode' },
    { name: 'late', category: 'PromptContent', about: { iteration: 3 } },
    { name: 'early', category: 'PromptContent', about: { iteration: 1 } },
    { name: 'it holds', passed: true },
  ]);

  it('has its diagnosis before its checks, and its checks in the order of the run', () => {
    expect(page).toMatch(/Diagnosis<\/h4>[\s\S]*<h4>Checks/);
    const names = [
      ...page.matchAll(/<li class="broken"><span class="mark">failed<\/span> <bdi>(.*?)<\/bdi>/g),
    ];
    expect(names.map(([, name]) => name)).toEqual(['early', 'late', 'it ends']);
    expect(page).toMatch(/<summary>1 check passed<\/summary>/);
  });

  it('leads to its output right there', () => {
    expect(page).toMatch(/<dt>Output<\/dt><dd><a href="runs\/[^"]*stdout\.log">/);
  });
});

it('similar failures are links', () => {
  const attempts = [{ outcome: 'failed' as const, checks: [{ passed: false }] }];
  const tests = ['one', 'two'].map((scenarioId) => ({ scenarioId, attempts }));
  const page = renderHtml(buildReport(journal({ tests }), analysis));
  expect(page).toMatch(/Similar Failures<\/h5>\s*<ul[^>]*><li><a href="#test-two-claude">/);
  expect(page).toMatch(/<a href="#cause-1">Cause 1: 2 tests<\/a>/);
});

describe('a conversation', () => {
  const page = pageOf([{ category: 'OutputContains', about: { turn: 2 } }], {
    conversation: RECORD,
    configYaml: '',
    promptText: 'hi',
    termination: null,
  });
  const words = readHtml(page.slice(page.indexOf('<ul class="tests"'))).text.replace(/\s+/g, ' ');

  it('is counted in turns', () => {
    expect(words).toMatch(/Conversation\d of 2 turns/);
    expect(words).toContain('Turn 2');
    expect(momentsOf(page).find((moment) => moment.includes('went wrong here'))).toMatch(/^Turn 2/);
    expect(words).not.toMatch(/\biterations?\b/i);
    expect(words).not.toContain('no termination recorded');
  });

  it('has what it was about, and neither a configuration nor a prompt of Ralph', () => {
    expect(page).not.toMatch(/ralph\.yml\)|Prompt given to Ralph/);
    expect(words).toMatch(/Conversation 2 turns ?Planned2 turns/);
    expect(words).toMatch(/TurnThe user saidEnded ?1\/explorecompleted/);
  });
});
