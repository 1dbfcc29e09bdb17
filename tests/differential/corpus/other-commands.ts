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
      ['hats', 'show', 'nobody'],
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
    commands: [run(), 'ralph clean --dry-run | sort', ['clean'], ['clean']],
  },
  {
    name: 'command: a skill that is not there',
    covers: '§9 tools skill',
    commands: [['tools', 'skill', 'load', 'nobody']],
  },
];
