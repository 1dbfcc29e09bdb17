import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/harness/analysis.js';
import { SCRIPT } from '../../../src/report/html/script.js';
import { DETAILS } from '../../../src/report/html/tests.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { breakCommands } from '../../../src/report/text/safe-text.js';
import { anyJournal } from '../support/arbitrary-journal.js';
import { readHtml } from '../support/html-outline.js';
import { captured, iteration, journal } from '../support/journal.js';
import { renderHtml } from '../support/rendered.js';
import { passedReport, sampleReport, withPast } from '../support/sample-report.js';

describe('a report with a test of every outcome', () => {
  const page = renderHtml(withPast(sampleReport()));
  const { text, elements, problems } = readHtml(page);
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);

  it('is well-formed', () => {
    expect(problems).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has every part, and the navigation leads to each', () => {
    const sections = elements
      .filter(({ tag }) => tag === 'section')
      .map(({ attributes }) => attributes.get('id'));
    expect(sections).toEqual([
      'summary',
      'causes',
      'advice',
      'commands',
      'tests',
      'known-issues',
      'skipped',
      'proof',
      'history',
      'environment',
      'files',
    ]);
    const targets = elements.flatMap(({ tag, attributes }) =>
      tag === 'a' ? (attributes.get('href') ?? '') : [],
    );
    for (const target of targets.filter((href) => href.startsWith('#')))
      expect(ids).toContain(target.slice(1));
    expect(targets).toEqual(expect.arrayContaining(sections.map((id) => `#${id}`)));
  });

  it('puts the tests that need attention first and opens what failed', () => {
    const cards = elements.filter(({ attributes }) => attributes.get('class')?.startsWith('test '));
    expect(cards.map(({ attributes }) => [attributes.get('id'), attributes.has('open')])).toEqual([
      ['test-hat-handover-claude', true],
      ['test-broken-machine-claude', true],
      ['test-second-try-opencode', false],
      ['test-orphaned-backend-claude', false],
      ['test-simple-pass-claude', false],
      ['test-slow-pass-claude', false],
      ['test-kiro-connect-kiro', false],
      ['test-kiro-loop-kiro', false],
    ]);
  });

  it('tells a prompt after the first as what changed in it', () => {
    expect(text).toContain(
      '[… 40 lines as in iteration 1 …]\nYou are the builder.\n[… 21 lines as in iteration 1 …]',
    );
    expect(text.split('A line of every prompt.\n').length - 1).toBe(40);
  });

  it('keeps both ends of a long output and leads to the whole', () => {
    expect(text).toMatch(/line 0: lorem[\s\S]*characters left out[\s\S]*line 899: lorem/);
    expect(page).toContain('href="runs/run-1/hat-single-claude/1/stdout.log"');
  });

  it('leads to the whole of a text that is cut by a few characters only', () => {
    const limit = DETAILS[0]?.text ?? 0;
    const shown = (characters: number) => {
      const stdout = captured('x'.repeat(characters), 'stdout');
      const tests = [{ attempts: [{ outcome: 'failed' as const, checks: [{}], evidence: { stdout } }] }];
      return readHtml(renderHtml(buildReport(journal({ tests })))).text;
    };
    expect(shown(limit)).not.toMatch(/characters left out|The whole is in/);
    expect(shown(limit + 100)).toMatch(/100 characters left out[\s\S]*The whole is in .*stdout\.log/);
  });
});

