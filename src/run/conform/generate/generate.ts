import { onAnyPrompt } from '../../../agent/builder.js';
import type { ConformCase } from '../cases.js';
import { SeededRandom } from './random.js';
import { drawSettings } from './settings.js';
import type { ClaudeSurface, HelpOption } from './surface.js';
import { drawCall, drawRule } from './vocabulary.js';
import { FILES, HOME_FILES, LINKS, REPOSITORY } from './words/files.js';
import { DIRECTORIES } from './words/settings.js';

/** Generates cases over options, settings, hooks and tools. The same seed and surface give the same cases. */
export function generateCases(seed: number, count: number, surface: ClaudeSurface): ConformCase[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new SeededRandom(seed * 1_000_003 + index);
    return generateCase(`generated ${seed}/${index + 1}`, random, surface);
  });
}

function generateCase(id: string, random: SeededRandom, surface: ClaudeSurface): ConformCase {
  const tools = Array.from({ length: random.pick([1, 2, 3, 4]) }, () => drawCall(random));
  const commands = tools.flatMap(({ input: { command } }) => (typeof command === 'string' ? [command] : []));
  const rule = tools.reduce((sum, { name, input }) => sum.calls(name, input), onAnyPrompt());
  const files: Record<string, string> = { ...FILES, ...(random.chance(0.3) ? REPOSITORY : {}) };
  const home: Record<string, string> = { ...HOME_FILES };
  const settings = () => JSON.stringify(drawSettings(random, surface, commands));
  const args: string[] = [];
  if (random.chance(0.3)) home['.claude/settings.json'] = settings();
  if (random.chance(0.3)) files['.claude/settings.json'] = settings();
  if (random.chance(0.2)) files['.claude/settings.local.json'] = settings();
  if (random.chance(0.3)) args.push('--settings', settings());
  if (random.chance(0.5)) home['.claude.json'] = TRUSTED;
  const modes = surface.options.find(({ name }) => name === '--permission-mode')?.choices ?? [];
  if (random.chance(0.5) && modes.length > 0) args.push('--permission-mode', random.pick(modes));
  if (random.chance(0.3)) args.push(`--allowedTools=${drawRule(random, commands)}`);
  // The search tools exist only without Bash.
  const searches = tools.some(({ name }) => name === 'Grep' || name === 'Glob');
  if (searches && random.chance(0.7)) args.push('--disallowedTools=Bash');
  if (random.chance(0.2)) args.push(`--disallowedTools=${drawRule(random, commands)}`);
  if (random.chance(0.1))
    args.push('--setting-sources', random.pick(['user', 'project', 'project,local', 'local', '']));
  if (random.chance(0.4)) args.push(...drawOption(random, surface));
  const prompt = random.chance(0.04) ? random.pick(['', ' ', '/nosuch', '/help']) : 'go';
  const format = random.chance(0.9)
    ? ['--verbose', '--output-format', 'stream-json']
    : ['--output-format', 'json'];
  return {
    id,
    rules: [rule.says('end')],
    calls: [['--print', ...format, ...args, '--', prompt]],
    files,
    links: LINKS,
    home,
  };
}

const TRUSTED = JSON.stringify({ projects: { '{{workspace}}': { hasTrustDialogAccepted: true } } });

function drawOption(random: SeededRandom, { options }: ClaudeSurface): string[] {
  const drawn = options.filter(({ name }) => !DRAWN_ELSEWHERE.includes(name)).concat(HIDDEN);
  const option = random.pick(drawn);
  const value = drawValue(random, option);
  if (option.takes === 'nothing') return [option.name];
  if (value === null) return option.takes === 'optional' ? [option.name] : [];
  return [`${option.name}=${value}`];
}

function drawValue(random: SeededRandom, { name, choices }: HelpOption): string | null {
  if (choices.length > 0) return random.chance(0.1) ? 'nonsense' : random.pick(choices);
  const values = VALUES[name];
  return values === undefined ? null : random.pick(values);
}

/** Options that every case has, that have their own place in a case, or that do not start a turn. */
const DRAWN_ELSEWHERE = [
  ...['--print', '--verbose', '--output-format', '--permission-mode', '--settings', '--setting-sources'],
  ...['--allowedTools', '--disallowedTools', '--help', '--version'],
];

/** Options that the help does not list. */
const HIDDEN: readonly HelpOption[] = [
  { name: '--max-turns', takes: 'value', choices: [] },
  { name: '--system-prompt-file', takes: 'value', choices: [] },
  { name: '--append-system-prompt-file', takes: 'value', choices: [] },
  { name: '--nosuch-option', takes: 'nothing', choices: [] },
];

/** Values for options that take any text. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--add-dir': DIRECTORIES,
  '--agents': ['{}', '{"r":{"description":"d","prompt":"p"}}'],
  '--append-system-prompt': ['Be brief.', ''],
  '--append-system-prompt-file': ['a.txt', 'nosuch.txt', 'src'],
  '--autocompact': ['auto', '200k', 'nonsense'],
  '--betas': ['some-beta'],
  '--debug-file': ['debug.log'],
  '--effort': ['low', 'max', 'nonsense'],
  '--fallback-model': ['haiku', 'sonnet'],
  '--json-schema': ['{"type":"object"}', '{'],
  '--max-budget-usd': ['5', '0', 'many'],
  '--max-turns': ['1', '2', '0', '-1', 'many'],
  '--mcp-config': ['{"mcpServers":{}}', '{', 'nosuch.json'],
  '--model': ['sonnet', 'opus', 'claude-nosuch'],
  '--name': ['a name'],
  '--plugin-dir': ['src', 'nosuch'],
  '--session-id': ['7c9e6679-7425-40de-944b-e07fc1f90ae7', 'abc'],
  '--system-prompt': ['Be brief.', ''],
  '--system-prompt-file': ['a.txt', 'nosuch.txt', 'src'],
  '--tools': ['Bash,Read', 'default', ''],
};
