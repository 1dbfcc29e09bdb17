import { describe, expect, it } from 'vitest';
import { writeSection } from '../../../src/report/content/markdown.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import {
  loopholeBlocks,
  rationalizationBlocks,
  recommendationBlocks,
  skipBlocks,
} from '../../../src/report/sections/advice.js';
import { HOSTILE_TEXTS } from '../support/hostile-corpus.js';
import { journal } from '../support/journal.js';
import { readOutline } from '../support/markdown-outline.js';
import { renderHtml } from '../support/rendered.js';

function excuse(quote: string, scenario_id = 'hat-single') {
  return {
    scenario_id,
    backend: 'claude',
    pattern: 'says-later',
    iteration: 2,
    quote,
    reality: 'It never came.',
    action: 'Ask for it now.',
  };
}

function loophole(text: string) {
  return {
    name: `Loophole ${text}`,
    pattern: text,
    evidence: Array.from({ length: 6 }, (_, index) => ({ scenario_id: `scenario-${index}`, text })),
    suggested_counter: [text, 'Say it plainly'],
    new_test: 'required-step-not-put-off',
  };
}

const rationalized = (quotes: readonly string[]) =>
  writeSection('Claims', rationalizationBlocks({ rationalizations: quotes.map((quote) => excuse(quote)) }));
const withLoopholes = (texts: readonly string[]) =>
  writeSection('Loopholes', loopholeBlocks({ loopholes: texts.map(loophole) }, 6_000));

describe('long lists of tests', () => {
  const skips = (tests: number) => {
    const stories = Array.from({ length: 9 }, (_, index) => ({ scenarioId: `out-${index}`, skipped: 'no' }));
    const { results } = buildReport(journal({ tests: stories }));
    return writeSection('Skipped', skipBlocks(results, { rows: 3, tests }));
  };
  const advice = (tests: number) => {
    const affected_tests = Array.from({ length: 9 }, (_, index) => `bad-${index} [claude]`);
    const item = { severity: 'Info', category: 'c', title: 't', description: 'd', suggested_fix: null };
    const report = {
      ...buildReport(journal({ tests: [] })),
      recommendations: [{ ...item, severity: 'Info' as const, affected_tests }],
    };
    return writeSection('Advice', recommendationBlocks(report, { limit: 6_000, tests }));
  };

  it('name as many as the page asks for', () => {
    expect(skips(4)).toMatch(/`out-0`, `out-1`, `out-7`, `out-8`, 5 more/);
    expect(skips(9)).toMatch(/`out-0`, .*`out-4`, .*`out-8` \|/);
    expect(advice(3)).toMatch(/Affects `bad-0 \[claude\]`, .*, 6 more/);
    expect(advice(9)).toMatch(/Affects `bad-0 \[claude\]`, .*`bad-4 \[claude\]`, .*`bad-8 \[claude\]`$/m);
  });

  it('are longer in report.html, which has more room', () => {
    const tests = Array.from({ length: 12 }, (_, index) => ({ scenarioId: `out-${index}`, skipped: 'no' }));
    const page = renderHtml(buildReport(journal({ tests })));
    const [skipped = ''] = /<section id="skipped"[\s\S]*?<\/section>/.exec(page) ?? [];
    expect(skipped).toContain('<code>out-6</code>');
    expect(skipped).not.toContain('more');
  });
});

describe('rationalizations', () => {
  it('are nothing where there are none', () => {
    expect(rationalized([])).toBe('');
    expect(withLoopholes([])).toBe('');
  });

  it('are counted where they are too many', () => {
    const text = rationalized(Array.from({ length: 45 }, () => 'later'));
    expect(text.split('\n').filter((line) => line.startsWith('| `hat-single`'))).toHaveLength(40);
    expect(text).toContain('5 more in report.json.');
  });
});

describe('loopholes', () => {
  it('are cut as a whole, with how many are left', () => {
    const text = withLoopholes(Array.from({ length: 20 }, () => 'x'.repeat(400)));
    expect(text.length).toBeLessThan(6_300);
    const told = text.split('- **Loophole ').length - 1;
    expect(told).toBeGreaterThan(0);
    expect(text).toContain(`${20 - told} more in report.json`);
  });
});

describe.each(Object.entries(HOSTILE_TEXTS))('%s', (_, hostile) => {
  it('stays in its place', () => {
    const { problems, headings } = readOutline(`${rationalized([hostile])}\n\n${withLoopholes([hostile])}`);
    expect(problems).toEqual([]);
    expect(headings).toEqual(['## Claims', '## Loopholes']);
  });
});