it('advice leads to the test that it names, where it names one', () => {
  const failed = { outcome: 'failed' as const, checks: [{ name: 'x', passed: false }] };
  const tests = [
    { scenarioId: 'twice', attempts: [failed] },
    { scenarioId: 'twice', backend: 'kiro' as const, attempts: [failed] },
  ];
  const report = buildReport(journal({ tests }), analysis);
  const page = renderHtml(report);
  expect(page).toContain('<a href="#test-twice-claude"><code>twice [claude]</code></a>');
  expect(page).toContain('<a href="#test-twice-kiro"><code>twice [kiro]</code></a>');
  const recommendations = report.recommendations.map((item) => ({ ...item, affected_tests: ['twice'] }));
  expect(renderHtml({ ...report, recommendations })).toContain('Affects <code>twice</code>');
  const skipped = sampleReport({ tests: [{ scenarioId: 'once', skipped: 'logged out' }] });
  expect(renderHtml(skipped)).toContain('Affects <a href="#test-once-claude"><code>once</code></a>');
});

describe('what is not known is left out', () => {
  it('has no section without content', () => {
    const page = renderHtml(passedReport());
    for (const id of ['known-issues', 'skipped', 'proof']) {
      expect(page).not.toContain(`id="${id}"`);
      expect(page).not.toContain(`href="#${id}"`);
    }
  });
});

