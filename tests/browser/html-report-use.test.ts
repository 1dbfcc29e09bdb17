import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderAgentPrompt } from '../../src/report/agent.js';
import { sampleReport, withPast } from '../report/support/sample-report.js';
import { CHROMIUM, inBrowser, openReport, startBrowser, unfoldAll } from './support/browser.js';

describe.skipIf(CHROMIUM === null)(inBrowser('using the HTML report'), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  const report = withPast(sampleReport());

  describe('by keyboard', () => {
    test('the first stop leads past the head, and every part is one key away', async () => {
      const { page } = await openReport(browser, report);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('a.skip');
      await page.keyboard.press('Enter');
      expect(await focused(page)).toBe('main#main');
      const targets = await page.evaluate<string[]>(
        "[...document.querySelectorAll('nav a')].map((a) => a.hash)",
      );
      expect(targets).toHaveLength(11);
      for (const target of targets) {
        await page.locator(`nav a[href="${target}"]`).focus();
        await page.keyboard.press('Enter');
        await expect.poll(() => focused(page)).toBe(`section${target}`);
      }
    });

    test('every stop is seen, and every box that scrolls is one', async () => {
      const { page } = await openReport(browser, report);
      await unfoldAll(page);
      const boxes = await page.evaluate<number>(
        "[...document.querySelectorAll('pre')].filter((box) => { const scrolls = box.scrollHeight > box.clientHeight + 1; if (scrolls) box.dataset.scrolls = ''; return scrolls; }).length",
      );
      expect(boxes).toBeGreaterThan(1);
      const unseen: string[] = [];
      let stops = 0;
      let reached = 0;
      const sections = new Set<string>();
      for (;;) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate<{
          name: string;
          seen: boolean;
          scrolls: boolean;
          section: string;
        } | null>(`(() => {
          const element = document.activeElement;
          if (element === document.body || element.dataset.stop !== undefined) return null;
          element.dataset.stop = '';
          const drawn = element.matches('.choice input') ? element.nextElementSibling : element;
          const { outlineStyle, outlineWidth } = getComputedStyle(drawn);
          return {
            name: element.outerHTML.slice(0, 80),
            seen: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2,
            scrolls: element.dataset.scrolls !== undefined,
            section: element.closest('section')?.id ?? '',
          };
        })()`);
        if (stop === null) break;
        stops += 1;
        if (!stop.seen) unseen.push(stop.name);
        if (stop.scrolls) reached += 1;
        sections.add(stop.section);
      }
      expect(unseen).toEqual([]);
      expect(reached).toBe(boxes);
      expect(stops).toBeGreaterThan(50);
      expect([...sections]).toEqual(
        expect.arrayContaining(['summary', 'causes', 'advice', 'commands', 'tests', 'known-issues']),
      );
    });

    test('a slash leads to the search, but is a letter in it', async () => {
      const { page } = await openReport(browser, report);
      await page.keyboard.press('/');
      expect(await focused(page)).toBe('input#words');
      await page.keyboard.type('a/b');
      expect(await page.locator('#words').inputValue()).toBe('a/b');
    });

    test('a slash shows the results below the search, also on a small screen', async () => {
      const { page } = await openReport(browser, report, { viewport: { width: 390, height: 800 } });
      await page.keyboard.press('/');
      await page.keyboard.type('handover');
      expect(await shown(page)).toEqual(['hat-handover']);
      expect(await isInView(page, '#words')).toBe(true);
      expect(await isInView(page, '#list > li:not([hidden]) h3')).toBe(true);
    });

    test('j and k move between the tests that the filter shows, but are letters in the search', async () => {
      const { page } = await openReport(browser, report);
      const current = () =>
        page.evaluate<string | null>(
          "document.activeElement.closest('.test')?.querySelector('h3').textContent",
        );
      await page.keyboard.press('/');
      await page.keyboard.type('jk');
      expect(await page.locator('#words').inputValue()).toBe('jk');
      await page.locator('#words').fill('');
      await page.locator('.choice.skipped').click();
      await page.locator('.choice.flaky').click();
      const names: (string | null)[] = [];
      for (const key of ['j', 'j', 'j', 'j', 'k', 'k']) {
        await page.keyboard.press(key);
        names.push(await current());
      }
      expect(names).toEqual([
        'second-try',
        'kiro-connect',
        'kiro-loop',
        'kiro-loop',
        'kiro-connect',
        'second-try',
      ]);
      expect(await page.evaluate('location.hash')).toBe(
        '#test-second-try-opencode?outcome=flaky&outcome=skipped',
      );
    });

    test('enter opens and closes a test', async () => {
      const { page } = await openReport(browser, report);
      const card = page.locator('#test-simple-pass-claude');
      await card.locator('> summary').focus();
      await page.keyboard.press('Enter');
      expect(await card.getAttribute('open')).toBe('');
      await page.keyboard.press('Enter');
      expect(await card.getAttribute('open')).toBeNull();
    });
  });

  describe('filter and search', () => {
    test('by outcome, tier, backend and words in what is folded away', async () => {
      const { page } = await openReport(browser, report);
      expect(await shown(page)).toHaveLength(8);
      await page.locator('.choice.flaky').click();
      await page.locator('.choice.skipped').click();
      expect(await shown(page)).toEqual(['second-try', 'kiro-connect', 'kiro-loop']);
      await page.locator('#tier').selectOption('Tier 1: Connectivity');
      expect(await shown(page)).toEqual(['kiro-connect']);
      expect(await page.locator('#found').textContent()).toBe('1 of 8 tests');
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => shown(page)).toHaveLength(8);
      await page.locator('#backend').selectOption('opencode');
      expect(await shown(page)).toEqual(['second-try']);
      await page.locator('#backend').selectOption('');
      await page.locator('#words').fill('REVIEWER line of');
      expect(await shown(page)).toEqual(['hat-handover']);
      await page.locator('#words').fill('no such words');
      expect(await shown(page)).toEqual([]);
      expect(await page.locator('#none').isVisible()).toBe(true);
    });

    test('a count shows its tests, and a link to a test finds it behind a filter', async () => {
      const { page } = await openReport(browser, report);
      await page.locator('.tile.skipped').click();
      expect(await shown(page)).toEqual(['kiro-connect', 'kiro-loop']);
      expect(await page.evaluate('location.hash')).toBe('#tests?outcome=skipped');
      await page.locator('.attention a', { hasText: 'second-try' }).click();
      await expect.poll(() => focused(page)).toBe('summary');
      expect(await shown(page)).toHaveLength(8);
      expect(await page.locator('#test-second-try-opencode').getAttribute('open')).toBe('');
    });

    test('are in the address, so that a link shows the same', async () => {
      const { page } = await openReport(browser, report);
      await page.locator('.choice.passed').click();
      await page.locator('#tier').selectOption('Tier 2: Orchestration Loop');
      await page.locator('#words').fill('slow pass');
      expect(await shown(page)).toEqual(['slow-pass']);
      const address = page.url();
      expect(address).toMatch(/#tests\?words=slow\+pass&tier=Tier\+2.*&outcome=passed$/);
      await page.goto('about:blank');
      await page.goto(address);
      expect(await shown(page)).toEqual(['slow-pass']);
      expect(await page.locator('#words').inputValue()).toBe('slow pass');
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => page.evaluate('location.hash')).toBe('#tests');
      await page.goto(
        page.url().replace('#tests', '#test-slow-pass-claude?tier=no-such-tier&outcome=nonsense'),
      );
      await expect.poll(() => focused(page)).toBe('summary');
      expect(await shown(page)).toHaveLength(8);
    });

    test('all that is shown opens and closes at once', async () => {
      const { page } = await openReport(browser, report);
      await page.locator('#words').fill('kiro');
      const open = () => page.locator('.test[open]').count();
      const before = await open();
      await page.getByRole('button', { name: 'Open all' }).click();
      expect(await open()).toBe(before + 2);
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => shown(page)).toHaveLength(8);
      await page.getByRole('button', { name: 'Close all' }).click();
      expect(await open()).toBe(0);
    });
  });

  describe('commands', () => {
    const COMMAND = 'ralph-e2e --last-failed --keep-reports';

    test('are copied', async () => {
      const { page } = await openReport(browser, report, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await page.locator('#commands .copy').first().click();
      await expect.poll(() => page.locator('#status').textContent()).toBe('Copied');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(COMMAND);
    });

    test('are selected where the clipboard is closed', async () => {
      const { page } = await openReport(browser, report);
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("closed"))');
      await page.locator('#commands .copy').first().click();
      await expect.poll(() => page.locator('#status').textContent()).toBe('Selected');
      expect(await page.evaluate('String(getSelection())')).toBe(COMMAND);
    });
  });

  describe('the prompt for an agent', () => {
    const [cause] = report.causes;
    const prompt = cause === undefined ? '' : renderAgentPrompt(report, cause);

    test('is copied as it is', async () => {
      const { page } = await openReport(browser, report, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const button = page.locator('#cause-1 .handover button');
      expect(await button.textContent()).toBe('Copy for an agent');
      await button.click();
      await expect.poll(() => page.locator('#status').textContent()).toBe('Copied');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(prompt);
      await expect.poll(() => button.textContent()).toBe('Copy for an agent');
    });

    test('is unfolded and selected where the clipboard is closed', async () => {
      const { page } = await openReport(browser, report);
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("closed"))');
      await page.locator('#cause-1 .handover button').click();
      await expect.poll(() => page.locator('#status').textContent()).toBe('Selected');
      expect(await page.locator('#prompt-1').isVisible()).toBe(true);
      expect(await page.evaluate<string>('String(getSelection()).trim()')).toBe(prompt.trim());
    });
  });

  test('without scripts it is a document that opens and closes, and has no dead buttons', async () => {
    const { page } = await openReport(browser, report, { javaScriptEnabled: false });
    await page.locator('#cause-1 .handover summary').click();
    expect(await page.locator('#prompt-1').isVisible()).toBe(true);
    expect(await page.locator('button:visible, input:visible, select:visible').count()).toBe(0);
    expect(await page.locator('.test').count()).toBe(8);
    const quality = page.locator('#test-simple-pass-claude').getByText('Quality');
    expect(await quality.isVisible()).toBe(false);
    await page.locator('#test-simple-pass-claude > summary').click();
    expect(await quality.isVisible()).toBe(true);
  });

  test('on paper, failed tests are told even when they are closed, and nothing waits for a click', async () => {
    const { page } = await openReport(browser, report);
    await page.getByRole('button', { name: 'Close all' }).click();
    const told = page.locator('#test-hat-handover-claude .body > .facts').first();
    expect(await told.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await told.isVisible()).toBe(true);
    expect(await page.locator('#test-simple-pass-claude .body > .facts').first().isVisible()).toBe(false);
    expect(await page.locator('button:visible, input:visible, nav:visible').count()).toBe(0);
  });
});

/** The element that has the keyboard's focus: tag with id or class. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { localName, id, className } = document.activeElement;
    return localName + (id === '' ? '' : '#' + id) + (id === '' && className !== '' ? '.' + className : '');
  })()`);
}

/** Whether an element is on the screen as a whole. */
function isInView(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);
}

/** The names of the tests that the filter lets through. */
function shown(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    "[...document.querySelectorAll('#list > li')].filter((item) => item.checkVisibility()).map((item) => item.querySelector('h3').textContent)",
  );
}
