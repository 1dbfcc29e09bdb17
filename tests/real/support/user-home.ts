import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A HOME as users of agent CLIs have it, each file with a word of its own. */
export interface UserHome {
  readonly path: string;
  readonly canaries: ReadonlyMap<string, string>;
}

/** Fills an empty folder with settings, instructions, skills, tools and servers of Claude Code and OpenCode. */
export function makeUserHome(path: string): UserHome {
  const canaries = new Map<string, string>();
  for (const [index, [file, render]] of Object.entries(FILES).entries()) {
    const word = `HOMEWORD${String(index).padStart(3, '0')}x`;
    canaries.set(file, word);
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), render(word));
  }
  return { path, canaries };
}

const plain = (word: string) => `Always remember the word ${word}.\n`;
const skill = (name: string) => (word: string) =>
  `---\nname: ${name}\ndescription: Knows ${word}\n---\nSay ${word}.\n`;
const agent = (name: string) => (word: string) =>
  `---\nname: ${name}\ndescription: Knows ${word}\nmode: subagent\n---\nSay ${word}.\n`;

const FILES: Readonly<Record<string, (word: string) => string>> = {
  'CLAUDE.md': plain,
  'AGENTS.md': plain,
  '.claude/CLAUDE.md': plain,
  '.claude/AGENTS.md': plain,
  '.claude/rules/canary.md': plain,
  '.claude/settings.json': (word) =>
    JSON.stringify({
      outputStyle: 'canary',
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `echo ${word}` }] }] },
    }),
  '.claude/output-styles/canary.md': agent('canary'),
  '.claude/skills/home-one/SKILL.md': skill('home-one'),
  '.claude/commands/home-command.md': agent('home-command'),
  '.claude/agents/home-agent.md': agent('home-agent'),
  '.claude.json': (word) => JSON.stringify({ mcpServers: { [word]: { command: 'true', args: [] } } }),
  '.agents/skills/home-two/SKILL.md': skill('home-two'),
  '.config/opencode/AGENTS.md': plain,
  '.config/opencode/opencode.json': (word) => JSON.stringify({ agent: { build: { prompt: word } } }),
  '.config/opencode/agent/home-agent.md': agent('home-agent'),
  '.config/opencode/agents/home-other.md': agent('home-other'),
  '.config/opencode/skill/home-three/SKILL.md': skill('home-three'),
  '.config/opencode/skills/home-four/SKILL.md': skill('home-four'),
  '.config/opencode/tool/canary.js': (word) =>
    `export default { description: '${word}', args: {}, execute: async () => '${word}' };\n`,
  '.opencode/agent/home-deep.md': agent('home-deep'),
  '.opencode/skills/home-five/SKILL.md': skill('home-five'),
};