describe('hostile content', () => {
  const OWN_TAGS =
    /^(?:html|head|meta|title|style|script|body|a|div|header|nav|main|footer|section|h[1-5]|p|ul|ol|li|dl|dt|dd|span|b|strong|small|bdi|code|pre|kbd|br|ins|del|time|details|summary|table|caption|thead|tbody|tr|th|td|svg|rect|text|form|fieldset|legend|label|input|select|option|output|button)$/;
  const UNSEEN =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]|[\u{e0000}-\u{e007f}]|\p{Cs}/u;

  it('stays text, whatever a journal holds', () => {
    fc.assert(
      fc.property(anyJournal, (events) => {
        const page = renderHtml(buildReport(events, analysis));
        const { problems, elements } = readHtml(page);
        expect(problems).toEqual([]);
        expect(UNSEEN.exec(page)).toBeNull();
        expect(elements.filter(({ tag }) => !OWN_TAGS.test(tag))).toEqual([]);
        expect(elements.filter(({ tag }) => tag === 'script' || tag === 'style')).toHaveLength(2);
        for (const { attributes } of elements) {
          expect(
            [...attributes.keys()].filter((name) => /^(?:on|style|src|srcset|action)/.test(name)),
          ).toEqual([]);
          expect(attributes.get('href') ?? '#').toMatch(/^(?:#[\w.-]+$|#$|runs\/[\w@+-])/);
        }
        const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 20 },
    );
  });

  it('does not leave its attribute', () => {
    const path = `" onclick="x' onclick='x <b>`;
    const preview = 'long\n'.repeat(50);
    const page = renderHtml(
      sampleReport({
        run: { at: path },
        tests: [{ attempts: [{ evidence: { files: [{ path, change: 'added', sizeBytes: 1, preview }] } }] }],
      }),
    );
    const { elements, problems } = readHtml(page);
    const valuesOf = (name: string) => elements.flatMap(({ attributes }) => attributes.get(name) ?? []);
    expect(problems).toEqual([]);
    expect(valuesOf('datetime')).toEqual([path]);
    expect(valuesOf('aria-label')).toContain(`Content of ${path}`);
    expect(valuesOf('onclick')).toEqual([]);
  });

  it.each([
    '/repo/.e2e-tests/runs/../../../etc/passwd',
    '/repo/.e2e-tests/runs/run-1/javascript:alert(1)',
    '/repo/.e2e-tests/runs//evil.example',
    '/elsewhere/runs/run-1/x/1',
    'https://evil.example/runs/x',
  ])('does not lead to %s', (artifacts) => {
    const file = { ...captured('all is well', 'stdout'), path: artifacts };
    const evidence = { stdout: file, stderr: file };
    const page = renderHtml(sampleReport({ tests: [{ attempts: [{ artifacts, checks: [{}], evidence }] }] }));
    const links = readHtml(page).elements.flatMap(({ attributes }) => attributes.get('href') ?? []);
    expect(links.filter((href) => !href.startsWith('#'))).toEqual([]);
  });
});

describe('size', () => {
  const LIMIT = 1_000_000;
  const noise = (length: number) => '<&"\u00e9'.repeat(length / 4);
  const heavy = (outcome: 'passed' | 'failed', text: string) => ({
    outcome,
    checks: Array.from({ length: 10 }, (_, index) => ({
      name: `${index} ${text.slice(0, 300)}`,
      passed: outcome === 'passed',
      expected: text.slice(0, 5_000),
      actual: text.slice(0, 5_000),
      diff: text.slice(0, 5_000),
    })),
    evidence: {
      stdout: captured(text, 'stdout'),
      configYaml: text.slice(0, 5_000),
      promptText: text.slice(0, 9_000),
      iterations: Array.from({ length: 4 }, (_, number) =>
        iteration({
          number,
          prompt: `${number}${text.slice(0, 9_000)}`,
          said: `${number}${text.slice(0, 9_000)}`,
        }),
      ),
    },
  });

  it.each([
    ['plain', 'lorem ipsum '.repeat(4_000)],
    ['hostile', noise(40_000)],
  ])(
    '100 tests with long %s texts, 20 of them failed, take at most 1.5 MB, and much of it is used',
    (_, text) => {
      const tests = Array.from({ length: 100 }, (_, index) => ({
        scenarioId: `test-${index}`,
        attempts: [heavy(index < 20 ? 'failed' : 'passed', text)],
      }));
      const size = Buffer.byteLength(renderHtml(buildReport(journal({ tests }), analysis)));
      expect(size).toBeLessThanOrEqual(LIMIT + 20 * 25_000);
      expect(size).toBeGreaterThan(LIMIT / 2);
    },
  );

  it('300 tests that failed take less than 5 MB', () => {
    const text = noise(2_000);
    const tests = Array.from({ length: 300 }, (_, index) => ({
      scenarioId: `test-${index}`,
      attempts: [heavy('failed', text)],
    }));
    const page = renderHtml(buildReport(journal({ tests }), analysis));
    expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
  });

  it('one endless output does not cost the others theirs', () => {
    const tests = Array.from({ length: 100 }, (_, index) => ({
      scenarioId: `test-${index}`,
      attempts: [
        index === 0
          ? heavy('passed', noise(400_000))
          : { checks: [{}], evidence: { promptText: `prompt of ${index}` } },
      ],
    }));
    const page = renderHtml(buildReport(journal({ tests }), analysis));
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(LIMIT);
    for (let index = 1; index < 100; index += 1) expect(page).toContain(`prompt of ${index}<`);
  });

  it('a small run is told in full', () => {
    const said = Array.from({ length: 300 }, (_, line) => `said ${line}`).join('\n');
    const page = renderHtml(
      sampleReport({
        tests: [{ attempts: [{ checks: [{}], evidence: { iterations: [iteration({ said })] } }] }],
      }),
    );
    expect(page).toContain(said);
  });
});

describe('the page keeps to itself', () => {
  it('has a policy that names its own style and script and nothing else', () => {
    const policy = readHtml(renderHtml(passedReport()))
      .elements.find(({ attributes }) => attributes.get('http-equiv') === 'Content-Security-Policy')
      ?.attributes.get('content');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'$/,
    );
  });

  it('reads the same where it is printed: no line of style or script is a command of a CI service', () => {
    const parts = [...renderHtml(passedReport()).matchAll(/<(style|script)>(.*?)<\/\1>/gs)].map(
      ([, , text = '']) => text,
    );
    expect(parts).toHaveLength(2);
    for (const part of parts) expect(breakCommands(part)).toBe(part);
  });

  it('is a pure function of the report', () => {
    expect(renderHtml(sampleReport())).toBe(renderHtml(sampleReport()));
  });

  it('has a script that cannot end its element', () => {
    expect(SCRIPT).not.toMatch(/<\/|<!--/);
  });
});
