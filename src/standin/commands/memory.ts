import { existsSync } from 'node:fs';
import { writeOutput } from '../../exec/direct-output.js';
import { type OptionSpec, type ParsedArgs, readCount, readOption } from '../argv.js';
import { CommandError, inContext, UsageError } from '../failure.js';
import { faulty } from '../faults.js';
import { makeId } from '../make-id.js';
import { appendTextFile, findWorkspace, layOutFiles, writeTextFile } from '../store/files.js';
import {
  addMemory,
  emptyMemories,
  type Memory,
  type MemoryType,
  readMemories,
  removeMemory,
  renderMemories,
} from '../store/memories.js';
import { renderDetails, renderOne, renderPrimed, renderTable, toJson } from './memory-render.js';
import { runSubcommand, type Subcommand, splitCommas } from './subcommands.js';

const FORMAT: OptionSpec = {
  long: 'format',
  value: 'FORMAT',
  choices: ['table', 'json', 'markdown', 'quiet'],
};
const ROOT: OptionSpec = { long: 'root', value: 'ROOT' };
const TYPE: OptionSpec = { long: 'type', short: 't', value: 'TYPE' };
const TAGS: OptionSpec = { long: 'tags', value: 'TAGS' };
const MAX_RESULTS = 10;

const COMMANDS: Readonly<Record<string, Subcommand>> = {
  add: {
    spec: {
      usage: 'ralph tools memory add [OPTIONS] <CONTENT>',
      options: [TYPE, TAGS, FORMAT, ROOT],
      positionals: ['<CONTENT>'],
    },
    run: add,
  },
  list: {
    spec: {
      usage: 'ralph tools memory list [OPTIONS]',
      options: [TYPE, { long: 'last', value: 'LAST' }, FORMAT, ROOT],
    },
    run: (args, spec) => {
      const found = ofType(read(args), readType(args));
      const last = readCount(args, 'last', spec);
      print(last === undefined ? found : found.slice(Math.max(0, found.length - last)), args, NO_MEMORIES);
    },
  },
  search: {
    spec: {
      usage: 'ralph tools memory search [OPTIONS] [QUERY]',
      options: [TYPE, TAGS, { long: 'all' }, FORMAT, ROOT],
      positionals: ['[QUERY]'],
    },
    run: search,
  },
  show: {
    spec: { usage: 'ralph tools memory show [OPTIONS] <ID>', options: [FORMAT, ROOT], positionals: ['<ID>'] },
    run: (args) => {
      const memory = findShown(args);
      const format = readOption(args, 'format') ?? 'table';
      writeOutput('stdout', format === 'table' ? renderDetails(memory) : renderOne(memory, format));
    },
  },
  delete: {
    spec: { usage: 'ralph tools memory delete [OPTIONS] <ID>', options: [ROOT], positionals: ['<ID>'] },
    run: (args) => {
      const id = args.positionals[0] ?? '';
      const removed = inContext('Failed to delete memory', () => removeMemory(locate(args), id));
      if (removed === undefined) throw new CommandError(`Memory not found: ${id}`);
      writeOutput('stdout', `Memory deleted: ${id}\n`);
    },
  },
  prime: {
    spec: {
      usage: 'ralph tools memory prime [OPTIONS]',
      options: [
        { long: 'budget', value: 'BUDGET' },
        TYPE,
        TAGS,
        { long: 'recent', value: 'RECENT' },
        FORMAT,
        ROOT,
      ],
    },
    run: (args, spec) => {
      // Ralph ignores unknown types here; only unknown ones are no filter at all.
      const types = splitCommas(readOption(args, 'type')).flatMap((name) => parseType(name) ?? []);
      const tags = splitCommas(readOption(args, 'tags'));
      const days = readCount(args, 'recent', spec);
      const since =
        days === undefined ? '' : new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
      const found = read(args).filter(
        (memory) =>
          (types.length === 0 || types.includes(memory.type)) &&
          hasAnyTag(memory, tags) &&
          memory.created >= since,
      );
      if (found.length > 0)
        writeOutput(
          'stdout',
          renderPrimed(found, readOption(args, 'format') ?? 'markdown', readCount(args, 'budget', spec) ?? 0),
        );
    },
  },
  init: {
    spec: { usage: 'ralph tools memory init [OPTIONS]', options: [{ long: 'force' }, ROOT] },
    run: (args) => {
      const path = locate(args);
      appendTextFile(`${path}.lock`, '');
      if (existsSync(path) && !args.values.has('force')) {
        throw new CommandError(`Memories file already exists at ${path}. Use --force to overwrite.`);
      }
      writeTextFile(path, emptyMemories());
      writeOutput('stdout', `Initialized memories file at ${path}\n`);
    },
  },
};

const NO_MEMORIES = `
No memories yet.

Create your first memory:
  ralph tools memory add "<content>" -t pattern --tags tag1,tag2

Memory types: pattern, decision, fix, context

`;

