import type { Promises } from '../promise.js';

export const emit: Promises = {
  'several-lines': {
    promise: 'A payload of several lines arrives whole, in the events file and in the next prompt.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['command emit'],
  },
  verbatim: {
    promise: 'Quotes, backslashes and characters outside ASCII in a payload arrive as they were given.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['command emit'],
  },
  'never-cut': {
    promise: 'A payload of a command is not cut, however long.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['command emit'],
  },
  'json-payload': {
    promise: 'With `--json` the record has the payload as JSON, and the prompt shows it as JSON.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'claude-events': ['countJson', 'heardCountJson'] },
    about: ['flag emit --json'],
  },
  'json-refused': {
    promise: 'With `--json` a payload that is not JSON is refused, and no event is recorded.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['flag emit --json'],
  },
  'no-payload': {
    promise: 'An event without a payload is recorded with none.',
    source: 'ralph-cli/src/main.rs: EmitArgs',
    about: ['command emit'],
  },
  'no-topic': {
    promise: 'A call without a topic is refused.',
    source: 'ralph-cli/src/main.rs: EmitArgs',
    about: ['command emit'],
  },
  'own-time': {
    promise: 'An event has the time that is given, or the current one.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['flag emit --ts'],
  },
  'file-outside-a-run': {
    promise: 'Before any run, an event goes to the file that is named, or to .ralph/events.jsonl.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['flag emit --file'],
  },
  'file-of-the-run': {
    promise: 'In a run, and after it, an event goes to the events file of that run, from any folder below.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['command emit', 'flag emit --file'],
  },
  confirmed: {
    promise: 'The command confirms the topic of the event.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['command emit'],
  },
  'several-in-order': {
    promise: 'Several events of an iteration all reach the next prompt, in their order.',
    source: 'ralph-core/src/event_reader.rs: read_new_events',
    about: ['command emit'],
  },
  'urgent-steer': {
    promise: 'An urgent message of a person refuses the next event once, and the refusal has every message.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    about: ['command emit'],
  },
  'events-of-the-run': {
    promise: '`ralph events` shows the events file of the latest run, or the one that is named.',
    source: 'ralph-cli/src/main.rs: events_command',
    about: ['command events', 'flag events --file'],
  },
  'events-filters': {
    promise: 'Events can be limited to a topic and to an iteration, and then to the last ones.',
    source: 'ralph-cli/src/main.rs: events_command',
    about: ['flag events --topic', 'flag events --iteration', 'flag events --last'],
  },
  'events-formats': {
    promise:
      'Events are shown as a table with iteration, hat, topic and payload, or as JSON with all fields.',
    source: 'ralph-cli/src/display.rs: print_events_table',
    about: ['flag events --format'],
  },
  'events-none': {
    promise: 'If nothing matches, or there was no run, the command says so.',
    source: 'ralph-cli/src/main.rs: events_command',
    about: ['command events'],
  },
  'events-clear': {
    promise: '`--clear` deletes the events.',
    source: 'ralph-core/src/event_logger.rs: clear',
    about: ['flag events --clear'],
  },
  'events-damage': {
    promise: 'Lines that are no events are left out, and the others are shown.',
    source: 'ralph-core/src/event_logger.rs: read_all',
    about: ['command events'],
  },
};
