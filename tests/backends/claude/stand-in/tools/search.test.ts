import { describe, expect, test } from 'vitest';
import { glob, grep } from '../../../../../src/backends/claude/stand-in/tools/search.js';
import { makeStage } from '../../../support/stand-in-cli.js';

const everything = () => false;
const noSecrets = (path: string) => path.endsWith('.env');

function makeFolder(): string {
  const { cwd, write } = makeStage([]);
  write('a.txt', 'A line\n');
  write('.env', 'SECRET line\n');
  return cwd;
}

describe('a search', () => {
  test('shows no file that a rule hides', () => {
    const cwd = makeFolder();
    const found = (input: object) => grep({ pattern: 'line', ...input }, cwd, noSecrets).content;
    expect(found({ output_mode: 'content' })).toBe('a.txt:1:A line');
    expect(found({ path: '.env' })).toBe('No files found');
    expect(glob({ pattern: '*' }, cwd, noSecrets).content).toBe('a.txt');
    expect(glob({ pattern: '*' }, cwd, everything).content).toBe('.env\na.txt');
  });

  test('in one file shows its lines without its name', () => {
    const cwd = makeFolder();
    const input = { pattern: 'line', path: 'a.txt', output_mode: 'content' };
    expect(grep(input, cwd, everything).content).toBe('1:A line');
    expect(grep({ ...input, '-n': false }, cwd, everything).content).toBe('A line');
  });

  test.each([
    [grep, { pattern: 'x', path: 'nosuch' }, 'Path does not exist: nosuch. Note: '],
    [glob, { pattern: '*', path: 'nosuch' }, 'Directory does not exist: nosuch. Note: '],
    [glob, { pattern: '*', path: 'a.txt' }, 'Path is not a directory: a.txt'],
  ])('where it cannot look fails: %o %j', (search, input, message) => {
    const outcome = search(input, makeFolder(), everything);
    expect(outcome).toMatchObject({ content: expect.stringContaining(message), isError: true });
  });

  test.each([
    [grep, { pattern: '(' }],
    [grep, { pattern: 'line', '-A': 1 }],
    [grep, { pattern: 'line', multiline: true }],
    [glob, { pattern: '/etc/*' }],
  ])('that only the real program can do is named: %o %j', (search, input) => {
    expect(search(input, makeFolder(), everything).notPlayed).toMatch(/^(?:Grep|Glob) with /);
  });
});
