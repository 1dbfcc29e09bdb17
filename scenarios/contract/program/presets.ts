import { PRESETS, type Preset } from '../../../scenarios/5-hats/presets/walks.js';
import type { Promises } from '../../../src/authoring.js';

const COLLECTIONS = Object.entries<Preset>(PRESETS);

/** The scenarios of every collection that pass `choose`, each with these checks. */
const each = (
  ids: (name: string, preset: Preset) => readonly string[],
  checks: readonly string[],
): Record<string, readonly string[]> =>
  Object.fromEntries(
    COLLECTIONS.flatMap(([name, preset]) => ids(name, preset).map((id) => [id, checks] as const)),
  );

export const presets: Promises = {
  'happy-path': {
    promise: 'Every collection in the binary goes through its hats, from its starting event to its promise.',
    source: 'ralph-cli/src/presets.rs: PRESETS',
    heldBy: {
      ...each((name) => [`preset-${name}`], ['ends', 'ended', 'hats']),
      ...each(
        (name, { happy }) => (happy.length > 1 ? [`preset-${name}`] : []),
        ['ends', 'ended', 'hats', 'events', 'told'],
      ),
    },
    about: ['flag --hats'],
  },
  detours: {
    promise: 'Every event with which a hat of a collection rejects work brings the hat that does it again.',
    source: 'ralph-cli/src/presets.rs: PRESETS',
    heldBy: each(
      (name, { detours }) => Object.keys(detours).map((way) => `preset-${name}-${way}`),
      ['ends', 'ended', 'hats', 'events', 'told'],
    ),
  },
  'starting-event': {
    promise: 'A collection brings its starting event.',
    source: 'ralph-cli/src/preflight.rs: merge_hats_overlay',
    heldBy: {
      ...each((name, { happy }) => (happy.length > 1 ? [`preset-${name}`] : []), ['starts']),
      ...each((name, { detours }) => Object.keys(detours).map((way) => `preset-${name}-${way}`), ['starts']),
    },
    about: ['config event_loop.starting_event'],
  },
  'required-events': {
    promise: 'A collection brings the events that it requires: its loop does not complete before them.',
    source: 'ralph-cli/src/preflight.rs: ALLOWED_HATS_EVENT_LOOP_OVERLAY_KEYS',
    heldBy: each(
      (name, { requires }) => (requires.length > 0 ? [`preset-${name}-required`] : []),
      ['goesOn', 'named'],
    ),
    about: ['config event_loop.required_events'],
  },
  'list-builtin': {
    promise: '`ralph init --list-presets` lists every public collection in the binary and no other.',
    source: 'ralph-cli/src/presets.rs: list_presets',
    heldBy: { 'presets-listed': ['all'] },
    about: ['flag init --list-presets'],
  },
  'list-found': {
    promise: '`ralph hats list-presets` lists the collections below presets/.',
    source: 'ralph-cli/src/hats.rs: discover_presets',
    heldBy: { 'presets-listed': ['found'] },
    about: ['command hats list-presets', 'flag hats list-presets --format'],
  },
  'unknown-refused': {
    promise: 'An unknown collection is refused, and the message names those that exist.',
    source: 'ralph-cli/src/preflight.rs: load_hats_value',
    heldBy: { 'presets-listed': ['unknown'] },
  },
  'folder-hand-offs': {
    promise:
      'Each role of a folder is a hat that all events with a hand-off to it trigger, with its file or text as instructions.',
    source: 'ralph-core/src/preset_source.rs: build_overlay',
    heldBy: { 'hats-folder': ['hats', 'told', 'toldOther', 'listed', 'built'] },
  },
  'folder-defaults': {
    promise: 'A role of a folder that publishes nothing publishes the first of its events.',
    source: 'ralph-core/src/preset_source.rs: build_overlay',
    heldBy: { 'hats-folder': ['byDefault'] },
  },
  'folder-rules': {
    promise: 'The harness.md of a folder stands before the instructions of every role.',
    source: 'ralph-core/src/preset_source.rs: prepend_harness_into_hats',
    heldBy: { 'hats-folder': ['told', 'toldOther'] },
  },
  'folder-limits': {
    promise:
      'A folder brings its limit of iterations, its required events and its promise: that of the topology, or else that of autoloops.toml.',
    source: 'ralph-core/src/preset_source.rs: build_overlay',
    heldBy: { 'hats-folder': ['promise', 'strict'] },
  },
  'folder-places': {
    promise:
      'A name is looked up in presets/, then in the places of the user, then where the variables point; the first one wins.',
    source: 'ralph-cli/src/main.rs: resolve_preset_dir',
    heldBy: {
      'hats-folder-by-name': ['crew0', 'crew1', 'crew2', 'crew3', 'crew4', 'crew5', 'listed'],
    },
  },
};
