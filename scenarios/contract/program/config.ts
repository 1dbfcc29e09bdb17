import type { Promises } from '../../../src/authoring.js';

export const config: Promises = {
  'default-file': {
    promise: 'Without -c, Ralph reads ralph.yml in the current folder.',
    source: 'ralph-cli/src/main.rs: default_config_path',
    about: ['flag --config'],
    heldBy: { 'config-layers': ['defaultFile'] },
  },
  'config-variable': {
    promise: 'Without -c, RALPH_CONFIG names the file instead; with -c, the variable does not matter.',
    source: 'ralph-cli/src/main.rs: default_config_path',
    about: ['flag --config'],
    heldBy: { 'config-layers': ['variable', 'flagBeforeVariable'] },
  },
  'config-flag': {
    promise: '-c names the file; of several files, the first one counts and Ralph warns.',
    source: 'ralph-cli/src/preflight.rs: load_core_value',
    about: ['flag --config'],
    heldBy: { 'config-layers': ['flagBeforeVariable', 'firstOfSeveral'] },
  },
  'missing-file': {
    promise: 'A configuration file that does not exist is a warning, and the defaults count.',
    source: 'ralph-cli/src/preflight.rs: load_core_value',
    about: ['flag --config'],
    heldBy: { 'config-layers': ['missingFile'] },
  },
  defaults: {
    promise:
      'Without settings: claude, PROMPT.md, LOOP_COMPLETE, 100 iterations, 14,400 s, 5 failures, the notes in .ralph/agent/scratchpad.md, specs in .ralph/specs/.',
    source: 'ralph-core/src/config.rs: EventLoopConfig::default, CoreConfig::default, CliConfig::default',
    about: [
      'config cli.backend',
      'config event_loop.prompt_file',
      'config event_loop.completion_promise',
      'config event_loop.max_iterations',
      'config event_loop.max_runtime_seconds',
      'config event_loop.max_consecutive_failures',
      'config core.scratchpad.path',
      'config core.specs_dir',
    ],
    heldBy: { 'config-layers': ['defaults', 'missingFile'] },
  },
  'user-file': {
    promise:
      "The user's own ~/.ralph/config.yml is below the project's file: settings merge key by key, the project's win.",
    source: 'ralph-cli/src/config_resolution.rs: merge_yaml_values, load_optional_user_config_value',
    heldBy: { 'config-layers': ['userFile', 'userFileAlone'] },
  },
  'lists-replaced': {
    promise: 'A list in a higher layer replaces the list below; it is not appended.',
    source: 'ralph-cli/src/config_resolution.rs: merge_yaml_values',
    about: ['config core.guardrails'],
    heldBy: { 'config-layers': ['userFile'] },
  },
  'core-overrides': {
    promise: '-c core.scratchpad=… and -c core.specs_dir=… win over every file, also without another -c.',
    source: 'ralph-cli/src/main.rs: ConfigSource::parse, apply_config_overrides',
    about: ['flag --config', 'config core.scratchpad.path', 'config core.specs_dir'],
    heldBy: { 'config-layers': ['coreOverrides', 'path', 'notes'] },
  },
  'unknown-core-override': {
    promise: 'Another -c core.<field>=… is a warning that names the known fields.',
    source: 'ralph-cli/src/main.rs: apply_config_overrides',
    about: ['flag --config'],
    heldBy: { 'config-layers': ['unknownOverride'] },
  },
  'equals-in-name': {
    promise: '-c with an equals sign names a file, unless it begins with core.',
    source: 'ralph-cli/src/main.rs: ConfigSource::parse',
    heldBy: { 'config-layers': ['equalsInName'] },
    about: ['flag --config'],
  },
  'scratchpad-forms': {
    promise: 'core.scratchpad is a path, or a mapping with enabled and path.',
    source: 'ralph-core/src/config.rs: deserialize_scratchpad_config',
    about: ['config core.scratchpad.path', 'config core.scratchpad.enabled'],
    heldBy: { 'config-layers': ['scratchpadAsMapping', 'defaults'] },
  },
  'flat-keys': {
    promise:
      'The flat keys of version 1 (agent, prompt_file, completion_promise, max_iterations, max_runtime, max_cost) count, and win over the nested ones.',
    source: 'ralph-core/src/config.rs: RalphConfig::normalize',
    about: [
      'config agent',
      'config prompt_file',
      'config completion_promise',
      'config max_iterations',
      'config max_runtime',
      'config max_cost',
      'config verbose',
    ],
    heldBy: { 'config-layers': ['flatKeys'], 'config-refused-settings': ['blankFlatPromise'] },
  },
  'dropped-keys': {
    promise:
      'Settings that no longer do anything (max_tokens, retry_delay, tool_permissions, archive_prompts, enable_metrics) are warnings on stderr, each with its name, and the loop runs.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: [
      'config max_tokens',
      'config retry_delay',
      'config archive_prompts',
      'config enable_metrics',
      'config adapters.claude.tool_permissions',
      'config adapters.gemini.tool_permissions',
      'config adapters.kiro.tool_permissions',
      'config adapters.codex.tool_permissions',
      'config adapters.amp.tool_permissions',
    ],
    heldBy: { 'config-layers': ['droppedKeys'] },
  },
  'bad-threshold': {
    promise: 'A mutation_score_warn_threshold outside 0 to 100 is a warning.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config event_loop.mutation_score_warn_threshold'],
    heldBy: { 'config-layers': ['droppedKeys'] },
  },
  'suppressed-warnings': {
    promise: '_suppress_warnings: true silences the warnings.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config _suppress_warnings'],
    heldBy: { 'config-layers': ['silencedWarnings'] },
  },
  'unknown-keys': {
    promise: 'A key that Ralph does not know is ignored.',
    source: 'ralph-core/src/config.rs: RalphConfig',
    heldBy: { 'config-layers': ['unknownKeys'] },
  },
  'project-key': {
    promise: 'The key project is refused, and the message names core instead.',
    source: 'ralph-cli/src/preflight.rs: validate_core_config_shape',
    heldBy: { 'config-refused-settings': ['projectKey'] },
  },
  'broken-yaml': {
    promise: 'A file that is not YAML, or not a mapping, is refused with its name.',
    source:
      'ralph-cli/src/config_resolution.rs: parse_yaml_value; ralph-cli/src/preflight.rs: validate_core_config_shape',
    heldBy: { 'config-refused-settings': ['brokenYaml', 'notAMapping'] },
  },
  'wrong-type': {
    promise: 'A value of the wrong type is refused, and the message names what was expected.',
    source: 'ralph-cli/src/preflight.rs: load_config_for_preflight',
    heldBy: { 'config-refused-settings': ['wordForNumber', 'wordForSwitch', 'unknownChoice'] },
  },
  'reserved-trigger': {
    promise:
      'A hat that waits for task.start or task.resume is refused, and the message names the hat and the trigger.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['topic task.start', 'topic task.resume', 'config hats.*.triggers'],
    heldBy: { 'config-refused-hats': ['refuses', 'reservedStart', 'reservedResume'] },
  },
  'ambiguous-trigger': {
    promise: 'Two hats with the same trigger are refused, and the message names the trigger and both hats.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config hats.*.triggers'],
    heldBy: { 'config-refused-hats': ['ambiguous'] },
  },
  'missing-description': {
    promise: 'A hat without a description, or with an empty one, is refused by its id.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config hats.*.description'],
    heldBy: { 'config-refused-hats': ['noDescription', 'blankDescription'] },
  },
  'missing-name': {
    promise: 'A hat without a name is refused.',
    source: 'ralph-core/src/config.rs: HatConfig',
    about: ['config hats.*.name'],
    heldBy: { 'config-refused-hats': ['noName'] },
  },
  'two-prompts': {
    promise:
      'event_loop.prompt and another event_loop.prompt_file together are refused, unless the command line has a prompt.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config event_loop.prompt', 'config event_loop.prompt_file'],
    heldBy: { 'config-refused-settings': ['twoPrompts', 'promptOfItsOwn'] },
  },
  'empty-promise': {
    promise: 'An empty or blank completion_promise is refused, whether from a file or from the command line.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config event_loop.completion_promise', 'flag run --completion-promise'],
    heldBy: { 'config-refused-settings': ['refuses', 'blankPromise', 'blankPromiseFlag'] },
  },
  'custom-without-command': {
    promise: 'The backend custom without cli.command, or with an empty one, is refused.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config cli.backend', 'config cli.command'],
    heldBy: {
      'config-refused-settings': [
        'customWithoutCommand',
        'customWithEmptyCommand',
        'customFlagWithoutCommand',
      ],
    },
  },
  'zero-concurrency': {
    promise: 'A hat with concurrency 0 is refused, and so is one with aggregate and more than one worker.',
    source: 'ralph-core/src/config.rs: RalphConfig::validate',
    about: ['config hats.*.concurrency', 'config hats.*.aggregate.mode'],
    heldBy: { 'config-refused-hats': ['noWorkers', 'aggregatesAndWorks'] },
  },
  'robot-without-timeout': {
    promise: 'RObot without timeout_seconds, or for Telegram without a token, is refused.',
    source: 'ralph-core/src/config.rs: RobotConfig::validate',
    about: [
      'config RObot.enabled',
      'config RObot.timeout_seconds',
      'config RObot.mode',
      'config RObot.telegram.bot_token',
    ],
    heldBy: { 'config-refused-settings': ['robotWithoutTimeout'] },
  },
  'refused-before-work': {
    promise:
      'A refused configuration exits with 1 before any agent starts and before the loop writes its files.',
    source: 'ralph-cli/src/main.rs: run_command',
    heldBy: {
      'config-refused-hats': ['refuses', 'neverCalled', 'leavesNothing'],
      'config-refused-settings': ['neverCalled'],
    },
  },
  'hats-file': {
    promise:
      '-H takes hats, starting_event, completion_promise and cancellation_promise from a file, and its hats replace those of ralph.yml.',
    source: 'ralph-cli/src/preflight.rs: merge_hats_overlay',
    about: ['flag --hats', 'config event_loop.starting_event', 'config event_loop.cancellation_promise'],
    heldBy: {
      'hats-file': ['ends', 'hats', 'ownName', 'promise', 'cancelled'],
      'hat-import': ['ofTheTeam'],
    },
  },
  'hats-file-limits': {
    promise:
      'A hats file cannot change other settings: its max_iterations, cli and the like are left out, with a warning.',
    source: 'ralph-cli/src/preflight.rs: normalize_hats_source_value, ALLOWED_HATS_EVENT_LOOP_OVERLAY_KEYS',
    about: ['flag --hats'],
    heldBy: { 'hats-file': ['limits'] },
  },
  'hats-file-refusals': {
    promise:
      'A hats file that does not exist, is no mapping, or has only other settings is refused by its name.',
    source: 'ralph-cli/src/preflight.rs: load_hats_value, normalize_hats_source_value',
    about: ['flag --hats'],
    heldBy: { 'config-refused-hats': ['noHatsFile', 'hatsFileWithoutHats', 'hatsFileIsList'] },
  },
  'unknown-collection': {
    promise: '-H builtin:<name> with an unknown name is refused, and the message lists the known ones.',
    source: 'ralph-cli/src/preflight.rs: load_hats_value',
    about: ['flag --hats'],
    heldBy: { doctor: ['unknownCollection'], 'presets-listed': ['unknown'] },
  },
  'builtin-config': {
    promise: '-c builtin:<name> is refused, and the message says to use -H.',
    source: 'ralph-cli/src/preflight.rs: load_core_value',
    about: ['flag --config'],
    heldBy: { 'config-refused-settings': ['builtinConfig'] },
  },
  'hat-import': {
    promise: "A hat can import a file next to the configuration; its own keys win over the file's.",
    source: 'ralph-cli/src/preflight.rs: resolve_hat_imports, merge_imported_hat',
    heldBy: { 'hat-import': ['imported', 'ownWins', 'ofTheTeam'] },
  },
  'hat-import-refusals': {
    promise:
      'An import of a missing file, of a file with imports of its own, or of one with events is refused with the hat and the file.',
    source: 'ralph-cli/src/preflight.rs: resolve_hat_imports',
    heldBy: { 'hat-import': ['missingRun', 'chainRun', 'eventsRun'] },
  },
  'extra-instructions': {
    promise: "extra_instructions are appended to a hat's instructions, in order.",
    source: 'ralph-core/src/config.rs: RalphConfig::normalize',
    about: ['config hats.*.extra_instructions'],
    heldBy: { 'hats-file': ['instructions'] },
  },
  'remote-sources': {
    promise: '-c and -H take an address; a page that cannot be fetched, or an import in it, is refused.',
    source: 'ralph-cli/src/preflight.rs: load_core_value, load_hats_value',
    about: ['flag --config', 'flag --hats'],
    not: 'Attempts have no network, and a server of the harness would be the only one to answer.',
  },
  'preset-folder': {
    promise: '-H takes a folder with autoloops.toml and topology.toml, or its name below presets/.',
    source: 'ralph-cli/src/main.rs: HatsSource::parse, resolve_preset_dir',
    about: ['flag --hats'],
    heldBy: {
      'hats-folder': ['ends', 'hats', 'told', 'promise', 'listed', 'torn', 'valid', 'strict'],
      'hats-folder-by-name': [
        ...['crew0', 'crew1', 'crew2', 'crew3', 'crew4', 'crew5'],
        ...['nowhere', 'halfOne', 'otherHalf'],
      ],
    },
  },
  'zero-and-limits': {
    promise: 'Numbers below zero, fractions or numbers too large for a setting are refused.',
    source: 'ralph-cli/src/preflight.rs: load_config_for_preflight',
    about: ['config event_loop.max_iterations'],
    heldBy: { 'config-refused-settings': ['negative', 'fraction', 'tooLarge'] },
  },
};
