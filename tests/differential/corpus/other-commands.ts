import { completes, emits } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

/** `ralph events`, `hats`, `preflight`, `init` and `clean`. */
export const OTHER_COMMANDS: readonly DifferentialCase[] = [
  {
    name: 'command: events without a run',
    covers: '§9 events',
    commands: [['events'], ['events', '--format', 'json']],
  },
  {
    name: 'command: events after a run, filtered',
    covers: '§9 events',
    agent: [[emits('a.b', 'one'), emits('c.d')], completes],
    commands: [
      'ralph run --no-tui -p x >/dev/null',
      ['events', '--format', 'json'],
      ['events', '--topic', 'a.b', '--format', 'json'],
      ['events', '--last', '1', '--format', 'json'],
      ['events', '--iteration', '1', '--format', 'json'],
      ['events', '--topic', 'nobody'],
    ],
  },
  {
    name: 'command: events as a table',
    covers: '§9 events',
    agent: [[emits('a.b', 'one')], completes],
    commands: ['ralph run --no-tui -p x >/dev/null', ['events']],
  },
  {
    name: 'command: events cleared',
    covers: '§9 events --clear',
    agent: [completes],
    commands: [run(), ['events', '--clear'], ['events']],
  },
  {
    name: 'command: events cleared where there are none',
    covers: '§9 events --clear',
    commands: [
      ['events', '--clear'],
      ['events', '--clear', '--file', 'none.jsonl'],
    ],
  },
  {
    name: 'command: events of a file',
    covers: '§9 events --file',
    files: { 'e.jsonl': '{"ts":"t","iteration":1,"hat":"loop","topic":"a.b","payload":"p"}\n' },
    commands: [['events', '--file', 'e.jsonl', '--format', 'json']],
  },
  {
    name: 'command: events from inside an iteration',
    covers: '§9 events',
    agent: [[emits('a.b'), 'ralph events --format json'], completes],
  },
  {
    name: 'command: hats list',
    covers: '§9 hats',
    config: loop({ more: TWO_HATS }),
    commands: [['hats', 'list'], ['hats', 'list', '--format', 'json'], ['hats']],
  },
  {
    name: 'command: hats show',
    covers: '§9 hats',
    config: loop({ more: TWO_HATS }),
    commands: [
      ['hats', 'show', 'builder'],
      ['hats', 'show', 'Re-viewer X'],
      ['hats', 'show', 'nobody'],
    ],
  },
  {
    name: 'command: hats graph as text',
    covers: '§9 hats graph --format mermaid and compact',
    config: loop({ more: TWO_HATS }),
    commands: [
      ['hats', 'graph', '--format', 'mermaid'],
      ['hats', 'graph', '--format', 'compact'],
    ],
  },
  {
    name: 'command: hats validate',
    covers: '§9 hats',
    config: loop({ more: TWO_HATS }),
    commands: [['hats', 'validate']],
  },
  {
    name: 'command: hats validate, a starting event without a hat',
    covers: '§9 hats',
    config: loop({ loop: 'starting_event: nobody.cares', more: TWO_HATS }),
    commands: [['hats', 'validate']],
  },
  {
    name: 'command: hats validate, an event that no hat waits for',
    covers: '§9 hats',
    config: loop({ more: 'hats: {a: {name: A, description: d, triggers: [a.do], publishes: [b.do]}}\n' }),
    commands: [['hats', 'validate']],
  },
  {
    name: 'command: hats of a config without',
    covers: '§9 hats',
    commands: [
      ['hats', 'list'],
      ['hats', 'validate'],
    ],
  },
  {
    name: 'command: preflight of config and backend',
    covers: '§9 preflight',
    commands: [
      ['preflight', '--check', 'config', '--format', 'json'],
      ['preflight', '--check', 'backend', '--format', 'json'],
    ],
  },
  {
    name: 'command: preflight, a backend that is not there',
    covers: '§9 preflight',
    config: 'cli: {backend: custom, command: nope}\n',
    commands: [['preflight', '--check', 'backend', '--format', 'json']],
  },
  {
    name: 'command: preflight, no backend is enabled',
    covers: '§9 preflight',
    config: 'cli: {backend: auto}\nagent_priority: [claude]\nadapters: {claude: {enabled: false}}\n',
    commands: [['preflight', '--check', 'backend', '--format', 'json']],
  },
  {
    name: 'command: preflight for people, strict, and of a check that does not exist',
    covers: '§9 preflight',
    config: 'cli: {backend: custom, command: ./gone}\n',
    commands: [
      ['preflight', '--check', 'backend', '--check', 'paths'],
      ['preflight', '--check', 'paths', '--format', 'json'],
      'rm -r .ralph',
      ['preflight', '--check', 'paths', '--strict'],
      ['preflight', '--check', 'luck'],
    ],
  },
  {
    name: 'command: init',
    covers: '§9 init',
    config: null,
    commands: [
      'ralph init --backend claude | head -1; grep -vE "^ *(#|$)" ralph.yml',
      ['init', '--backend', 'claude'],
      'ralph init --backend kiro --force | head -1; grep -vE "^ *(#|$)" ralph.yml',
      ['init', '--backend', 'auto'],
      'rm ralph.yml',
    ],
  },
  {
    name: 'command: clean',
    covers: '§9 clean',
    agent: [completes],
    env: { RALPH_DIAGNOSTICS: '1' },
    commands: [run(), 'ralph clean --dry-run | sort', ['clean'], ['clean'], ['clean', '--diagnostics']],
  },
  {
    name: 'command: a skill that is not there',
    covers: '§9 tools skill',
    commands: [['tools', 'skill', 'load', 'nobody']],
  },
  {
    name: 'command: skills for Claude, from the workspace, below it and above it',
    covers: '§9 tools skill, .claude/skills',
    config: null,
    files: {
      'ralph.yaml': 'cli: {backend: claude}\n',
      '.claude/skills/one/SKILL.md': 'Text of one.\n',
      '.claude/skills/two.md': '---\ndescription: The second\n---\nText of two.\n',
      'below/.claude/skills/three.md': 'Text of three.\n',
      'nested/ralph.yml': 'cli: {backend: claude}\n',
      'nested/deep/.claude/skills/four.md': 'Text of four.\n',
      'own/ralph.yaml': 'skills: {dirs: [mine, below/.claude/skills, gone]}\n',
      'own/mine/five.md': 'Text of five.\n',
      'own/.claude/skills/six.md': 'Text of six.\n',
    },
    commands: [
      ['tools', 'skill', 'list', '--format', 'quiet'],
      ['tools', 'skill', 'load', 'two'],
      ...['below', 'nested', 'nested/deep', 'own'].map(
        (folder) => `cd ${folder} && ralph tools skill list --format quiet`,
      ),
      ...['nested', 'own'].map((folder) => ['tools', 'skill', 'list', '--format', 'quiet', '--root', folder]),
    ],
  },
  {
    name: 'command: skills of the project, filtered, replaced and switched off',
    covers: '§9 tools skill list and load, skills.overrides',
    config: `cli: {backend: claude}
skills:
  dirs: [skills, gone, more]
  overrides: {b: {enabled: false}, c: {backends: [claude], tags: [x, y], hats: [h]}, robot-interaction: {auto_inject: true}}
`,
    files: {
      'skills/a.md': '---\nname: alpha\ndescription: "First one"\ntags: [t]\n---\n\nText of a.\n',
      'skills/b.md': '---\ndescription: off\n---\nb\n',
      'skills/c/SKILL.md': '---\nbackends: [kiro]\n---\nc\n',
      'more/d.md': '---\nbackends: [kiro]\n---\nd\n',
      'more/robot-interaction.md': 'own words\n',
    },
    commands: [
      ['tools', 'skill', 'list', '--format', 'quiet'],
      ['tools', 'skill', 'load', 'c'],
      ['tools', 'skill', 'load', 'd'],
      ['tools', 'skill', 'load', 'b'],
      ['tools', 'skill', 'load', 'robot-interaction'],
    ],
  },
  {
    name: 'command: skills of .claude/skills if no folder is named',
    covers: '§9 tools skill',
    config: 'cli: {backend: claude}\n',
    files: { '.claude/skills/a/SKILL.md': 'Text of a.\n' },
    commands: [
      ['tools', 'skill', 'list', '--format', 'quiet'],
      ['tools', 'skill', 'load', 'a'],
    ],
  },
];
