import type { Promises } from '../../../src/authoring.js';

export const memories: Promises = {
  'add-stores-it': {
    promise: 'A new memory is stored under the heading of its type, with its tags and the date of the day.',
    source: 'ralph-core/src/memory_store.rs: append',
    heldBy: {
      'memory-add': ['stored', 'listed', 'file', 'command'],
      'memory-types': ['storedPattern', 'storedDecision', 'storedFix', 'storedContext', 'command'],
      'memory-add-options': ['tagged', 'today'],
      'memory-skill': ['stored'],
      'memory-list-by-tag': ['command', 'stored'],
      'memory-persistence': ['command'],
      'memory-persistence-git': ['command'],
      'memory-corrupted-file': ['command', 'stored'],
      'memory-missing-file': ['command'],
      'memory-rapid-write': ['command'],
      'memory-large-content': ['command'],
      'memory-blank-lines': ['command'],
    },
    about: ['command tools memory add', 'flag tools memory add --type', 'flag tools memory add --tags'],
  },
  'add-defaults': {
    promise: 'A memory without a type is a pattern, and a memory without tags has none.',
    source: 'ralph-cli/src/memory.rs: AddArgs',
    heldBy: { 'memory-add-options': ['plain', 'plainAnswer'] },
    about: ['command tools memory add'],
  },
  'add-trims-tags': {
    promise: 'Tags are separated by commas, and spaces around them do not count.',
    source: 'ralph-cli/src/memory.rs: add_command',
    heldBy: { 'memory-add-options': ['tagged', 'taggedAnswer'] },
    about: ['flag tools memory add --tags'],
  },
  'add-several-lines': {
    promise: 'A memory of several lines keeps its lines.',
    source: 'ralph-core/src/memory_store.rs: format_memory',
    heldBy: {
      'memory-delete-keeps-others': ['rest'],
      'memory-list-formats': ['json', 'shown'],
      'memory-large-content': ['stored', 'listed', 'injected'],
    },
    about: ['command tools memory add'],
  },
  'blank-lines': {
    promise: 'A memory keeps the blank lines between its paragraphs.',
    source: 'ralph-core/src/memory_parser.rs: parse_memories',
    heldBy: { 'memory-blank-lines': ['listed'] },
  },
  'add-formats': {
    promise: 'A new memory is confirmed with its id, as JSON, as markdown or as the bare id.',
    source: 'ralph-cli/src/memory.rs: add_command',
    heldBy: {
      'memory-add-options': ['plainAnswer', 'taggedAnswer', 'quickAnswer', 'laterAnswer'],
      preflight: ['makesDirty'],
      'memory-blank-lines': ['file'],
    },
    about: ['flag tools memory add --format'],
  },
  'newest-first': {
    promise: 'A new memory stands before the older ones of its type.',
    source: 'ralph-core/src/memory_store.rs: find_section_insert_point',
    heldBy: { 'memory-add-options': ['newestFirst'] },
    about: ['command tools memory add'],
  },
  'missing-section': {
    promise: 'If the file lacks the heading of a type, the first memory of that type adds it.',
    source: 'ralph-core/src/memory_store.rs: append',
    heldBy: { 'memory-add-options': ['newestFirst', 'below'] },
    about: ['command tools memory add'],
  },
  'unknown-type': {
    promise:
      'An unknown type is refused, and the message lists the known ones. The case of a type does not count.',
    source: 'ralph-core/src/memory.rs: from_str',
    heldBy: { 'memory-add-options': ['refused', 'nothingWrong', 'tagged'] },
    about: ['flag tools memory add --type', 'flag tools memory list --type'],
  },
  'list-all': {
    promise: 'The list has every memory, by type and then as in the file.',
    source: 'ralph-cli/src/memory.rs: list_command',
    heldBy: { 'memory-list': ['listedAll'], 'memory-list-formats': ['all'] },
    about: ['command tools memory list'],
  },
  'list-filters': {
    promise: 'The list can be limited to a type, and then to the last memories of it.',
    source: 'ralph-cli/src/memory.rs: list_command',
    heldBy: {
      'memory-list': ['listedFixes', 'listedLast'],
      'memory-list-formats': ['last', 'fewerThanAsked', 'lastOfType'],
    },
    about: ['flag tools memory list --type', 'flag tools memory list --last'],
  },
  'list-formats': {
    promise:
      'The list is a table with type, age, tags and the beginning of the text, JSON with all fields, markdown, or ids.',
    source: 'ralph-cli/src/memory.rs: output_memories',
    heldBy: { 'memory-list-formats': ['json', 'markdown', 'tableTags', 'tableCut', 'tableCount', 'all'] },
    about: ['flag tools memory list --format', 'flag tools memory search --format'],
  },
  ages: {
    promise:
      'The table and `memory show` say how old a memory is: today, yesterday, in days, weeks or months, and after a year with its date.',
    source: 'ralph-cli/src/memory.rs: format_relative_date_with_today',
    heldBy: { 'memory-ages': ['ages', 'shown'] },
    about: ['command tools memory list', 'command tools memory show'],
  },
  'list-by-tag': {
    promise: 'The list can be limited to tags, as the skill teaches.',
    source: 'ralph-core/data/ralph-tools-memories.md: list',
    heldBy: { 'memory-list-by-tag': ['listed', 'file'] },
    about: ['command tools memory list'],
  },
  'empty-store': {
    promise: 'With no memories, the list says so and how to add one.',
    source: 'ralph-cli/src/memory.rs: list_command',
    heldBy: { 'memory-init': ['empty'] },
    about: ['command tools memory list'],
  },
  'show-one': {
    promise:
      'One memory is shown by its id with type, date, tags and all its lines; an unknown id is an error.',
    source: 'ralph-cli/src/memory.rs: show_command',
    heldBy: {
      'memory-show': ['shown', 'unknownId', 'file'],
      'memory-list-formats': ['shown', 'shownJson', 'shownQuiet', 'shownMarkdown'],
    },
    about: ['command tools memory show', 'flag tools memory show --format'],
  },
  'delete-one': {
    promise: 'A deleted memory is gone, and all others stay with type, tags, date and order.',
    source: 'ralph-core/src/memory_store.rs: delete',
    heldBy: {
      'memory-delete': ['absent', 'deletes', 'stored', 'listed', 'answered', 'file'],
      'memory-delete-keeps-others': ['deleted', 'rest'],
    },
    about: ['command tools memory delete'],
  },
  'delete-unknown': {
    promise: 'The deletion of an unknown id is an error and changes nothing.',
    source: 'ralph-cli/src/memory.rs: delete_command',
    heldBy: { 'memory-add-options': ['deleteUnknown'] },
    about: ['command tools memory delete'],
  },
  'search-words': {
    promise: 'A search finds memories with the words in their text or tags, in any case, and no others.',
    source: 'ralph-core/src/memory.rs: matches_query',
    heldBy: {
      'memory-search': ['listed'],
      'memory-search-options': ['all', 'ofType'],
      'memory-injection-manual': ['found', 'file'],
    },
    about: ['command tools memory search'],
  },
  'search-filters': {
    promise: 'A search can be limited to a type and to tags. One of several tags is enough, in any case.',
    source: 'ralph-core/src/memory.rs: has_any_tag',
    heldBy: { 'memory-search-options': ['ofType', 'anyTag', 'wordAndTag', 'typeAlone'] },
    about: ['flag tools memory search --type', 'flag tools memory search --tags'],
  },
  'search-limit': {
    promise: 'A search shows the first ten matches and says how many there are; `--all` shows all.',
    source: 'ralph-cli/src/memory.rs: search_command',
    heldBy: { 'memory-search-options': ['ten', 'counted', 'more', 'all'] },
    about: ['flag tools memory search --all'],
  },
  'search-nothing': {
    promise: 'A search without a match says among how many memories it looked.',
    source: 'ralph-cli/src/memory.rs: search_command',
    heldBy: { 'memory-search-options': ['nothing'] },
    about: ['command tools memory search'],
  },
  'prime-filters': {
    promise:
      'Priming prints memories of several types, of tags and of the last days, and nothing if none match.',
    source: 'ralph-cli/src/memory.rs: prime_command',
    heldBy: { 'memory-prime': ['types', 'tags', 'recent', 'old', 'nothing'] },
    about: [
      'command tools memory prime',
      'flag tools memory prime --type',
      'flag tools memory prime --tags',
      'flag tools memory prime --recent',
    ],
  },
  'prime-budget': {
    promise:
      'Priming with a budget of tokens, four bytes each, prints the whole memories that fit and a note. Zero means all.',
    source: 'ralph-cli/src/memory.rs: truncate_to_budget',
    heldBy: { 'memory-prime': ['budget', 'unlimited'] },
    about: ['flag tools memory prime --budget'],
  },
  'prime-formats': {
    promise: 'Priming prints markdown, JSON, text or ids.',
    source: 'ralph-cli/src/memory.rs: prime_command',
    heldBy: { 'memory-prime': ['markdown', 'json', 'text', 'types'] },
    about: ['flag tools memory prime --format'],
  },
  'init-creates': {
    promise: 'The store can be created empty. An existing one is refused, unless it is forced.',
    source: 'ralph-core/src/memory_store.rs: init',
    heldBy: { 'memory-init': ['refused', 'stays', 'created', 'template', 'forced', 'overwritten'] },
    about: ['command tools memory init', 'flag tools memory init --force'],
  },
  root: {
    promise: 'The commands use the workspace around the current folder, or the one that is named.',
    source: 'ralph-cli/src/main.rs: resolve_workspace_root',
    heldBy: { 'memory-add-options': ['rooted', 'notRooted', 'below', 'nearest'], 'memory-init': ['created'] },
    about: [
      'command tools',
      'command tools memory',
      'command tools task',
      'flag tools memory --root',
      'flag tools task --root',
    ],
  },
  'inject-auto': {
    promise: 'With `inject: auto` every prompt begins with the memories, by type, with their tags.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    heldBy: {
      'memory-injection': ['injected', 'file'],
      'memory-types': ['injectedPattern', 'injectedContext', 'injectedDecision', 'injectedFix'],
      'memory-injection-filter': ['injected'],
    },
    about: ['config memories.inject'],
  },
  'inject-by-default': {
    promise: 'A configuration that does not mention memories injects all of them.',
    source: 'ralph-core/src/config.rs: MemoriesConfig',
    heldBy: { 'memory-injection-default': ['first', 'last'] },
    about: ['config memories.enabled', 'config memories.inject', 'config memories.budget'],
  },
  'inject-fresh': {
    promise: 'A memory that one iteration adds is in the prompt of the next.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    heldBy: {
      'memory-missing-file': ['injected', 'file'],
      'memory-types': ['injectedPattern', 'injectedDecision', 'injectedFix'],
      'memory-large-content': ['injected', 'file'],
    },
    about: ['config memories.inject'],
  },
  'missing-file': {
    promise: 'Without a file of memories the prompt has none, and the first memory creates the file.',
    source: 'ralph-core/src/memory_store.rs: MarkdownMemoryStore::load, append',
    heldBy: { 'memory-missing-file': ['noMemories', 'stored'] },
  },
  'inject-manual': {
    promise: 'With `inject: manual` or `none` no prompt has memories.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    heldBy: {
      'memory-injection-manual': ['keptOut', 'noMemories'],
      'memory-injection-none': ['keptOut', 'noMemories', 'stored'],
    },
    about: ['config memories.inject'],
  },
  'inject-none-skill': {
    promise: 'With `inject: none` the prompt does not teach the memory commands.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    heldBy: { 'memory-injection-none-skill': ['keptOut'] },
    about: ['config memories.inject'],
  },
  'teaches-commands': {
    promise:
      'With memories on, the prompt teaches the commands that add, search, list, show and delete memories.',
    source:
      'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill; ralph-core/data/ralph-tools-memories.md',
    heldBy: { 'memory-skill': ['add', 'search', 'list', 'show', 'delete', 'stored'] },
  },
  disabled: {
    promise: 'With memories disabled no prompt has memories or teaches their commands.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    heldBy: { 'memory-disabled': ['keptOut', 'noMemories', 'untaught'] },
    about: ['config memories.enabled'],
  },
  'inject-budget': {
    promise:
      'A budget counts tokens of four bytes: the prompt has every memory that fits as a whole, no other, and a note.',
    source: 'ralph-core/src/memory_store.rs: truncate_to_budget',
    heldBy: {
      'memory-injection-budget': [
        'budget',
        'lastThatFits',
        'marked',
        'firstThatDoesNot',
        'keptOut',
        'injected',
      ],
      'memory-injection-exact-budget': ['cut', 'keptOut', 'fits', 'uncut'],
    },
    about: ['config memories.budget'],
  },
  'inject-filter': {
    promise: 'A filter limits which types, tags and ages are injected.',
    source: 'ralph-core/src/config.rs: MemoriesFilter',
    heldBy: { 'memory-injection-filter': ['keptOut'] },
    about: ['config memories.filter.types', 'config memories.filter.tags', 'config memories.filter.recent'],
  },
  'kept-across-runs': {
    promise: 'Memories survive a fresh run, and a clean checkout.',
    source: 'ralph-core/src/memory_store.rs: MarkdownMemoryStore',
    heldBy: {
      'memory-persistence': ['injected', 'file'],
      'memory-persistence-git': ['injected', 'file'],
    },
    about: ['command tools memory add'],
  },
  damage: {
    promise: 'In a damaged file the intact memories count, and nothing else does.',
    source: 'ralph-core/src/memory_parser.rs: parse_memories',
    heldBy: { 'memory-corrupted-file': ['injected', 'listed', 'command', 'stored'] },
    about: ['command tools memory list'],
  },
  'other-headings': {
    promise: 'Text under a heading that is no memory belongs to no memory.',
    source: 'ralph-core/src/memory_parser.rs: parse_memories',
    heldBy: { 'memory-hand-written-heading': ['injected', 'listed'] },
  },
  'written-at-once': {
    promise: 'Commands that add memories at the same time lose none.',
    source: 'ralph-core/src/file_lock.rs: FileLock',
    heldBy: { 'memory-rapid-write': ['listed', 'file'] },
    about: ['command tools memory add'],
  },
};
