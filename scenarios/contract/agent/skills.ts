import type { Promises } from '../../../src/authoring.js';

export const skills: Promises = {
  'index-in-prompt': {
    promise: 'The prompt lists every skill by name, with its description and the command that loads it.',
    source: 'ralph-core/src/skill_registry.rs: build_index',
    heldBy: { 'skills-offered': ['index'], 'prompt-configured': ['index'], 'skill-for-one-hat': ['offered'] },
    about: ['config skills.enabled'],
  },
  'index-off': {
    promise: 'With skills off, the prompt has neither the list nor any skill.',
    source: 'ralph-core/src/event_loop/mod.rs: with_context_and_diagnostics',
    heldBy: { 'prompt-solo': ['noSkills'], 'ask-unanswered': ['noSkill'] },
    about: ['config skills.enabled'],
  },
  'index-follows-features': {
    promise:
      'The skill for tasks is there only with tasks on, and the one for memories only with memories on.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    heldBy: {
      'skills-offered': ['features'],
      'prompt-configured': ['skills', 'apart', 'index'],
      'memory-disabled': ['taskSkill'],
    },
  },
  dirs: {
    promise:
      'Skills come from every folder in skills.dirs: <name>.md and <name>/SKILL.md, and no other files.',
    source: 'ralph-core/src/skill_registry.rs: scan_directory',
    heldBy: { 'skills-offered': ['index', 'names'] },
    about: ['config skills.dirs'],
  },
  frontmatter: {
    promise:
      "A skill's name and description come from its front matter; without one, the name comes from the file or folder.",
    source: 'ralph-core/src/skill_registry.rs: register_from_file',
    heldBy: { 'skills-offered': ['index', 'fields', 'ownFields'] },
  },
  'replaces-builtin': {
    promise: 'A skill of the project replaces the built-in skill with the same name.',
    source: 'ralph-core/src/skill_registry.rs: scan_directory',
    heldBy: { 'skills-offered': ['replaced'] },
  },
  'missing-dir': {
    promise: 'A folder of skills that does not exist is ignored, and the others are read.',
    source: 'ralph-core/src/skill_registry.rs: scan_directory',
    heldBy: { 'skills-offered': ['names'] },
  },
  'override-enabled': {
    promise: 'skills.overrides.<name>.enabled: false removes a skill, built-in or not.',
    source: 'ralph-core/src/skill_registry.rs: apply_overrides',
    heldBy: { 'skills-offered': ['hidden', 'names'] },
    about: ['config skills.overrides.*.enabled'],
  },
  'override-auto-inject': {
    promise:
      'skills.overrides.<name>.auto_inject: true puts the text of a skill into every prompt; without it, no prompt has it.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_custom_auto_skills',
    heldBy: { 'skills-offered': ['injected', 'notInjected'], 'skill-for-one-hat': ['injected'] },
    about: ['config skills.overrides.*.auto_inject'],
  },
  'override-backends': {
    promise:
      'A skill for certain backends, by front matter or override, is offered only on those; the override wins.',
    source: 'ralph-core/src/skill_registry.rs: is_visible',
    heldBy: { 'skills-offered': ['filtered', 'overridden', 'forTwo'] },
    about: ['config skills.overrides.*.backends'],
  },
  'override-hats': {
    promise: 'A skill for certain hats is offered only to those hats.',
    source: 'ralph-core/src/skill_registry.rs: is_visible',
    heldBy: { 'skill-for-one-hat': ['painterOnly', 'injectedOnly', 'offered', 'injected'] },
    about: ['config skills.overrides.*.hats'],
  },
  'override-tags': {
    promise: 'Tags come from the front matter; an override replaces them.',
    source: 'ralph-core/src/skill_registry.rs: apply_overrides',
    heldBy: { 'skills-offered': ['fields'] },
    about: ['config skills.overrides.*.tags'],
  },
  list: {
    promise:
      '`ralph tools skill list` prints the visible skills by name, as a table, as JSON with every field, or names only.',
    source: 'ralph-cli/src/skill_cli.rs: execute_list',
    heldBy: { 'skills-offered': ['names', 'fields', 'builtIn', 'table'] },
    about: [
      'command tools skill',
      'command tools skill list',
      'flag tools skill list --format',
      'flag tools skill --root',
    ],
  },
  load: {
    promise:
      '`ralph tools skill load` prints the whole text of a skill in its tags, without the front matter.',
    source: 'ralph-cli/src/skill_cli.rs: execute_load',
    heldBy: { 'skills-offered': ['loaded', 'file'] },
    about: ['command tools skill load'],
  },
  'load-unknown': {
    promise: '`ralph tools skill load` fails for an unknown skill and names those that there are.',
    source: 'ralph-cli/src/skill_cli.rs: execute_load',
    heldBy: { 'skills-offered': ['unknown'] },
  },
  'claude-skills': {
    promise: 'Without skills.dirs, the skill commands look into .claude/skills.',
    source: 'ralph-cli/src/skill_cli.rs: find_default_skills_dir',
    heldBy: { 'skills-by-default': ['names', 'loaded', 'configured'] },
  },
  'from any folder': {
    promise:
      'The skill commands find the project and its skills from a folder below it, and a configuration named ralph.yaml.',
    source: 'ralph-cli/src/skill_cli.rs: find_workspace_root',
    heldBy: { 'skills-by-default': ['below', 'loadedBelow', 'configured'] },
    about: ['flag tools skill --root'],
  },
  'dirs above': {
    promise: 'The skill commands look for a folder of skills.dirs also above the project.',
    source: 'ralph-cli/src/skill_cli.rs: resolve_configured_skills_dir',
    heldBy: { 'skills-by-default': ['configured'] },
    about: ['config skills.dirs'],
  },
};
