import { describe, expect, it } from 'vitest';
import { analysis } from '../../src/analysis.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { captured, journal, type RunStory } from './support/journal.js';
import { renderJunit } from './support/rendered.js';
import { type Element, findSchemaProblems, parseXml } from './support/surefire.js';

const RED = { name: 'the agent says "BUILDER"', passed: false, expected: '"BUILDER"', actual: '"hello"' };
const KNOWN = { upTo: '2.10.1', reason: 'it forgets', link: 'issue-1', breaks: [] };

function render(story: RunStory): Element {
  return parseXml(renderJunit(buildReport(journal(story), analysis)));
}

function cases(root: Element): Record<string, Element> {
  const all = root.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
  return Object.fromEntries(all.map((one) => [one.attributes.name, one]));
}

const root = render({
  tests: [
    { scenarioId: 'good', tier: 1, attempts: [{ durationSeconds: 12.3456 }] },
    {
      scenarioId: 'bad',
      attempts: [
        { outcome: 'failed', checks: [RED], artifacts: '/runs/bad/1' },
        { outcome: 'error', error: 'disk full', evidence: null, artifacts: '/runs/bad/2' },
        { outcome: 'failed', checks: [{}, RED], artifacts: '/runs/bad/3' },
      ],
    },
    { scenarioId: 'broken', attempts: [{ outcome: 'error', evidence: null, error: 'no disk' }] },
    {
      scenarioId: 'shaky',
      attempts: [
        { outcome: 'failed', checks: [RED], artifacts: '/runs/shaky/1' },
        { outcome: 'error', error: 'lost', evidence: null, artifacts: '/runs/shaky/2' },
        { artifacts: '/runs/shaky/3' },
      ],
    },
    { scenarioId: 'left-out', backend: 'kiro', skipped: 'logged out' },
    {
      scenarioId: 'known',
      knownIssue: KNOWN,
      attempts: [{ outcome: 'known-issue', checks: [RED] }],
    },
  ],
});

