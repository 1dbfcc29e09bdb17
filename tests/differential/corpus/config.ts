import { completes, says } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

const bad = (name: string, config: string, covers = '§2.1'): DifferentialCase => ({
  name: `config: ${name}`,
  covers,
  config,
  agent: [completes],
});
const hat = (body: string) => `hats: {a: {${body}}}\n`;

/** Configs: how they are put together and what is wrong with them. */
export const CONFIG: readonly DifferentialCase[] = [
  bad('broken YAML', 'a: [1\n'),
  bad('a tab in YAML', 'cli:\n\tbackend: custom\n'),
  bad('a mapping in a mapping on one line', 'a: b: c\n'),
  bad('a key twice', 'a: 1\na: 2\n'),
  bad('not a map', '- a\n- b\n'),
  bad('a word', 'words'),
  bad('empty', ''),
  bad('only a comment', '# nothing\n'),
  bad('a text instead of a number', 'event_loop: {max_iterations: abc}\n'),
  bad('a negative number', 'event_loop: {max_iterations: -1}\n'),
  bad('a number instead of a section', 'cli: 3\n'),
  bad('a list instead of a section', 'event_loop: [1]\n'),
  bad('an invalid prompt mode', 'cli: {backend: custom, command: agent, prompt_mode: pigeon}\n'),
  bad('a hat without a name', hat('description: x')),
  bad('a hat without a description', hat('name: x')),
  bad('a hat with an empty description', hat('name: x, description: " "')),
  bad('a reserved trigger', hat('name: x, description: y, triggers: [task.start]')),
  bad('the other reserved trigger', hat('name: x, description: y, triggers: [task.resume]')),
  bad('a concurrency of zero', hat('name: x, description: y, triggers: [q.w], concurrency: 0')),
  bad(
    'a collector with workers',
    hat(
      'name: x, description: y, triggers: [q.w], concurrency: 2, aggregate: {mode: wait_for_all, timeout: 9}',
    ),
  ),
  bad('a number that is too large', 'event_loop: {max_iterations: 4294967296}\n'),
  bad('a robot without a time limit', 'RObot: {enabled: true, mode: web}\n'),
  {
    name: 'config: settings that no longer do anything',
    covers: '§2 warnings',
    config: loop({
      loop: 'max_iterations: 3, mutation_score_warn_threshold: 100.5',
      more: 'max_tokens: 1\nretry_delay: 2\narchive_prompts: true\nenable_metrics: true\nadapters: {amp: {tool_permissions: [read]}}\n',
    }),
    agent: [completes],
    commands: [run(), run('--dry-run'), ['preflight', '--check', 'config']],
  },
  {
    name: 'config: an interactive mode',
    covers: '§2 default_mode',
    config:
      'cli: {backend: custom, command: agent, default_mode: interactive, idle_timeout_secs: 17}\nverbose: true\n',
    commands: [
      run('--dry-run'),
      run('--dry-run', '--idle-timeout', '9'),
      ['run', '-a', '--dry-run', '-p', 'x'],
      ['run', '--dry-run', '-p', 'x'],
    ],
  },
  bad('custom without a command', 'cli: {backend: custom}\n'),
  bad('an empty promise', 'event_loop: {completion_promise: " "}\n'),
  {
    ...bad('prompt and prompt file', 'event_loop: {prompt: a, prompt_file: b.md}\n'),
    commands: [['run', '--no-tui']],
  },
  bad('project is no key', 'project: {name: x}\n'),
  {
    name: 'config: ambiguous triggers',
    covers: '§2.1, order of hats is random',
    config:
      'hats: {a: {name: x, description: y, triggers: [q.w]}, b: {name: x, description: y, triggers: [q.w]}}\n',
    commands: ['ralph run --no-tui -p x 2>&1 | sed -E "s/\'(a|b)\'/<hat>/g" | head -4'],
  },
  {
    name: 'config: a pattern and a name do not clash',
    covers: '§2.1 literal duplicates only',
    config: loop({
      more: 'hats: {a: {name: A, description: y, triggers: ["q.*"], instructions: i}, b: {name: B, description: y, triggers: [q.w], instructions: i}}\n',
    }),
    agent: [completes],
  },
  {
    name: 'config: warnings can be silenced, and with them all errors',
    covers: '§2 _suppress_warnings',
    config: loop({
      more: `_suppress_warnings: true\n${hat('name: x, description: y, triggers: [task.start], instructions: i')}`,
    }),
    agent: [completes],
  },
  {
    name: 'config: unknown keys pass',
    covers: '§2',
    config: loop({ more: 'nonsense: {a: 1}\nevent_lop: {x: 1}\n' }).replace(
      'prompt_mode: stdin',
      'prompt_mode: stdin, pty_mode: true',
    ),
    agent: [completes],
  },
  {
    name: 'config: flat keys of version 1',
    covers: '§2 v1 keys override',
    config:
      'agent: custom\nmax_iterations: 2\ncompletion_promise: FIN\ncli: {command: agent, prompt_mode: stdin}\nevent_loop: {max_iterations: 7, completion_promise: NO}\n',
    agent: [[says('FIN')]],
  },
  {
    name: "config: the user's own is the base",
    covers: '§1.1 layering',
    config:
      'cli: {backend: custom, command: agent, prompt_mode: stdin}\nevent_loop: {completion_promise: FIN}\n',
    home: {
      '.ralph/config.yml':
        'event_loop: {max_iterations: 2, completion_promise: NO}\nmemories: {enabled: false}\n',
    },
    agent: [[says('x')], [says('FIN')]],
  },
  {
    name: 'config: hats of a file of their own',
    covers: '§1.1 -H',
    files: {
      'hats.yml': `name: team\n${TWO_HATS}event_loop: {starting_event: build.task, max_iterations: 9, completion_promise: FIN}\n`,
    },
    agent: [[says('FIN')]],
    commands: [run('-H', 'hats.yml')],
  },
  {
    name: 'config: a hats file with other keys',
    covers: '§1.1 -H',
    files: { 'hats.yml': `${TWO_HATS}cli: {backend: claude}\n` },
    agent: [completes],
    commands: [run('-H', 'hats.yml')],
  },
  {
    name: 'config: a hats file without hats',
    covers: '§1.1 -H',
    files: { 'hats.yml': 'cli: {backend: claude}\n' },
    agent: [completes],
    commands: [run('-H', 'hats.yml')],
  },
  {
    name: 'config: a hats file that is not there',
    covers: '§1.1 -H',
    agent: [completes],
    commands: [run('-H', 'nope.yml')],
  },
  {
    name: 'config: a config that is not there is a warning',
    covers: '§1.1 -c',
    config: null,
    backends: { claude: 'stdin' },
    agent: [completes],
    commands: [run('-c', 'nope.yml')],
  },
  {
    name: 'config: none at all',
    covers: '§1.1',
    config: null,
    backends: { claude: 'stdin' },
    agent: [completes],
  },
  {
    name: 'config: of the environment',
    covers: '§1.1 RALPH_CONFIG',
    config: null,
    files: { 'other.yml': loop() },
    env: { RALPH_CONFIG: 'other.yml' },
    agent: [completes],
  },
  {
    name: 'config: a built-in one is refused',
    covers: '§1.1 -c builtin:',
    agent: [completes],
    commands: [run('-c', 'builtin:debug')],
  },
  {
    name: 'config: an unknown override of core is a warning',
    covers: '§1.1 -c core.x',
    agent: [completes],
    commands: [run('-c', 'ralph.yml', '-c', 'core.nonsense=1')],
  },
  {
    name: 'config: only the one in the current folder',
    covers: '§1.1 no upward search',
    backends: { claude: 'stdin' },
    agent: [completes],
    commands: ['mkdir sub && cd sub && ralph run --no-tui -p x >/dev/null; echo "exit $?"; ls -A'],
  },
  bad(
    'a hook without a policy',
    'hooks: {enabled: true, events: {pre.loop.start: [{name: x, command: [ls]}]}}\n',
  ),
  bad(
    'a hook without a command',
    'hooks: {enabled: true, events: {pre.loop.start: [{name: x, command: [], on_error: warn}]}}\n',
  ),
  bad(
    'a hook in a phase that does not exist',
    'hooks: {enabled: true, events: {pre.nothing: [{name: x, command: [ls], on_error: warn}]}}\n',
  ),
  bad('a list of triggers that is a text', hat('name: x, description: y, triggers: "a.b"')),
  bad('inject that does not exist', 'memories: {inject: sometimes}\n'),
  {
    name: 'config: a hat without triggers is never woken',
    covers: '§4.3',
    config: loop({ more: hat('name: Idle, description: idles, publishes: [x.y], instructions: i') }),
    agent: [[says('x')], completes],
  },
  {
    name: 'config: settings without effect',
    covers: '§2 starting_hat, context_window_tokens, mutation_score_warn_threshold, tui',
    config: loop({
      loop: 'max_iterations: 3, starting_hat: reviewer, context_window_tokens: 1000, mutation_score_warn_threshold: 80',
      more: `tui: {prefix_key: ctrl-b}\nevents: {build.task: {description: d, on_trigger: t, on_publish: p}}\n${TWO_HATS}`,
    }),
    agent: [completes],
  },
  {
    name: 'config: a hat from a file',
    covers: '§2 import',
    config: loop({
      loop: 'max_iterations: 3, starting_event: a.go',
      more: 'hats: {a: {import: hats/a.yml, description: mine}}\n',
    }),
    files: {
      'hats/a.yml':
        'name: Imported\ndescription: theirs\ntriggers: [a.go]\npublishes: [a.over]\ninstructions: From a file.\n',
    },
    agent: [completes],
    commands: [run(), ['hats', 'show', 'a']],
  },
  {
    name: 'config: preflight on',
    covers: '§2 features.preflight',
    config: loop({ more: 'features: {preflight: {enabled: true}}' }),
    agent: [completes],
  },
  {
    name: 'config: preflight on, and failing',
    covers: '§2 features.preflight',
    config: 'cli: {backend: custom, command: nope}\nfeatures: {preflight: {enabled: true}}\n',
    commands: [run(), run('--skip-preflight'), 'ralph run --no-tui -p x 2>&1 >/dev/null | grep Preflight'],
  },
  {
    name: 'config: only the first of several files counts',
    covers: '§1.1 -c',
    files: { 'one.yml': loop({ loop: 'max_iterations: 2' }), 'two.yml': loop({ loop: 'max_iterations: 7' }) },
    agent: [[says('x')]],
    commands: [run('-c', 'one.yml', '-c', 'two.yml')],
  },
  {
    name: 'config: another folder for specs',
    covers: '§1.1 -c core.specs_dir=',
    agent: [completes],
    commands: [run('-c', 'ralph.yml', '-c', 'core.specs_dir=my-specs/')],
  },
  {
    name: 'config: a hat from a file that imports another one',
    covers: '§2 import',
    config: loop({ more: 'hats: {a: {import: hats/a.yml}}\n' }),
    files: { 'hats/a.yml': 'import: b.yml\n' },
    commands: ['ralph run --no-tui -p x 2>&1 | head -5'],
  },
];
