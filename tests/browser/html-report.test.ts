import { createServer, type Server } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/domain/report/report.js';
import { readHtml } from '../report/support/html-outline.js';
import { iteration } from '../report/support/journal.js';
import { renderHtml } from '../report/support/rendered.js';
import { passedReport, sampleReport, withPast } from '../report/support/sample-report.js';
import { CHROMIUM, inBrowser, openReport, startBrowser, unfoldAll } from './support/browser.js';
import { hostileReport } from './support/hostile-report.js';

const REPORTS = {
  full: () => withPast(sampleReport()),
  passed: passedReport,
  hostile: hostileReport,
  'one cause': () => oneCauseReport(4),
};
const NAMES = ['full', 'passed', 'hostile', 'one cause'] as const;

describe.skipIf(CHROMIUM === null)(inBrowser('the HTML report in a browser'), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  describe.each(NAMES)('%s', (name) => {
    test.each(['light', 'dark'] as const)('has nothing that axe objects to in %s', async (colorScheme) => {
      const { page } = await openReport(browser, REPORTS[name](), { colorScheme });
      await unfoldAll(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(
          ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        ),
      ).toEqual([]);
    });

    test.each([390, 1280])('fits into %d pixels with everything open', async (width) => {
      const { page } = await openReport(browser, REPORTS[name](), { viewport: { width, height: 900 } });
      await unfoldAll(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      // Boxes may scroll down, but not sideways.
      const wide =
        "[...document.querySelectorAll('body *')].filter((e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX)).map((e) => e.outerHTML.slice(0, 80))";
      expect(await page.evaluate(wide)).toEqual([]);
    });

    test('is read by the browser as it was meant', async () => {
      const { page, complaints } = await openReport(browser, REPORTS[name]());
      const tags = await page.evaluate<string[]>(
        "[...document.querySelectorAll('*')].map((e) => e.localName)",
      );
      expect(tags).toEqual(readHtml(renderHtml(REPORTS[name]())).elements.map(({ tag }) => tag));
      expect(complaints).toEqual([]);
    });

    test('asks for nothing, and nothing of its content runs', async () => {
      const { page, requests, complaints } = await openReport(browser, REPORTS[name]());
      await unfoldAll(page);
      await page.mouse.move(600, 300);
      for (let count = 0; count < 20; count += 1) await page.keyboard.press('Tab');
      expect(requests).toEqual([]);
      expect(complaints).toEqual([]);
      expect(await page.evaluate('window.broken')).toBeUndefined();
      expect(await page.evaluate("document.querySelectorAll('h1').length")).toBe(1);
    });
  });

  test.each([
    [390, 4],
    [1280, 2],
  ])('at %d pixels, the tests begin within %d screens although 28 failed', async (width, screens) => {
    const { page } = await openReport(browser, oneCauseReport(28), { viewport: { width, height: 1_000 } });
    const top = await page.evaluate<number>("document.querySelector('#tests').getBoundingClientRect().top");
    expect(top).toBeLessThan(screens * 1_000);
  });

  test('the policy keeps out what is not ours', async () => {
    const { page, complaints } = await openReport(browser, passedReport());
    const visits: string[] = [];
    const server = createServer((request, response) => {
      visits.push(request.url ?? '');
      response.end();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'window.broken = true';
      const image = document.createElement('img');
      image.src = 'http://127.0.0.1:${portOf(server)}/x.png';
      document.body.append(script, image);
      document.body.setAttribute('style', 'display: none');
    `);
    await expect.poll(() => complaints.length).toBe(3);
    for (const complaint of complaints) expect(complaint).toContain('Content Security Policy');
    expect(await page.evaluate('window.broken')).toBeUndefined();
    expect(visits).toEqual([]);
  });
});

/** A run in which so many tests fail in the same way, each in several iterations. */
function oneCauseReport(tests: number): Report {
  const failed = {
    outcome: 'failed' as const,
    checks: [
      { name: 'it ends', passed: false, category: 'ExitCode' as const },
      {
        name: 'the prompt has it',
        passed: false,
        category: 'PromptContent' as const,
        about: { iteration: 3 },
      },
    ],
    evidence: {
      iterations: [1, 2, 3, 4].map((number) =>
        iteration({ number, hat: number === 3 ? 'builder' : 'ralph' }),
      ),
    },
  };
  return sampleReport({
    tests: Array.from({ length: tests }, (_, index) => ({
      scenarioId: `a-hat-with-a-long-name-${index + 1}`,
      attempts: [failed],
    })),
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
