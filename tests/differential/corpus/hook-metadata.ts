import { HOOK_PHASES, type HookPhase } from '../../../src/domain/evidence/ralph-words.js';
import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop } from '../case.js';

/** Keeps the metadata that it is told in a diary. */
const DIARY = `sed -E 's/.*("metadata":.*),"phase".*/\\1/' >> diary.txt; echo " at $0" >> diary.txt`;

const mutating = (name: string, script: string, more = '') =>
  `{name: ${name}, command: [sh, -c, ${JSON.stringify(script)}, ${name}], on_error: warn, mutate: {enabled: true}${more}}`;

/** Reads what it is told, and hands on where it ran. Its name and its fields are not in alphabetical order. */
const handing = (phase: HookPhase, index: number) =>
  `${phase}: [${mutating(`${'qzbmxdaypckw'[index]}-${phase}`, `${DIARY}; echo '{"metadata": {"z": 1.50, "at": "'$0'", "list": [{"b": 1, "a": null}]}}'`)}]`;

const hooked = (maxIterations: number, events: readonly string[]) =>
  loop({
    loop: `max_iterations: ${maxIterations}`,
    more: `hooks: {enabled: true, events: {${events.join(', ')}}}\n`,
  });

/** Hooks whose output is metadata, or is not, and one that is told what is left of it. */
const told = (name: string, hooks: readonly string[], more: Partial<DifferentialCase> = {}) => ({
  name: `hook metadata: ${name}`,
  covers: '§2 hooks mutate',
  config: hooked(3, [
    `pre.loop.start: [${hooks.join(', ')}]`,
    `post.loop.start: [${mutating('reads', DIARY)}]`,
  ]),
  agent: [completes],
  log: /non-pass disposition/,
  ...more,
});

const GOOD = `echo '{"metadata": {"who": "'$0'"}}'`;

/** What becomes of the metadata that hooks print. */
export const HOOK_METADATA: readonly DifferentialCase[] = [
  {
    name: 'hook metadata: of every phase reaches the later ones',
    covers: '§2 hooks mutate',
    config: hooked(4, HOOK_PHASES.map(handing)),
    agent: [[emits('plan.draft', 'a plan'), emits('human.interact', 'Well?')], completes],
  },
  {
    name: 'hook metadata: reaches the hooks of an error',
    covers: '§2 hooks mutate',
    config: hooked(1, HOOK_PHASES.map(handing)),
    agent: [[says('x')]],
  },
  told('of hooks that fail counts too', [
    mutating('fails', `${GOOD}; exit 3`),
    mutating('hangs', `${GOOD}; exec sleep 30`, ', timeout_seconds: 1'),
    mutating('killed', `${GOOD}; kill -9 $$`),
  ]),
  told('is one object with one key', [
    mutating('words', 'echo hello'),
    mutating('nothing', ':'),
    mutating('list', "echo '[]'"),
    mutating('two', `${GOOD}; ${GOOD}`),
    mutating('more', `echo '{"metadata": {}, "also": 1}'`),
    mutating('other', `echo '{"prompt": "x"}'`),
    mutating('text', `echo '{"metadata": "x"}'`),
    mutating('many', `echo '{"metadata": []}'`),
    mutating('nil', `echo '{"metadata": null}'`),
    mutating('empty', `echo '{"metadata": {}}'`),
    mutating('roomy', `printf '\\n\\t {"metadata": {"deep": {"er": [true]}}} \\n\\n'`),
    mutating('cut', GOOD, ', max_output_bytes: 10'),
    mutating('said', `${GOOD} >&2`),
  ]),
  told('of a name is the last one', [
    mutating('same', `echo '{"metadata": {"first": 1, "both": 1}}'`),
    mutating('same', `echo '{"metadata": {"second": 2, "both": 2}}'`),
    mutating('same', 'echo oops'),
    `{name: plain, command: [sh, -c, ${JSON.stringify(GOOD)}], on_error: warn}`,
  ]),
  told(
    'of a hook that is tried again is that of the last attempt',
    [
      `{name: again, command: [./again.sh], on_error: suspend, suspend_mode: retry_backoff, mutate: {enabled: true}}`,
    ],
    {
      files: {
        'again.sh': `#!/bin/sh\necho run >> runs.txt\necho "{\\"metadata\\": {\\"run$(wc -l < runs.txt | tr -d ' ')\\": true}}"\n[ $(wc -l < runs.txt) -ge 3 ]\n`,
      },
    },
  ),
  ...["echo '{}'", `echo '{"metadata": 1, "b": 2, "a": 3}'`, `echo '{"metadata": 1}'`].map((script) => ({
    name: `hook metadata: blocks, ${script}`,
    covers: '§2 hooks mutate',
    config: hooked(3, [
      `pre.iteration.start: [${mutating('bad', script).replace('on_error: warn', 'on_error: block')}]`,
    ]),
    agent: [completes],
  })),
];
