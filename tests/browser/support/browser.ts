import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Report } from '../../../src/domain/report/report.js';
import { renderHtml } from '../../report/support/rendered.js';

/** Where distributions and people put it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine; null where there is none. */
export const CHROMIUM = PLACES.find((place) => existsSync(place)) ?? null;

/** The name of a group of tests, with the reason if they cannot run. */
export function inBrowser(name: string): string {
  return CHROMIUM === null ? `${name} (skipped: no chromium at ${PLACES.join(', ')})` : name;
}

export function startBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('there is no chromium: these tests should have been skipped');
  return chromium.launch({ executablePath: CHROMIUM });
}

export interface OpenedReport {
  readonly page: Page;
  /** Everything that the page asked for besides itself. */
  readonly requests: readonly string[];
  /** What the browser complained about: errors of the script, things that the policy forbade. */
  readonly complaints: readonly string[];
}

/** Opens a report from disk, as a person does. */
export async function openReport(
  browser: Browser,
  report: Report,
  options: BrowserContextOptions = {},
): Promise<OpenedReport> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-browser-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, renderHtml(report));
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== url) requests.push(request.url());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, complaints };
}

/** Opens every fold of the page. */
export async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
}
