import { completes, emits, says, writes } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

const LEAN = 'skills: {enabled: false}\nmemories: {enabled: false}\ntasks: {enabled: false}\n';

/** What the agent gets to read. */
export const PROMPT: readonly DifferentialCase[] = [
  {
    name: 'prompt: skills, memories and tasks off',
    covers: '§7 parts only when they apply',
    config: loop({ more: LEAN }),
    agent: [[says('x')], completes],
  },
  {
    name: 'prompt: skills off',
    covers: '§7.4 §7.7',
    config: loop({ more: 'skills: {enabled: false}' }),
    agent: [completes],
  },
  {
    name: 'prompt: memories off',
    covers: '§7.4',
    config: loop({ more: 'memories: {enabled: false}' }),
    agent: [completes],
  },
  {
    name: 'prompt: tasks off',
    covers: '§7.4',
    config: loop({ more: 'tasks: {enabled: false}' }),
    agent: [completes],
  },
  {
    name: 'prompt: memories and tasks off with hats',
    covers: '§7.4 §7.14',
    config: loop({ more: `memories: {enabled: false}\ntasks: {enabled: false}\n${TWO_HATS}` }),
    agent: [completes],
  },
  {
    name: 'prompt: an objective with headings, quotes and other scripts',
    covers: '§7.8 §7.10 verbatim',
    agent: [completes],
    commands: [
      ['run', '--no-tui', '-p', '# Title\n\n## DONE\n\nSay "hi" to `ß` and <b>日本</b>\n> quoted\n\n'],
    ],
  },
  {
    name: 'prompt: of a file',
    covers: '§1.1 -P',
    files: { 'task.md': 'from a file\nline two\n' },
    agent: [completes],
    commands: [['run', '--no-tui', '-P', 'task.md']],
  },
  {
    name: 'prompt: PROMPT.md by default',
    covers: '§2 prompt_file',
    files: { 'PROMPT.md': '\n  from the default file  \n\n' },
    agent: [completes],
    commands: [['run', '--no-tui']],
  },
  {
    name: 'prompt: inline in the config',
    covers: '§2 event_loop.prompt',
    config: loop({ loop: 'max_iterations: 3, prompt: "from the config"' }),
    agent: [completes],
    commands: [['run', '--no-tui']],
  },
  {
    name: 'prompt: of the command line beats file and config',
    covers: '§2 mutual exclusion is lifted by -p',
    config: loop({ loop: 'max_iterations: 3, prompt: "from the config", prompt_file: other.md' }),
    files: { 'other.md': 'from the file' },
    agent: [completes],
  },
  {
    name: 'prompt: an @ is not a file',
    covers: '§1.1 -p is literal',
    files: { 'task.md': 'from a file' },
    agent: [completes],
    commands: [['run', '--no-tui', '-p', '@task.md']],
  },
  {
    name: 'prompt: scratchpad comes back, its long end only',
    covers: '§7.2',
    config: loop({ loop: 'max_iterations: 5' }),
    agent: [
      [writes('.ralph/agent/scratchpad.md', '# Notes\n- [ ] open item\n')],
      ['(echo "# First"; seq 1 6000; echo "## Last") > .ralph/agent/scratchpad.md'],
      ['printf "   \\n" > .ralph/agent/scratchpad.md'],
      completes,
    ],
  },
  {
    name: 'prompt: the scratchpad of an earlier run is deleted',
    covers: '§3 agent/scratchpad.md',
    files: { '.ralph/agent/scratchpad.md': 'old notes\n' },
    agent: [completes],
  },
  {
    name: 'prompt: scratchpad elsewhere, by config and by override',
    covers: '§2 core.scratchpad §1.1 -c core.scratchpad=',
    config: loop({ loop: 'max_iterations: 4', more: 'core: {scratchpad: notes/pad.md}' }),
    agent: [['echo one >> notes/pad.md; echo two >> other.md'], completes],
    commands: [run(), run('-c', 'ralph.yml', '-c', 'core.scratchpad=other.md')],
  },
  {
    name: 'prompt: scratchpad switched off without hats stays on',
    covers: '§2 scratchpad enabled, forced in solo mode',
    config: loop({ more: 'core: {scratchpad: {enabled: false, path: x.md}}' }),
    agent: [['echo note > x.md'], completes],
  },
  {
    name: 'prompt: scratchpad switched off with hats',
    covers: '§2 scratchpad enabled',
    config: loop({ more: `core: {scratchpad: {enabled: false, path: x.md}}\n${TWO_HATS}` }),
    agent: [['echo note > x.md'], completes],
  },
  {
    name: 'prompt: guardrails of the config',
    covers: '§2 guardrails, numbered from 999',
    config: loop({ more: 'core: {guardrails: ["Be kind to cats", "Never sing"]}' }),
    agent: [completes],
  },
  {
    name: 'prompt: other notes are listed as context files',
    covers: '§7.6 AVAILABLE CONTEXT FILES',
    files: { '.ralph/agent/handoff.md': '# Old\n', '.ralph/agent/notes.txt': 'no\n' },
    agent: [completes],
  },
  {
    name: 'prompt: a second run lists what the first one left',
    covers: '§7.6 summary.md and handoff.md',
    agent: [completes],
    commands: [run(), run()],
  },
  {
    name: 'prompt: a hat with a scratchpad, tool restrictions and extra instructions',
    covers: '§2 hats §7.12',
    config: loop({
      loop: 'max_iterations: 5, starting_event: build.task',
      more: `hats:
  builder:
    name: Builder
    description: builds
    triggers: [build.task]
    publishes: [build.task, build.over]
    scratchpad: my.md
    disallowed_tools: [Edit, Write]
    extra_instructions: ["And be quick."]
    instructions: |
      # A heading
      Build it.

      ## DONE is not here
`,
    }),
    agent: [['echo note > my.md', emits('build.task', 'again')], completes],
  },
  {
    name: 'prompt: a hat without instructions gets the workflow, and the fast path at the start',
    covers: '§4.3 pitfall',
    config: loop({
      loop: 'max_iterations: 4, starting_event: work.go',
      more: 'hats:\n  worker: {name: Worker, description: works, triggers: [work.go], publishes: [work.over]}\n',
    }),
    agent: [[emits('work.go', 'again')], completes],
  },
  {
    name: 'prompt: a hat that publishes nothing and one that nobody hears',
    covers: '§7.12 publishing guide',
    config: loop({
      loop: 'max_iterations: 5, starting_event: a.go',
      more: `hats:
  a: {name: "A (first)", description: starts, triggers: [a.go], publishes: [b.go, lost.topic], instructions: "Go."}
  b: {name: B, description: ends, triggers: [b.go], instructions: "End."}
`,
    }),
    agent: [[emits('b.go')], completes],
  },
  {
    name: 'prompt: a hat for waves is told of them',
    covers: '§7.12 Wave Dispatch',
    config: loop({
      loop: 'max_iterations: 3, starting_event: a.go',
      more: `hats:
  a: {name: A, description: starts, triggers: [a.go], publishes: [b.go], instructions: "Go."}
  b: {name: B, description: works, triggers: [b.go], publishes: [c.done], instructions: "Work.", concurrency: 3}
`,
    }),
    agent: [completes],
  },
  {
    name: 'prompt: the coordinator is told where to begin',
    covers: '§7.12 After coordination',
    config: loop({ loop: 'max_iterations: 4, starting_event: nobody.cares', more: TWO_HATS }),
    agent: [completes],
  },
  {
    name: 'prompt: the diagnostics keep every one',
    covers: '§3 prompt-log.md',
    env: { RALPH_DIAGNOSTICS: '1' },
    agent: [[emits('a.b')], completes],
    commands: [
      run(),
      'grep -h "^# Iteration" .ralph/diagnostics/*/prompt-log.md; find .ralph/diagnostics -type f | sed "s|.*/||" | sort -u',
    ],
  },
  {
    name: 'prompt: verbose shows it on stderr',
    covers: '§1.2 -v',
    agent: [[says('out'), 'echo err >&2', 'sleep 0.2', says('LOOP_COMPLETE')]],
    commands: ['ralph run -v --no-tui -p "do the thing" 2>&1 >/dev/null | grep "PROMPT FOR"'],
  },
  {
    name: 'prompt: verbose shows the stderr of the backend',
    covers: '§1.2 [stderr]',
    agent: [['echo err >&2', 'sleep 0.2', says('LOOP_COMPLETE')]],
    commands: ['ralph run -v --no-tui -p "do the thing" 2>/dev/null | grep "^\\[stderr\\]"'],
  },
  {
    name: 'prompt: the scratchpad of a hat is deleted at a fresh start',
    covers: '§3 also per-hat ones',
    config: loop({
      loop: 'max_iterations: 3, starting_event: a.go',
      more: 'hats:\n  a: {name: A, description: d, triggers: [a.go], publishes: [a.over], instructions: "Go.", scratchpad: a.md}\n',
    }),
    files: { 'a.md': 'old notes\n' },
    agent: [completes],
  },
  {
    name: 'prompt: a skill of the project',
    covers: '§7.4 custom skills',
    config: loop({ more: 'skills: {dirs: [my-skills]}' }),
    files: { 'my-skills/sing.md': '---\nname: sing\ndescription: How to sing\n---\n# Sing\nLoudly.\n' },
    agent: [completes],
  },
  {
    name: 'prompt: a skill of the project that is always there',
    covers: '§7.4 <NAME-skill>',
    config: loop({ more: 'skills: {dirs: [my-skills], overrides: {sing: {auto_inject: true}}}' }),
    files: { 'my-skills/sing.md': '---\nname: sing\ndescription: How to sing\n---\n# Sing\nLoudly.\n' },
    agent: [completes],
  },
];
