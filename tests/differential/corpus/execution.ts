import { completes, emits, says, saysAsClaude } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

const LEAN = 'skills: {enabled: false}\nmemories: {enabled: false}\ntasks: {enabled: false}\n';
const named = (name: string, more = '') =>
  `cli: {backend: ${name}${more}}\nevent_loop: {max_iterations: 3}\n`;
const json = (value: unknown) => says(JSON.stringify(value));

/** How a backend is run, how its output is understood, and backends of hats. */
export const EXECUTION: readonly DifferentialCase[] = [
  {
    name: 'backend: claude, what is text and what is not',
    covers: '§6.3 claude',
    config: 'event_loop: {max_iterations: 6}\n',
    backends: { claude: 'stdin' },
    agent: [
      [
        json({
          type: 'assistant',
          message: {
            content: [
              { type: 'thinking', thinking: 'x' },
              { type: 'text', text: 'LOOP_COMPLETE' },
            ],
          },
        }),
      ],
      [
        json({
          type: 'assistant',
          message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
        }),
      ],
      [
        json({
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'LOOP_COMPLETE' }] },
        }),
        saysAsClaude('going on'),
      ],
      [
        saysAsClaude('LOOP_COMPLETE'),
        json({
          type: 'result',
          subtype: 'success',
          is_error: true,
          duration_ms: 1,
          total_cost_usd: 0.5,
          num_turns: 1,
        }),
      ],
    ],
  },
  {
    name: 'backend: claude, texts are joined by newlines, and tags are found in them',
    covers: '§6.3 §0.2',
    config: 'event_loop: {max_iterations: 4}\n',
    backends: { claude: 'stdin' },
    agent: [[saysAsClaude('<event topic="a.b">from claude</event>')], [saysAsClaude('one', 'LOOP_COMPLETE')]],
  },
  {
    name: 'backend: claude without JSON is read as text',
    covers: '§6.3 raw output',
    config: named('claude'),
    backends: { claude: 'stdin' },
    agent: [completes],
  },
  {
    name: 'backend: a flood of output is read to its end',
    covers: '§6.2 execution',
    agent: [['seq 1 20000', ...completes]],
  },
  {
    name: 'backend: of a hat, by command',
    covers: '§4.3 per-hat backend',
    config: loop({
      loop: 'max_iterations: 4, starting_event: b.t',
      more: 'hats:\n  builder: {name: Builder, description: builds, triggers: [b.t], publishes: [b.f], instructions: "x", backend: {command: hat-agent, args: [one]}}\n',
    }),
    backends: { agent: 'stdin', 'hat-agent': 'arg' },
    agent: [[emits('b.f', 'x')], completes],
  },
  {
    name: 'backend: of a hat, by name, with arguments',
    covers: '§2 backend_args §4.3',
    config: loop({
      loop: 'max_iterations: 5, starting_event: b.t',
      more: `hats:
  builder: {name: Builder, description: builds, triggers: [b.t], publishes: [c.t], instructions: "x", backend: opencode, backend_args: [--hat]}
  closer: {name: Closer, description: closes, triggers: [c.t], publishes: [c.f], instructions: "y", backend: {type: claude, args: [--fast]}}
`,
    }),
    backends: { agent: 'stdin', opencode: 'arg', claude: 'stdin' },
    agent: [[emits('c.t', 'x')], [emits('c.f', 'x')], completes],
  },
  {
    name: 'backend: of a hat, kiro with an agent',
    covers: '§2 {type: kiro, agent}',
    config: loop({
      loop: 'max_iterations: 4, starting_event: b.t',
      more: 'hats:\n  builder: {name: Builder, description: builds, triggers: [b.t], publishes: [b.f], instructions: "x", backend: {type: kiro, agent: smith, args: [--more]}}\n',
    }),
    backends: { agent: 'stdin', 'kiro-cli': 'arg' },
    agent: [[emits('b.f', 'x')], completes],
  },
  {
    name: 'backend: of a hat, unknown name falls back to the global one',
    covers: '§4.3',
    config: loop({
      loop: 'max_iterations: 3, starting_event: b.t',
      more: 'hats:\n  builder: {name: Builder, description: builds, triggers: [b.t], publishes: [b.f], instructions: "x", backend: nonsense}\n',
    }),
    agent: [completes],
  },
  {
    name: 'backend: its environment and folder',
    covers: '§6.2 env',
    agent: [
      [
        'env | grep -E "^(RALPH_(BIN|WORKSPACE_ROOT|EVENTS_FILE)|TMPDIR|TMP|TEMP)=" | sort > env.txt',
        'echo "$PATH" | cut -d: -f1 >> env.txt',
        'pwd >> env.txt',
        says('LOOP_COMPLETE'),
      ],
    ],
  },
  {
    name: 'backend: stdin is empty when the prompt is an argument',
    covers: '§6.2',
    config: loop({ mode: 'arg', more: LEAN }),
    backends: { agent: 'arg' },
    agent: [['echo "in: $(cat)"', says('LOOP_COMPLETE')]],
  },
  {
    name: 'backend: not there',
    covers: '§1.3 backend missing',
    config: 'cli: {backend: custom, command: ./nope}\n',
  },
  { name: 'backend: named and not there', covers: '§1.3', config: named('amp') },
  {
    name: 'backend: not executable',
    covers: '§1.3',
    config: 'cli: {backend: custom, command: ./ralph.yml}\n',
  },
  {
    name: 'backend: executable, and no program',
    covers: '§1.3',
    config: 'cli: {backend: custom, command: ./words}\n',
    files: { words: 'echo hi\n' },
  },
  {
    name: 'backend: output that is not UTF-8 ends the run',
    covers: '§6.2',
    agent: [["printf 'a\\377b\\n'", 'sleep 0.3', says('LOOP_COMPLETE')]],
  },
  {
    name: 'backend: a child that keeps the pipe does not keep the loop',
    covers: '§6.2',
    agent: [[says('x'), '(sleep 2; echo LOOP_COMPLETE) &', 'exit 0'], completes],
  },
  {
    name: 'backend: pi and copilot without JSON',
    covers: '§6.3 raw output',
    config: named('pi'),
    backends: { pi: 'arg', copilot: 'arg' },
    agent: [completes],
    commands: [run(), run('-b', 'copilot')],
  },
  {
    name: 'backend: its own time limit',
    covers: '§2 adapters.<name>.timeout',
    config:
      'cli: {backend: gemini}\nevent_loop: {max_iterations: 4, max_consecutive_failures: 1}\nadapters: {gemini: {timeout: 1}}\n',
    backends: { gemini: 'arg' },
    agent: [[says('x'), 'exec sleep 60']],
  },
];
