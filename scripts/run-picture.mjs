// Makes docs/run.png, the picture in README.md: runs some scenarios on a stand-in with a fault and photographs the
// terminal output in Chromium. Needs a build, Chromium and a font with color emoji.
// usage: node scripts/run-picture.mjs [file]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file = join(root, 'docs', 'run.png')] = process.argv.slice(2);
const fault = 'ignore-required-events';
const chosen = ['--filter', 'claude-*', '--test', 'required-events'];
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const most = 150_000;

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
try {
  const output = runInTerminal();
  const browser = await chromium.launch({ executablePath });
  const page = await browser.newPage({ viewport: { width: 1000, height: 400 }, deviceScaleFactor: 1 });
  await page.setContent(render(output));
  await page.locator('pre').screenshot({ path: file });
  await browser.close();
  const { size } = statSync(file);
  console.log(`${file}: ${size} bytes`);
  if (size > most) throw new Error(`expected at most ${most} bytes, found ${size}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Returns what a user sees: the command, and everything it prints. */
function runInTerminal() {
  const [bin, cwd] = ['bin', 'my-ralph'].map((name) => join(home, name));
  for (const folder of [bin, cwd]) mkdirSync(folder);
  symlinkSync(join(root, 'dist', 'cli.js'), join(bin, 'ralph-e2e'));
  const argv = ['claude', '--mock', '--ralph', 'embedded', '--env', 'RALPH_STANDIN_FAULT', ...chosen];
  const { stdout } = spawnSync(join(bin, 'ralph-e2e'), [...argv, '-j', '1', '--skip-analysis'], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: [bin, process.env.PATH].join(delimiter),
      HOME: home,
      FORCE_COLOR: '1',
      RALPH_STANDIN_FAULT: fault,
    },
  });
  const call = argv.map((word) => (word.includes('*') ? `'${word}'` : word)).join(' ');
  return `$ RALPH_STANDIN_FAULT=${fault} ralph-e2e ${call}\n${stdout.replaceAll(home, '~').trimEnd()}`;
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
