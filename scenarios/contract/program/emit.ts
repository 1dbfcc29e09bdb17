import type { Promises } from '../../../src/authoring.js';

export const emit: Promises = {
  'several-lines': {
    promise: 'A payload of several lines arrives whole, in the events file and in the next prompt.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-payloads': ['lines', 'heardLines'] },
    about: ['command emit'],
  },
  verbatim: {
    promise: 'Quotes, backslashes and characters outside ASCII in a payload arrive as they were given.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-payloads': ['lines', 'heardLines'] },
    about: ['command emit'],
  },
  'never-cut': {
    promise: 'A payload of a command is not cut, however long.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-payloads': ['long', 'heardLong'] },
    about: ['command emit'],
  },
  'json-payload': {
    promise: 'With `--json` the record has the payload as JSON, and the prompt shows it as JSON.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'claude-events': ['countJson', 'heardCountJson'], 'emit-payloads': ['json'] },
    about: ['flag emit --json'],
  },
  'json-refused': {
    promise: 'With `--json` a payload that is not JSON is refused, and no event is recorded.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-command': ['refused', 'recorded'] },
    about: ['flag emit --json'],
  },
  'no-payload': {
    promise: 'An event without a payload is recorded with none.',
    source: 'ralph-cli/src/main.rs: EmitArgs',
    heldBy: { 'emit-payloads': ['bare'] },
    about: ['command emit'],
  },
  'no-topic': {
    promise: 'A call without a topic is refused.',
    source: 'ralph-cli/src/main.rs: EmitArgs',
    heldBy: { 'emit-command': ['noTopic'] },
    about: ['command emit'],
  },
  'own-time': {
    promise: 'An event has the time that is given, or the current one.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-payloads': ['late'] },
    about: ['flag emit --ts'],
  },
  'file-outside-a-run': {
    promise: 'Before any run, an event goes to the file that is named, or to .ralph/events.jsonl.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-command': ['named', 'recorded'] },
    about: ['flag emit --file'],
  },
  'file-of-the-run': {
    promise: 'In a run, and after it, an event goes to the events file of that run, from any folder below.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-command': ['later', 'ignored'], 'emit-payloads': ['below', 'late'] },
    about: ['command emit', 'flag emit --file'],
  },
  'file-of-the-environment': {
    promise: 'RALPH_EVENTS_FILE names the file that an event goes to, before everything else.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-payloads': ['apart', 'pending'] },
    about: ['command emit'],
  },
  confirmed: {
    promise: 'The command confirms the topic of the event.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-command': ['confirmed'] },
    about: ['command emit'],
  },
  'several-in-order': {
    promise: 'Several events of an iteration all reach the next prompt, in their order.',
    source: 'ralph-core/src/event_reader.rs: read_new_events',
    heldBy: { 'emit-payloads': ['pending'] },
    about: ['command emit'],
  },
  'urgent-steer': {
    promise: 'An urgent message of a person refuses the next event once, and the refusal has every message.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'emit-command': ['steered', 'recorded'] },
    about: ['command emit'],
  },
  'events-of-the-run': {
    promise: '`ralph events` shows the events file of the latest run, or the one that is named.',
    source: 'ralph-cli/src/main.rs: events_command',
    heldBy: { 'emit-command': ['recorded', 'named', 'later'], 'events-command': ['total'] },
    about: ['command events', 'flag events --file'],
  },
  'events-filters': {
    promise: 'Events can be limited to a topic and to an iteration, and then to the last ones.',
    source: 'ralph-cli/src/main.rs: events_command',
    heldBy: { 'events-command': ['topic', 'wholeTopic', 'iteration', 'last', 'lastOfTopic', 'neither'] },
    about: ['flag events --topic', 'flag events --iteration', 'flag events --last'],
  },
  'events-formats': {
    promise:
      'Events are shown as a table with iteration, hat, topic and payload, or as JSON with all fields.',
    source: 'ralph-cli/src/display.rs: print_events_table',
    heldBy: { 'events-command': ['topic', 'table', 'total', 'object'] },
    about: ['flag events --format'],
  },
  'events-none': {
    promise: 'If nothing matches, or there was no run, the command says so.',
    source: 'ralph-cli/src/main.rs: events_command',
    heldBy: { 'events-command': ['neither'], 'emit-command': ['cleared', 'ignored'] },
    about: ['command events'],
  },
  'events-clear': {
    promise: '`--clear` deletes the events.',
    source: 'ralph-core/src/event_logger.rs: clear',
    heldBy: { 'emit-command': ['clears', 'cleared'] },
    about: ['flag events --clear'],
  },
  'events-damage': {
    promise: 'Lines that are no events are left out, and the others are shown.',
    source: 'ralph-core/src/event_logger.rs: read_all',
    heldBy: { 'events-command': ['damaged', 'object'] },
    about: ['command events'],
  },
};
