import type { Promises } from '../../../src/authoring.js';

export const flags: Promises = {
  'prompt-text': {
    promise: '-p is the objective, word for word: an @file in it is not expanded.',
    source: 'ralph-cli/src/loop_runner.rs: resolve_prompt_content',
    about: ['command run', 'flag run --prompt'],
    heldBy: { 'run-flags': ['promptFlag', 'promptFlagBeforeFile'] },
  },
  'prompt-file': {
    promise: '-P reads the objective from a file.',
    source: 'ralph-cli/src/loop_runner.rs: resolve_prompt_content',
    about: ['flag run --prompt-file'],
    heldBy: { 'run-flags': ['told', 'said'] },
  },
  'prompt-order': {
    promise:
      '-p and -P win over event_loop.prompt, which wins over PROMPT.md; -p wins over event_loop.prompt_file.',
    source: 'ralph-cli/src/main.rs: run_command; ralph-cli/src/loop_runner.rs: resolve_prompt_content',
    about: [
      'flag run --prompt',
      'flag run --prompt-file',
      'config event_loop.prompt',
      'config event_loop.prompt_file',
    ],
    heldBy: {
      'run-flags': [
        'promptOfTheFile',
        'promptFlag',
        'promptFileFlag',
        'promptFlagBeforeFile',
        'defaultPrompt',
      ],
    },
  },
  'prompt-missing': {
    promise: 'A prompt file that does not exist is refused by its name, and Ralph says how to pass a prompt.',
    source: 'ralph-cli/src/loop_runner.rs: resolve_prompt_content',
    about: ['flag run --prompt-file', 'config event_loop.prompt_file'],
    heldBy: { 'run-flags': ['missingPromptFile', 'missingDefaultPrompt'] },
  },
  backend: {
    promise: '-b wins over cli.backend.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --backend'],
    heldBy: { 'run-flags': ['backendFlag'], 'backend-arguments': ['amp', 'copilot'] },
  },
  'max-iterations': {
    promise: '--max-iterations wins over the configuration.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --max-iterations'],
    heldBy: { 'run-flags': ['ends', 'iterations', 'limitsAndPromise'] },
  },
  'completion-promise': {
    promise: '--completion-promise wins over the configuration: the prompt names it, and it ends the loop.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --completion-promise'],
    heldBy: { 'run-flags': ['ends', 'iterations', 'told'] },
  },
  'dry-run': {
    promise: '--dry-run prints the configuration after all layers, exits with 0 and starts nothing.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --dry-run'],
    heldBy: { 'config-layers': ['defaults'], 'run-flags': ['limitsAndPromise', 'longPromptIsCut'] },
  },
  'dry-run-files': {
    promise: '--dry-run creates no files of a loop, and leaves its folder as it was.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --dry-run'],
    heldBy: { 'config-layers': ['dryRunLeavesNothing', 'dryRunMakesNoFolder'] },
  },
  'idle-timeout': {
    promise: '--idle-timeout wins over cli.idle_timeout_secs.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --idle-timeout', 'config cli.idle_timeout_secs'],
    heldBy: { 'config-layers': ['modeOfTheFile', 'idleTimeoutFlag'] },
  },
  autonomous: {
    promise: '-a runs without a screen, as --no-tui does, and wins over cli.default_mode: interactive.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --autonomous', 'flag run --no-tui', 'config cli.default_mode'],
    heldBy: { 'config-layers': ['autonomous'] },
  },
  'default-mode': {
    promise: '--no-tui keeps cli.default_mode; without --no-tui and -a the mode is interactive.',
    source: 'ralph-cli/src/main.rs: run_command',
    about: ['flag run --no-tui', 'config cli.default_mode'],
    heldBy: { 'config-layers': ['modeOfTheFile', 'neither'] },
  },
  'preflight-before-run': {
    promise:
      'With features.preflight.enabled, a failed check ends the run with exit code 1 before any agent starts, and the message names the check.',
    source: 'ralph-cli/src/main.rs: run_auto_preflight',
    about: ['config features.preflight.enabled'],
    heldBy: { preflight: ['runStops', 'offByDefault'] },
  },
  'preflight-strict': {
    promise: 'A warning ends the run only with features.preflight.strict.',
    source: 'ralph-cli/src/main.rs: run_auto_preflight',
    about: ['config features.preflight.strict'],
    heldBy: { preflight: ['warningRuns', 'strictStops'] },
  },
  'preflight-skip-list': {
    promise: 'features.preflight.skip leaves checks out by name.',
    source: 'ralph-cli/src/main.rs: run_auto_preflight',
    about: ['config features.preflight.skip'],
    heldBy: { preflight: ['leftOut'] },
  },
  'skip-preflight': {
    promise: '--skip-preflight runs the loop although a check would fail.',
    source: 'ralph-cli/src/main.rs: run_auto_preflight',
    about: ['flag run --skip-preflight'],
    heldBy: { preflight: ['skipped', 'strictStops'] },
  },
  verbose: {
    promise:
      "-v shows the prompt of each iteration, the backend's stderr and the beginning of what is no part of its stream; without it they are not shown.",
    source:
      'ralph-cli/src/loop_runner.rs: run_loop_impl; ralph-adapters/src/cli_executor.rs: CliExecutor::execute',
    about: ['flag --verbose'],
    heldBy: {
      'run-verbosity': ['plain', 'verbose', 'verboseStream', 'verboseBefore'],
      'auth-failure': ['reported'],
      'issue-82-opencode-usable-error': ['reported'],
    },
  },
  'verbosity-variables': {
    promise:
      'RALPH_VERBOSE shows the same as -v, RALPH_QUIET or -q wins over it, and -v wins over RALPH_QUIET.',
    source: 'ralph-cli/src/main.rs: Verbosity::resolve',
    about: ['flag run --quiet'],
    heldBy: { 'run-verbosity': ['verboseVariable', 'verboseWins', 'quietFlag', 'quietVariable'] },
  },
  'record-session': {
    promise:
      '--record-session writes a line for the start of the loop, which says whether the old interface was asked for, and one for each event that Ralph publishes.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl; ralph-core/src/session_recorder.rs',
    about: ['flag run --record-session'],
    heldBy: { 'run-flags': ['recorded', 'shown'] },
  },
  color: {
    promise: '--color always colors the output; never and NO_COLOR do not.',
    source: 'ralph-cli/src/main.rs: ColorMode::should_use_colors',
    about: ['flag --color'],
    heldBy: { 'run-verbosity': ['colors', 'noColors', 'noColorsOnPipes', 'noColorWins'] },
  },
  'custom-args': {
    promise: "Arguments after -- are added to the backend's own, before the prompt.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'backend-arguments': ['argsAfterDashes', 'customPlain', 'strangerAndPlain'] },
  },
  conflicts: {
    promise:
      'Flags that exclude each other (-p and -P, -v and -q, --no-tui and -a) are refused with exit code 2, and so are unknown flags.',
    source: 'ralph-cli/src/main.rs: RunArgs',
    about: [
      'flag run --prompt',
      'flag run --prompt-file',
      'flag run --quiet',
      'flag --verbose',
      'flag run --autonomous',
      'flag run --no-tui',
    ],
    heldBy: { 'run-flags': ['twoPrompts', 'loudAndQuiet', 'twoModes', 'unknownFlag', 'loopIdAlone'] },
  },
  'bad-values': {
    promise:
      'A value that a flag cannot take (--max-iterations abc, --color blue) is refused with exit code 2.',
    source: 'ralph-cli/src/main.rs: RunArgs, ColorMode',
    about: ['flag run --max-iterations', 'flag --color'],
    heldBy: { 'run-flags': ['wordForNumber', 'unknownColor'] },
  },
  'global-flags-anywhere': {
    promise: '-c, -H and -v count before and after the subcommand.',
    source: 'ralph-cli/src/main.rs: Cli',
    about: ['flag --config', 'flag --hats', 'flag --verbose'],
    heldBy: {
      'config-layers': ['flagBeforeCommand', 'flagBeforeVariable'],
      'run-verbosity': ['verboseBefore', 'verbose'],
    },
  },
  version: {
    promise: 'ralph --version prints its version, and ralph --help its commands.',
    source: 'ralph-cli/src/main.rs: Cli',
    about: ['flag --version', 'flag --help'],
    heldBy: { 'run-flags': ['version', 'help'] },
  },
  init: {
    promise:
      'ralph init --backend <name> writes a ralph.yml that names the backend and that `ralph run` accepts.',
    source: 'ralph-cli/src/init.rs: init_from_backend, generate_template',
    about: ['command init', 'flag init --backend'],
    heldBy: { 'init-and-clean': ['init', 'initAccepted'] },
  },
  'init-usage': {
    promise: 'ralph init without flags says how to use it, and which backends there are.',
    source: 'ralph-cli/src/main.rs: init_command',
    heldBy: { 'init-and-clean': ['initUsage'] },
  },
  'init-existing': {
    promise: 'ralph init does not touch an existing ralph.yml without --force, and replaces it with --force.',
    source: 'ralph-cli/src/init.rs: check_file_exists',
    about: ['command init', 'flag init --force'],
    heldBy: { 'init-and-clean': ['initExisting', 'initKept', 'initForced', 'initReplaced'] },
  },
  'init-refusals': {
    promise:
      'ralph init refuses an unknown backend with the list of known ones, and --preset with what to do instead.',
    source: 'ralph-cli/src/main.rs: init_command; ralph-cli/src/backend_support.rs: unknown_backend_message',
    about: ['flag init --preset', 'flag init --backend'],
    heldBy: { 'init-and-clean': ['initUnknown', 'initPreset', 'initStillThere'] },
  },
  'init-presets': {
    promise: 'ralph init --list-presets lists every hat collection by name.',
    source: 'ralph-cli/src/init.rs: format_preset_list',
    about: ['flag init --list-presets'],
    heldBy: { doctor: ['listPresets'] },
  },
  preflight: {
    promise:
      'ralph preflight runs eight checks in a fixed order, and exits with 0 although there are warnings.',
    source:
      'ralph-core/src/preflight.rs: PreflightRunner::default_checks; ralph-cli/src/preflight.rs: execute',
    about: ['command preflight'],
    heldBy: { preflight: ['all'] },
  },
  'preflight-flags': {
    promise:
      'ralph preflight --strict fails on a warning, --check runs only the named checks, --format json prints the report as JSON.',
    source: 'ralph-cli/src/preflight.rs: execute',
    about: ['flag preflight --strict', 'flag preflight --check', 'flag preflight --format'],
    heldBy: { preflight: ['strict', 'noWarning', 'json', 'gitClean'] },
  },
  'preflight-config': {
    promise:
      'ralph preflight fails with exit code 1 on a configuration that a run would refuse, with the same reason.',
    source: 'ralph-core/src/preflight.rs: ConfigValidCheck',
    about: ['command preflight'],
    heldBy: { preflight: ['badConfig', 'warnedConfig'] },
  },
  'preflight-backend': {
    promise: 'ralph preflight fails if the backend is not installed, also for custom and auto.',
    source: 'ralph-core/src/preflight.rs: check_named_backend, check_auto_backend',
    about: ['command preflight'],
    heldBy: {
      preflight: ['all', 'missingBackend', 'missingCustom', 'missingAuto', 'disabledAuto', 'emptyCustom'],
    },
  },
  'preflight-broken-backend': {
    promise:
      'A backend that does not answer --version counts as missing, and auto goes on to the next one; a custom program only has to be there.',
    source: 'ralph-core/src/preflight.rs: command_supports_version, command_available',
    about: ['command preflight'],
    heldBy: {
      preflight: ['brokenNamed', 'brokenAuto', 'firstAuto', 'brokenCustom'],
      doctor: ['customAuto'],
    },
  },
  'preflight-git': {
    promise: 'ralph preflight warns about uncommitted changes, and names the branch of a clean repository.',
    source: 'ralph-core/src/preflight.rs: GitCleanCheck',
    about: ['command preflight'],
    heldBy: { preflight: ['gitClean', 'gitDirty'] },
  },
  'preflight-paths': {
    promise: 'ralph preflight creates the folders of notes and specs if they are missing, and says so.',
    source: 'ralph-core/src/preflight.rs: PathsExistCheck',
    about: ['command preflight', 'config core.specs_dir'],
    heldBy: { preflight: ['all', 'noWarning'] },
  },
  'preflight-specs': {
    promise:
      'ralph preflight warns about each specification without Given and Then at the start of a line, plain, bold or listed, except those marked as implemented.',
    source: 'ralph-core/src/preflight.rs: check_spec_completeness, has_acceptance_criteria',
    about: ['command preflight', 'config core.specs_dir'],
    heldBy: { preflight: ['specs', 'goodSpecs', 'noSpecs', 'all'] },
  },
  'preflight-tools': {
    promise: 'In a git repository, ralph preflight fails if git is not on the PATH.',
    source: 'ralph-core/src/preflight.rs: ToolsInPathCheck',
    about: ['command preflight'],
    heldBy: { preflight: ['tools', 'all'], doctor: ['noGit'] },
  },
  'preflight-unknown-check': {
    promise: 'ralph preflight refuses an unknown check and lists the known ones.',
    source: 'ralph-cli/src/preflight.rs: validate_checks',
    about: ['flag preflight --check'],
    heldBy: { preflight: ['unknownCheck'] },
  },
  doctor: {
    promise: 'ralph doctor checks configuration, hats and backend, and exits with 1 if one of them fails.',
    source: 'ralph-cli/src/doctor.rs: execute',
    about: ['command doctor'],
    heldBy: { doctor: ['healthy', 'missingBackend'] },
  },
  'doctor-hats': {
    promise:
      'ralph doctor also checks the backend of every hat, and reports a bad hat collection with the reason.',
    source: 'ralph-cli/src/doctor.rs: backend_checks, hat_collection_check',
    about: ['command doctor'],
    heldBy: { doctor: ['hats', 'badHats'] },
  },
  'doctor-auth': {
    promise:
      'ralph doctor names the variable with the key of each backend in use, and is content if it is set.',
    source: 'ralph-cli/src/doctor.rs: auth_hint_check, auth_env_vars',
    about: ['command doctor'],
    heldBy: { doctor: ['healthy', 'withoutKey'] },
  },
  clean: {
    promise: 'ralph clean deletes the folder of the scratchpad, as configured, and nothing else.',
    source: 'ralph-cli/src/main.rs: clean_command',
    about: ['command clean'],
    heldBy: { 'init-and-clean': ['clean', 'cleanOwn', 'deletes'] },
  },
  'clean-dry-run': {
    promise: 'ralph clean --dry-run lists what would go and deletes nothing.',
    source: 'ralph-cli/src/main.rs: clean_command',
    about: ['flag clean --dry-run'],
    heldBy: { 'init-and-clean': ['cleanDry', 'dryRunsDeleteNothing'] },
  },
  'clean-diagnostics': {
    promise: 'ralph clean --diagnostics deletes only the diagnostics.',
    source: 'ralph-cli/src/lib.rs: clean_diagnostics',
    about: ['flag clean --diagnostics'],
    heldBy: { 'init-and-clean': ['cleanDiagnostics', 'cleanDiagnosticsDry', 'deletes'] },
  },
  'clean-nothing': {
    promise: 'ralph clean with nothing to delete says so and exits with 0.',
    source: 'ralph-cli/src/main.rs: clean_command',
    about: ['command clean'],
    heldBy: { 'init-and-clean': ['cleanNothing'] },
  },
  completions: {
    promise:
      'ralph completions prints a script for each supported shell that knows the commands, and refuses other shells.',
    source: 'ralph-cli/src/main.rs: completions_command',
    about: ['command completions'],
    heldBy: { doctor: ['bash', 'zsh', 'fish', 'otherShell'] },
  },
  sessions: {
    promise:
      '`ralph plan` and `ralph code-task` start the configured or named backend with the idea, and refuse an unknown one.',
    source: 'ralph-cli/src/sop_runner.rs: run_sop',
    about: [
      'command plan',
      'flag plan --backend',
      'flag plan --teams',
      'command code-task',
      'flag code-task --backend',
      'flag code-task --teams',
    ],
    heldBy: { 'plan-arguments': ['configured', 'task', 'teams', 'unknown', 'codex'] },
  },
  tutorial: {
    promise: 'ralph tutorial prints all its steps if there is no terminal.',
    source: 'ralph-cli/src/main.rs: tutorial_command',
    about: ['command tutorial'],
    heldBy: { doctor: ['tutorial'] },
  },
  'where the interface is': {
    promise:
      'On a terminal, Ralph has its interface, with --legacy-tui too; with --no-tui or -a, and if its input or output is not a terminal, it has none.',
    source: 'ralph-cli/src/main.rs: run_command',
    heldBy: { 'where-the-interface-is': ['shown', 'hidden', 'piped', 'bare'] },
    about: ['flag run --no-tui', 'flag run --autonomous'],
  },
};
