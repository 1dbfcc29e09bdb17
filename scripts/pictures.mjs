// Makes the pictures of the docs in Chromium: docs/run.png, the terminal in README.md, and docs/pictures/ with the terminal
// at two widths and report.html on a phone and a desk, light and dark. Needs a build, Chromium, a font with color emoji, and
// script(1) for a terminal of a given width.
// usage: node scripts/pictures.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const docs = join(root, 'docs');
const fault = 'ignore-required-events';
const chosen = ['--filter', 'claude-*', '--test', 'required-events'];
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const most = 250_000;
/** A run with many failures of one cause. */
const red = { fault: 'drop-hat-instructions', chosen: ['--filter', 'hat-*'] };

/** Colors and weights for the codes that the terminal reporter prints. */
const STYLES = {
  1: 'font-weight:bold',
  2: 'opacity:.65',
  31: 'color:#ff7b72',
  32: 'color:#7ee787',
  33: 'color:#e3b341',
};

const executablePath = browsers.find((path) => existsSync(path));
if (executablePath === undefined)
  throw new Error(`expected Chromium at one of ${browsers.join(', ')}, found none`);

const home = mkdtempSync(join(tmpdir(), 'ralph-e2e-picture-'));
const [bin, cwd] = ['bin', 'my-ralph'].map((name) => join(home, name));
for (const folder of [bin, cwd]) mkdirSync(folder);
symlinkSync(join(root, 'dist', 'cli.js'), join(bin, 'ralph-e2e'));
mkdirSync(join(docs, 'pictures'), { recursive: true });
const browser = await chromium.launch({ executablePath });
try {
  await takeTerminal('run.png', runInTerminal({ fault, chosen }), 1080);
  runInTerminal({ ...red, more: ['--report', 'html'] });
  for (const columns of [80, 120])
    await takeTerminal(`pictures/terminal-${columns}.png`, showInTerminal(columns), columns * 8.5 + 60);
  for (const width of [390, 1280])
    for (const colorScheme of ['light', 'dark'])
      await takeReport(`pictures/report-${width}-${colorScheme}.png`, { width, colorScheme });
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}

async function takeTerminal(name, text, width) {
  const page = await browser.newPage({
    viewport: { width: Math.round(width), height: 400 },
    deviceScaleFactor: 1,
  });
  await page.setContent(render(text));
  await page.locator('pre').screenshot({ path: join(docs, name) });
  report(name);
}

async function takeReport(name, { width, colorScheme }) {
  const page = await browser.newPage({
    viewport: { width, height: 1400 },
    colorScheme,
    deviceScaleFactor: 1,
  });
  await page.goto(`file://${join(cwd, '.e2e-tests', 'report.html')}`);
  await page.screenshot({ path: join(docs, name) });
  report(name);
}

function report(name) {
  const { size } = statSync(join(docs, name));
  console.log(`docs/${name}: ${size} bytes`);
  if (size > most) throw new Error(`expected at most ${most} bytes, found ${size}`);
}

function environment(extra) {
  return { PATH: [bin, process.env.PATH].join(delimiter), HOME: home, FORCE_COLOR: '1', ...extra };
}

/** Returns what a user sees: the command, and everything it prints. */
function runInTerminal({ fault, chosen, more = [] }) {
  const argv = ['claude', '--mock', '--ralph', 'embedded', ...chosen];
  const { stdout } = spawnSync(join(bin, 'ralph-e2e'), [...argv, ...more, '-j', '1', '--skip-analysis'], {
    cwd,
    encoding: 'utf8',
    env: environment({ RALPH_STANDIN_FAULT: fault }),
  });
  const call = argv.map((word) => (word.includes('*') ? `'${word}'` : word)).join(' ');
  return `$ RALPH_STANDIN_FAULT=${fault} ralph-e2e ${call}\n${stdout.replaceAll(home, '~').trimEnd()}`;
}

/** Returns what the latest run shows on a terminal with so many columns, from the causes on. */
function showInTerminal(columns) {
  const { stdout } = spawnSync('script', ['-qec', `stty cols ${columns} && ralph-e2e show`, '/dev/null'], {
    cwd,
    encoding: 'utf8',
    env: environment({ TERM: 'xterm-256color' }),
  });
  const text = stdout.replaceAll('\r', '').replaceAll(home, '~').trimEnd();
  return `$ ralph-e2e show | tail\n${text.slice(text.lastIndexOf('━') + 1).trim()}`;
}

function render(text) {
  let open = 0;
  const body = text
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\u001b\[(\d+)m/g, (_, code) => {
      if (STYLES[code] !== undefined) {
        open += 1;
        return `<span style="${STYLES[code]}">`;
      }
      if (open === 0) return '';
      open -= 1;
      return '</span>';
    });
  const style =
    'margin:0;padding:20px 24px;background:#0d1117;color:#e6edf3;white-space:pre-wrap;overflow-wrap:anywhere;' +
    "font:14px/1.45 'DejaVu Sans Mono',Menlo,Consolas,'Noto Color Emoji','Apple Color Emoji',monospace";
  return `<body style="margin:0"><pre style="${style}">${body}</pre></body>`;
}
