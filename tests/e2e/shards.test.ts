import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPORT_FORMAT_NAMES } from '../../src/domain/report/formats.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, tempFolder } from '../support/cli.js';
import { maskReport, maskText } from '../support/same-run.js';

/** Tests that pass, fail with the fault, show a known issue, and cannot run on the stand-in. */
const FILTER =
  '/^(?:claude-connect|kiro-connect|hat-(?:single|instructions|import|catch-all)|memory-list-by-tag|max-cost|hats-drawing|preset-debug)$/';
const CALL = ['claude', 'kiro', '--mock', '--env', 'RALPH_STANDIN_FAULT'];
const env = { RALPH_STANDIN_FAULT: 'drop-hat-instructions' };
const FORMATS = REPORT_FORMAT_NAMES.join(',');
/** What a merged report says of itself, and the list of folders, which lacks the workspaces. */
const OWN_LINES = /^- \*\*(?:Merged from|Duration):|^Merged from |Workspace|^<number> more in report\.json/;
const blobOf = (index: number) => `run-${index}/blob-${index}-of-4.ralph-e2e`;

describe('four shards on four machines', () => {
  // The folders have names of one length: reports cut long texts with paths in them.
  let cwd = '';
  const codes: (number | null)[] = [];
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
  const merge = (blobs: readonly string[], output: string) =>
    callCli(['merge-reports', ...blobs, '--report', FORMATS, '--output', output], { cwd });
  /** Merges what should not fit together. Nothing may come of it. */
  const refuse = async (blobs: readonly string[]): Promise<string> => {
    const { code, stderr } = await merge(blobs, 'run-9');
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'run-9'))).toBe(false);
    return stderr;
  };

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
    const run = async (output: string, more: readonly string[]) => {
      const { code } = await callCli([...CALL, '--filter', FILTER, '--output', output, ...more], {
        cwd,
        env,
      });
      codes.push(code);
    };
    await run('run-0', ['--report', FORMATS]);
    for (const index of [1, 2, 3, 4])
      await run(`run-${index}`, ['--shard', `${index}/4`, '--report', 'json,blob']);
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  test.each([
    ['in their order', [1, 2, 3, 4], 'run-5'],
    ['in another order', [3, 1, 4, 2], 'run-6'],
  ])('merged %s give the reports of one run', async (_, order, output) => {
    const { code, stdout } = await merge(order.map(blobOf), output);
    expect(code).toBe(codes[0]);
    expect(code).toBe(1);
    const [one, merged] = [read('run-0/report.json'), read(`${output}/report.json`)];
    expect(maskReport(merged)).toEqual(maskReport(one));
    const { summary } = reportSchema.parse(JSON.parse(merged));
    for (const kind of ['passed', 'failed', 'skipped', 'known_issues'] as const)
      expect([kind, summary[kind] > 0]).toEqual([kind, true]);
    const lines = (text: string) =>
      maskText(text)
        .split('\n')
        .filter((line) => line !== '' && !OWN_LINES.test(line));
    for (const file of ['report.md', 'report.junit.xml', 'report.github.md'])
      expect(lines(read(`${output}/${file}`)), file).toEqual(lines(read(`run-0/${file}`)));
    expect(stdout).toContain('Merged from: 4 shards');
    const pages = (folder: string) => readdirSync(join(cwd, folder, 'report/failures')).sort();
    expect(pages(output)).toEqual(pages('run-0'));
  });

  test('each say which part they are, and do not claim to be the whole', () => {
    const shards = [1, 2, 3, 4].map((index) =>
      reportSchema.parse(JSON.parse(read(`run-${index}/report.json`))),
    );
    expect(shards.map(({ shard }) => `${shard?.index} of ${shard?.total}`)).toEqual([
      '1 of 4',
      '2 of 4',
      '3 of 4',
      '4 of 4',
    ]);
    for (const { shard, verdict, results } of shards) {
      expect(shard).toMatchObject({ tests: results.length, all_tests: 13 });
      expect(verdict).toContain(`this is shard ${shard?.index} of 4`);
    }
    const names = shards.flatMap(({ results }) =>
      results.map(({ scenario_id, backend }) => `${scenario_id} ${backend}`),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test('make a run that show, compare, resume and --last-failed understand', async () => {
    const output = ['--output', 'run-7'];
    await merge([1, 2, 3, 4].map(blobOf), 'run-7');
    const shown = await callCli(['show', 'hat-single-claude', ...output], { cwd });
    expect(shown.stdout).toContain('hat-single');
    const compared = await callCli(['compare', 'run-0/report.json', 'run-7/report.json'], { cwd });
    expect([compared.code, compared.stdout]).toEqual([0, expect.stringContaining('0 new failures, 0 fixed')]);
    const resumed = await callCli(['resume', readdirSync(join(cwd, 'run-7/runs'))[0] ?? '', ...output], {
      cwd,
    });
    expect(resumed.stderr).toContain('was merged from shards');
    const { failed } = reportSchema.parse(JSON.parse(read('run-7/report.json'))).summary;
    const again = await callCli([...CALL.slice(0, 3), '--last-failed', '--json', ...output], { cwd });
    const { summary } = reportSchema.parse(JSON.parse(again.stdout));
    // What can never run on the stand-in is not run again.
    expect(summary).toMatchObject({ passed: failed, skipped: 0 });
  });

  test('are refused if one is missing', async () => {
    expect(await refuse([1, 2, 4].map(blobOf))).toContain('shard 3 of 4 is missing');
  });

  test('are refused if one comes twice', async () => {
    copyFileSync(join(cwd, blobOf(2)), join(cwd, 'copy.ralph-e2e'));
    expect(await refuse([...[1, 2, 3, 4].map(blobOf), 'copy.ralph-e2e'])).toContain('found shard 2 of 4 in');
  });

  test('are refused if one is damaged, and the file is named', async () => {
    const damaged = join(cwd, 'damaged.ralph-e2e');
    const content = readFileSync(join(cwd, blobOf(3)));
    const middle = Math.floor(content.length / 2);
    content[middle] = (content[middle] ?? 0) ^ 0x10;
    writeFileSync(damaged, content);
    const stderr = await refuse([...[1, 2, 4].map(blobOf), 'damaged.ralph-e2e']);
    expect(stderr).toContain(`${damaged}: expected a blob as ralph-e2e wrote it`);
  });

  test('are refused with one of another run: other tests, or another number of shards', async () => {
    const foreign = async (output: string, more: readonly string[]) => {
      await callCli([...CALL, '--report', 'blob', '--output', output, ...more], { cwd, env });
      return refuse([...[1, 3, 4].map(blobOf), output]);
    };
    const other = await foreign('other-1', ['--shard', '2/4', '--filter', 'connect']);
    expect(other).toContain('other options: --filter');
    const total = await foreign('other-2', ['--shard', '2/3', '--filter', 'connect']);
    expect(total).toContain('another number of shards');
  });
});

describe('a shard', () => {
  test('with nothing to run says so, fails nothing, claims nothing, and is needed', async () => {
    const cwd = tempFolder();
    const run = (index: number) =>
      callCli(
        [
          'claude',
          '--mock',
          '--test',
          'claude-connect',
          '--shard',
          `${index}/2`,
          '--report',
          'json,blob',
          '--output',
          `s${index}`,
        ],
        { cwd },
      );
    const [first, empty] = [await run(1), await run(2)];
    expect([first.code, empty.code]).toEqual([0, 0]);
    expect(empty.stdout).toContain('nothing to run: no part of the 1 test is left for this shard');
    expect(empty.stdout).not.toContain('PASSED');
    expect(JSON.parse(readFileSync(join(cwd, 's2/report.json'), 'utf8'))).toMatchObject({ passed: false });
    expect((await callCli(['merge-reports', 's1'], { cwd })).code).toBe(2);
    const merged = await callCli(['merge-reports', 's2', 's1'], { cwd });
    expect([merged.code, merged.stdout]).toEqual([0, expect.stringContaining('the only test passed')]);
  });

  test('is listed with how many tests it has', async () => {
    const cwd = tempFolder();
    const list = (part: string) =>
      callCli(['claude', 'kiro', '--mock', '--filter', 'hat-single', '--list', '--shard', part], { cwd });
    const [first, second] = [await list('1/2'), await list('2/2')];
    expect([first, second].map(({ stdout }) => /\(on (.*)\)/.exec(stdout)?.[1])).toEqual(['claude', 'kiro']);
    expect(second.stdout).toContain('Shard 2 of 2: 1 of 2 tests.');
  });

  test.each([
    [['--shard', '5/4'], '--shard 5/4: expected a part and how many there are'],
    [['--shard', 'auto'], '--shard auto: expected the variables of'],
    [
      ['--shard', '1/2', '--ralph', 'embedded', '--ralph', '/bin/true'],
      '--shard and two --ralph cannot be combined',
    ],
    [['--shard', '1/2', '--analyzer', 'ralph.yml'], '--shard cannot be combined with an analysis by Ralph'],
    [['--shard', '1/2', '--list', '--last-failed'], '--list and --last-failed cannot be combined'],
  ])('is refused with %s', async (flags, found) => {
    const cwd = tempFolder();
    const { code, stderr } = await callCli(['claude', '--mock', ...flags], { cwd, analysis: true });
    expect([code, stderr]).toEqual([2, expect.stringContaining(found)]);
  });
});
