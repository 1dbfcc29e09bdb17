import { describe, expect, it } from 'vitest';
import type { FailureCause } from '../../../src/domain/report/failure-cause.js';
import type { Report } from '../../../src/domain/report/report.js';
import { analysis } from '../../../src/harness/analysis.js';
import { renderAgentPrompt } from '../../../src/report/agent.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { readHtml } from '../support/html-outline.js';
import { journal } from '../support/journal.js';
import { renderHtml } from '../support/rendered.js';

const late = { name: 'the loop completes', passed: false, category: 'TerminationReason' as const };
const early = {
  name: 'the prompt of iteration 1 contains the rule',
  passed: false,
  category: 'PromptContent' as const,
  about: { iteration: 1 },
  expected: 'the rule in it',
  actual: 'no rule in it',
};

/** A run in which so many tests fail, with these causes. */
function reportOf(tests: number, causes: readonly Partial<FailureCause>[]): Report {
  const failed = { outcome: 'failed' as const, checks: [late, early] };
  const stories = Array.from({ length: tests }, (_, index) => ({
    scenarioId: `bad-${index + 1}`,
    attempts: [failed],
  }));
  const report = buildReport(journal({ tests: stories }), analysis);
  return {
    ...report,
    causes: causes.map((cause) => ({
      hypothesis: 'The prompts lack the rule.',
      blames: 'target',
      rule: 'prompt-lacks-rule',
      areas: ['prompt'],
      promises: [],
      tests: report.results.map(({ scenario_id }) => `${scenario_id} [claude]`),
      contrast: [],
      ...cause,
    })),
  };
}

describe('one cause of 28 failures', () => {
  const promises = [{ area: 'prompt', promise: 'Rules are sent.', source: 'ralph-core/src/rules.rs: send' }];
  const contrast = ['sets hats.*: 28 failed, 0 passed; otherwise: 0 failed, 40 passed'];
  const report = reportOf(28, [{ promises, contrast }]);
  const page = renderHtml(report);
  const [entry = ''] = /<section id="causes"[\s\S]*?<\/section>/.exec(page) ?? [];
  const { text, elements, problems } = readHtml(entry);
  const words = text.replace(/\s+/g, ' ');

  it('is one entry right after the summary', () => {
    expect(problems).toEqual([]);
    expect(words).toMatch(/^ ?1 cause, 28 tests 28 tests 1\. The prompts lack the rule\./);
    expect(page).toMatch(
      /id="summary"[\s\S]*<section id="causes"[\s\S]*<section id="commands"[\s\S]*<section id="tests"/,
    );
    expect(page).toContain('<a href="#causes">Causes</a>');
  });

  it('says what its command is for', () => {
    expect(entry).toMatch(/<h4>Run it again<\/h4>\s*<div class="command"><code>ralph-e2e /);
  });

  it('leads to each of its tests', () => {
    const links = elements.flatMap(({ attributes }) => attributes.get('href') ?? []);
    expect(links).toEqual(
      expect.arrayContaining(report.results.map(({ scenario_id }) => `#test-${scenario_id}-claude`)),
    );
  });

  it('has the prompt for an agent, readable without a script', () => {
    const [cause] = report.causes;
    if (cause === undefined) throw new Error('the report has no cause');
    expect(text).toContain(renderAgentPrompt(report, cause).trim());
    const button = elements.find(({ attributes }) => attributes.get('data-copy') === 'prompt-1');
    expect(button?.attributes.has('hidden')).toBe(true);
  });

  it('is told once: neither the summary nor the advice lists its tests', () => {
    const [summary = ''] = /<section id="summary"[\s\S]*?<\/section>/.exec(page) ?? [];
    const [advice = ''] = /<section id="advice"[\s\S]*?<\/section>/.exec(page) ?? [];
    expect(summary).not.toContain('bad-3');
    expect(advice).not.toContain('<a href="#test-bad-3');
  });
});

it('does not repeat a promise that the hypothesis quotes', () => {
  const promises = [{ area: 'hats', promise: 'A hat can import a file.', source: 'a.rs' }];
  const hypothesis = 'Ralph broke a promise: A hat can import a file.';
  const page = renderHtml(reportOf(1, [{ hypothesis, promises }]));
  expect(page).not.toContain('<strong>Ralph promises:');
});

it('opens the largest of many causes, and leaves out prompts and causes that do not fit', () => {
  const long = 'word '.repeat(119);
  const causes = Array.from({ length: 400 }, (_, index) => ({ hypothesis: `${index} ${long}`, rule: long }));
  const page = renderHtml(reportOf(3, causes));
  const { elements } = readHtml(page);
  const entries = elements.filter(({ attributes }) => attributes.get('class') === 'cause failed');
  expect(entries.filter(({ attributes }) => attributes.has('open'))).toHaveLength(1);
  const buttons = elements.filter(({ attributes }) => attributes.has('data-copy'));
  expect(buttons.length).toBeGreaterThan(10);
  expect(buttons.length).toBeLessThan(entries.length);
  expect(page).toMatch(/\d+ more causes in report\.json/);
  const [section = ''] = /<section id="causes"[\s\S]*?<\/section>/.exec(page) ?? [];
  expect(section.length).toBeLessThan(330_000);
});

it('is not there if nothing failed', () => {
  expect(renderHtml(reportOf(0, []))).not.toContain('id="causes"');
});

it('the only command beside those of the causes is the one for everything', () => {
  const page = renderHtml(reportOf(28, [{}]));
  const [section = ''] = /<section id="commands"[\s\S]*?<\/section>/.exec(page) ?? [];
  const commands = [...section.matchAll(/<code>(ralph-e2e [^<]*)<\/code>/g)].map(([, command]) => command);
  expect(commands).toEqual([expect.stringContaining(' --last-failed ')]);
});

it('a known issue on several backends is one entry', () => {
  const knownIssue = {
    upTo: '2.10.1',
    reason: 'it forgets',
    link: 'issue-1',
    breaks: ['x'],
    shows: { x: '/./' },
  };
  const attempts = [{ outcome: 'known-issue' as const, checks: [late] }];
  const tests = (['claude', 'kiro'] as const).map((backend) => ({ backend, knownIssue, attempts }));
  const page = renderHtml(buildReport(journal({ tests }), analysis));
  const [known = ''] = /<section id="known-issues"[\s\S]*?<\/section>/.exec(page) ?? [];
  expect(readHtml(page).text).toContain('2 Known issues broken as it is known to be');
  expect(known.split('it forgets')).toHaveLength(2);
  expect(known).toContain('<a href="#test-hat-single-claude">Claude</a>');
  expect(known).toContain('<a href="#test-hat-single-kiro">Kiro</a>');
});