/** `ralph tools memory`. */
export function memoryCommand(words: readonly string[]): number {
  return runSubcommand('memory', COMMANDS, words);
}

function add(args: ParsedArgs): void {
  const now = Date.now();
  const memory: Memory = {
    id: makeId('mem', now),
    type: chooseType(readType(args) ?? 'pattern'),
    content: chooseContent(args.positionals[0] ?? ''),
    tags: splitCommas(readOption(args, 'tags')),
    created: new Date(now).toISOString().slice(0, 10),
  };
  if (!faulty('lose-memories')) inContext('Failed to store memory', () => addMemory(locate(args), memory));
  const format = readOption(args, 'format') ?? 'table';
  writeOutput('stdout', format === 'table' ? `Memory stored: ${memory.id}\n` : renderOne(memory, format));
}

function chooseType(type: MemoryType): MemoryType {
  return type !== 'pattern' && faulty('mistype-memories') ? 'pattern' : type;
}

const LONG = 1000;

function chooseContent(content: string): string {
  return content.length > LONG && faulty('cut-memories') ? content.slice(0, LONG) : content;
}

function search(args: ParsedArgs): void {
  const all = read(args);
  const query = args.positionals[0] ?? '';
  const mentions = (text: string) =>
    text.toLowerCase().includes(query.toLowerCase()) &&
    (text.includes(query) || !faulty('case-sensitive-search'));
  const tags = splitCommas(readOption(args, 'tags'));
  const found = ofType(all, readType(args)).filter(
    (memory) =>
      ([memory.content, ...memory.tags].some(mentions) || faulty('search-finds-all')) &&
      hasAnyTag(memory, tags),
  );
  const shown = args.values.has('all') ? found : found.slice(0, MAX_RESULTS);
  const none = `\nNo matching memories found in ${all.length} total memories.\nTry a different search term or use \`ralph tools memory list\` to see all.\n\n`;
  const asTable = shown.length > 0 && (readOption(args, 'format') ?? 'table') === 'table';
  if (asTable && args.positionals[0] !== undefined) {
    writeOutput(
      'stdout',
      `\nSearch results for "${args.positionals[0]}" (${found.length} of ${all.length} memories)\n`,
    );
  }
  print(shown, args, none);
  if (asTable && shown.length < found.length) {
    writeOutput(
      'stdout',
      `Showing ${MAX_RESULTS} of ${found.length} matches • Use --all to see all results\n\n`,
    );
  }
}

/** Whether a memory has one of these tags, in any case; no tags mean any memory. */
function hasAnyTag({ tags }: Memory, wanted: readonly string[]): boolean {
  const names = wanted.map((tag) => tag.toLowerCase());
  return names.length === 0 || tags.some((tag) => names.includes(tag.toLowerCase()));
}

/** Prints an empty result as a sentence, whatever the format, as the real Ralph does. */
function print(memories: readonly Memory[], args: ParsedArgs, none: string): void {
  if (memories.length === 0) {
    writeOutput('stdout', none);
    return;
  }
  switch (readOption(args, 'format') ?? 'table') {
    case 'json':
      writeOutput('stdout', `${JSON.stringify(memories.map(toJson), null, 2)}\n`);
      return;
    case 'markdown':
      writeOutput('stdout', renderMemories(memories, 0));
      return;
    case 'quiet':
      writeOutput('stdout', memories.map(({ id }) => `${id}\n`).join(''));
      return;
    default:
      writeOutput('stdout', renderTable(memories));
  }
}

function findShown(args: ParsedArgs): Memory {
  const id = args.positionals[0] ?? '';
  const all = read(args, 'Failed to read memories');
  const memory = all.find((candidate) => candidate.id === id);
  if (memory === undefined) throw new CommandError(`Memory not found: ${id}`);
  const [first = memory] = all;
  return first !== memory && faulty('show-wrong-memory') ? first : memory;
}

function readType(args: ParsedArgs): MemoryType | undefined {
  const text = readOption(args, 'type');
  if (text === undefined) return undefined;
  const type = parseType(text);
  if (type !== undefined) return type;
  throw new UsageError(
    `error: invalid value '${text}' for '--type <TYPE>': Invalid memory type: '${text}'. Valid types: pattern, decision, fix, context\n\nFor more information, try '--help'.`,
  );
}

function parseType(text: string): MemoryType | undefined {
  return (['pattern', 'decision', 'fix', 'context'] as const).find((known) => known === text.toLowerCase());
}

function ofType(memories: readonly Memory[], type: MemoryType | undefined): readonly Memory[] {
  return type === undefined ? memories : memories.filter((memory) => memory.type === type);
}

function read(args: ParsedArgs, doing = 'Failed to load memories'): readonly Memory[] {
  return inContext(doing, () => readMemories(locate(args)));
}

function locate(args: ParsedArgs): string {
  return layOutFiles(findWorkspace(readOption(args, 'root'))).memories;
}
