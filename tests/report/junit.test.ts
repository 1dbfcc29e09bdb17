import { describe, expect, it } from 'vitest';
import { analysis } from '../../src/harness/analysis.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { mixedRun } from './support/golden-run.js';
import { captured, journal, type RunStory } from './support/journal.js';
import { renderJunit } from './support/rendered.js';
import { type Element, findSchemaProblems, parseXml } from './support/surefire.js';

const RED = { name: 'the agent says "BUILDER"', passed: false, expected: '"BUILDER"', actual: '"hello"' };

function render(story: RunStory): Element {
  return parseXml(renderJunit(buildReport(journal(story), analysis)));
}

function cases(root: Element): Record<string, Element> {
  const all = root.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
  return Object.fromEntries(all.map((one) => [one.attributes.name, one]));
}

const root = parseXml(renderJunit(buildReport(mixedRun(), analysis)));

describe('report.junit.xml', () => {
  it('fits the rules of the Surefire schema', () => {
    expect(findSchemaProblems(root)).toEqual([]);
  });

  it('cuts what a failed test printed', () => {
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