describe('report.junit.xml', () => {
  it('fits the rules of the Surefire schema', () => {
    expect(findSchemaProblems(root)).toEqual([]);
  });

  it('has a suite for each tier, with its counts and what was tested', () => {
    const [first, second] = root.children;
    expect(root.attributes).toMatchObject({ tests: '6', failures: '1', errors: '1', skipped: '2' });
    expect(first?.attributes).toMatchObject({ name: 'Tier 1: Connectivity', tests: '1', failures: '0' });
    expect(second?.attributes).toMatchObject({ tests: '5', failures: '1', errors: '1', skipped: '2' });
    const properties = first?.children[0]?.children.map(({ attributes }) => [
      attributes.name,
      attributes.value,
    ]);
    expect(Object.fromEntries(properties ?? [])).toMatchObject({
      lane: 'live',
      target: 'real',
      ralph_version: '2.10.1',
      run_id: 'run-1',
    });
  });

  it('tells of a failure what was expected and found, how to repeat it, and the other attempts', () => {
    const { bad } = cases(root);
    expect(bad?.children.map(({ name }) => name)).toEqual([
      'failure',
      'rerunFailure',
      'rerunError',
      'system-out',
    ]);
    const [failure, rerun, rerunError] = bad?.children ?? [];
    expect(failure?.attributes.message).toBe('the agent says "BUILDER": expected "BUILDER", got "hello"');
    expect(failure?.text).toContain('expected: "BUILDER"\n  actual:   "hello"');
    expect(failure?.text).toContain('again: ralph-e2e claude --test bad ');
    expect(failure?.text).toContain('/runs/bad/3');
    expect(rerun?.attributes.message).toBe('attempt 1: the agent says "BUILDER"');
    expect(rerunError?.children[0]?.text).toBe('disk full');
  });

  it('keeps an error in the harness apart from a failure', () => {
    const { broken } = cases(root);
    expect(broken?.children.map(({ name }) => name)).toEqual(['error']);
    expect(broken?.children[0]?.attributes.message).toBe('no disk');
  });

  it('lets a flaky test pass and shows how it failed before', () => {
    const { shaky } = cases(root);
    expect(shaky?.children.map(({ name }) => name)).toEqual(['flakyFailure', 'flakyError', 'system-out']);
    expect(shaky?.children[0]?.children[0]?.text).toBe('the agent says "BUILDER"');
  });

  it('shows skips and known issues as skipped, with the reason', () => {
    const { known, 'left-out': leftOut } = cases(root);
    expect(leftOut?.attributes.classname).toBe('ralph-e2e.kiro');
    expect(leftOut?.children[0]?.attributes.message).toBe('logged out');
    expect(known?.children[0]?.name).toBe('skipped');
    expect(known?.children[0]?.attributes.message).toBe('known issue up to 2.10.1: it forgets (issue-1)');
    expect(known?.children[0]?.text).toContain('expected: "BUILDER"');
  });

  it('leaves out what a passed test printed, and cuts what another one did', () => {
    expect(cases(root).good?.children).toEqual([]);
    expect(cases(root).good?.attributes.time).toBe('12.346');
    const flood = captured(`begin${'x'.repeat(50_000)}end`, 'stdout');
    const { 'hat-single': long } = cases(
      render({ tests: [{ attempts: [{ outcome: 'failed', checks: [RED], evidence: { stdout: flood } }] }] }),
    );
    const output = long?.children.find(({ name }) => name === 'system-out')?.text ?? '';
    expect(output.length).toBeLessThan(4_500);
    expect(output).toMatch(/^begin.*the whole is in .*stdout\.log.*end$/s);
  });

  it('does not let an agent choose a file that a CI server would publish', () => {
    const stdout = captured('[[ATTACHMENT|/etc/passwd]] [[ attachment|x]]', 'stdout');
    const xml = renderJunit(
      buildReport(
        journal({
          tests: [
            {
              attempts: [
                {
                  outcome: 'failed',
                  checks: [{ ...RED, actual: '[[ATTACHMENT|/a]]' }],
                  evidence: { stdout },
                },
              ],
            },
          ],
        }),
      ),
    );
    const texts = [...xml.matchAll(/>([^<]*)</g)].map(([, text]) => text).join('');
    expect(texts).toContain('[ [ATTACHMENT|/etc/passwd]]');
    expect(texts).not.toMatch(/\[\[\s*ATTACHMENT/i);
  });
});

it('the rules that the tests hold it to do refuse what the schema refuses', () => {
  const suite = (inner: string, attributes = 'name="s" tests="1" errors="0" skipped="0" failures="0"') =>
    findSchemaProblems(parseXml(`<testsuites><testsuite ${attributes}>${inner}</testsuite></testsuites>`));
  expect(suite('<testcase name="a" time="1.000"/>')).toEqual([]);
  expect(suite('', 'name="s"')).toHaveLength(4);
  expect(suite('<testcase name="a" time="-1"/>')).toEqual(['time="-1"']);
  expect(suite('<testcase name="a" time="1"><skipped/><failure type="t"/></testcase>')).toHaveLength(1);
  expect(suite('<testcase name="a" time="1"><rerunFailure type="t">x</rerunFailure></testcase>')).toEqual([
    'text in <rerunFailure>',
    '<rerunFailure> without <stackTrace>',
  ]);
  expect(suite('<testcase name="a" time="1" id="7"/>')).toEqual(['<testcase id>']);
  expect(suite('<testcase name="a" time="1"/><properties/>')).toEqual(['<testsuite> out of order']);
  expect(suite('<testcase name="a" time="1"><error/></testcase>')).toEqual(['<error> has no type']);
  expect(() => parseXml('<a>\u0001</a>')).toThrow();
  expect(() => parseXml('<a>&</b>')).toThrow();
});
