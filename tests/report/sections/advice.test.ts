import { describe, expect, it } from 'vitest';
import { writeSection } from '../../../src/report/content/markdown.js';
import { loopholeBlocks, rationalizationBlocks } from '../../../src/report/sections/advice.js';
import { HOSTILE_TEXTS } from '../support/hostile-corpus.js';
import { readOutline } from '../support/markdown-outline.js';

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
