import type { AttemptFinished } from '../../domain/attempt.js';
import { judgeAll, type NamedCheck } from '../../domain/check.js';
import type { ConversationRecord } from '../../domain/evidence/conversation.js';
import type { Evidence, FileRecord } from '../../domain/evidence/evidence.js';
import type { MadeTrial } from '../../domain/proof/tried.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { Lane } from '../../domain/vocabulary.js';
import { allChecks } from '../attempt/judge.js';
import { callScenario, tryScenario } from '../attempt/scenario-code.js';

/** Evidence in which one thing is other than the run left it. */
interface Change {
  readonly name: string;
  readonly evidence: Evidence;
}

/** Judges the evidence of a good run again, each time with one thing changed: what would a check say of another answer? */
export function judgeChanges(
  scenario: Scenario,
  { backend, drawn, evidence }: AttemptFinished,
  lane: Lane,
): MadeTrial[] {
  if (drawn === undefined || evidence === null) return [];
  const checks = callScenario(() => allChecks(scenario, { ...drawn, backend, lane }));
  return listChanges(evidence, checks).map(({ name, evidence: changed }) => ({
    name,
    // A check of an author may throw on evidence that no run leaves. That shows nothing.
    green: tryScenario(() => judgeAll(checks, changed).map(({ passed }) => passed), []),
  }));
}

/** What no scenario asks for. */
const OTHER = 'something else altogether';

function listChanges(evidence: Evidence, checks: readonly NamedCheck[]): Change[] {
  const changed = (name: string, fields: Partial<Evidence>): Change => ({
    name,
    evidence: { ...evidence, ...fields },
  });
  const { iterations, events, conversation } = evidence;
  const topics = [...new Set(events.map(({ topic }) => topic))];
  return [
    ...changeErrands(evidence, changed),
    ...evidence.files.flatMap((file) => changeFile(evidence, file, changed)),
    ...(evidence.filesAbsent ?? []).map((path) =>
      changed(`${path} exists`, {
        filesAbsent: evidence.filesAbsent?.filter((absent) => absent !== path),
        files: [...evidence.files, { path, change: 'added', sizeBytes: OTHER.length, preview: OTHER }],
      }),
    ),
    ...iterations.flatMap((iteration, place) => {
      const other = (fields: Partial<typeof iteration>) => ({
        iterations: iterations.with(place, { ...iteration, ...fields }),
      });
      const { number } = iteration;
      return [
        changed(`iteration ${number} has another prompt`, other({ prompt: OTHER })),
        changed(`the agent says something else in iteration ${number}`, other({ said: OTHER })),
        changed(`iteration ${number} has another hat`, other({ hat: 'another-hat' })),
        changed(`the agent calls no tool in iteration ${number}`, other({ toolCalls: [] })),
        changed(`iteration ${number} is missing`, { iterations: iterations.toSpliced(place, 1) }),
      ];
    }),
    ...topics.flatMap((topic) => [
      changed(`no ${topic}`, { events: events.filter((event) => event.topic !== topic) }),
      changed(`${topic} says something else`, {
        events: events.map((event) => (event.topic === topic ? { ...event, payload: OTHER } : event)),
      }),
    ]),
    changed('the loop ends for another reason', {
      termination: { reason: OTHER, status: OTHER, iterations: 99, exitCode: 99 },
      exit: { kind: 'exited', code: 99 },
    }),
    changed('Ralph prints nothing', { stdout: { ...evidence.stdout, bytes: 0, text: '' } }),
    changed('other notes', { scratchpad: { ...evidence.scratchpad, after: OTHER } }),
    changed('no memories', { memories: [] }),
    changed('no tasks', { tasks: [] }),
    // Some checks want a text to be absent.
    ...checks.flatMap(({ key, about: { text, texts = [] } = {} }) =>
      [text ?? [], texts]
        .flat()
        .map((word) => changed(`the text of "${key}" everywhere`, addEverywhere(evidence, word))),
    ),
    ...(conversation === undefined ? [] : changeConversation(conversation, changed)),
  ];
}

type MakeChange = (name: string, fields: Partial<Evidence>) => Change;

function changeErrands({ errands }: Evidence, changed: MakeChange): Change[] {
  const commands = [...new Set(errands.map(({ command }) => command.join(' ')))];
  return commands.flatMap((command) => {
    const isOther = (errand: Evidence['errands'][number]) => errand.command.join(' ') !== command;
    const answering = (fields: Partial<Evidence['errands'][number]>) => ({
      errands: errands.map((errand) => (isOther(errand) ? errand : { ...errand, ...fields })),
    });
    return [
      changed(`another answer to "${command}"`, answering({ stdout: OTHER, stderr: OTHER })),
      changed(`another exit code of "${command}"`, answering({ exitCode: 99 })),
    ];
  });
}

function changeFile({ files }: Evidence, file: FileRecord, changed: MakeChange): Change[] {
  const { content: _, ...rest } = file;
  const other = (fields: Partial<FileRecord>) => ({
    files: files.map((one) => (one === file ? { ...rest, ...fields } : one)),
  });
  const change = file.change === 'unchanged' ? 'modified' : file.change;
  return [
    changed(`${file.path} has another content`, other({ change, preview: OTHER, sizeBytes: OTHER.length })),
    changed(`${file.path} does not exist`, other({ change: 'deleted', preview: '' })),
  ];
}

function addEverywhere(evidence: Evidence, word: string): Partial<Evidence> {
  const add = (text: string | null) => `${text ?? ''}\n${word}\n`;
  return {
    iterations: evidence.iterations.map((one) => ({ ...one, prompt: add(one.prompt), said: add(one.said) })),
    errands: evidence.errands.map((one) => ({ ...one, stdout: add(one.stdout), stderr: add(one.stderr) })),
    events: evidence.events.map((one) => ({ ...one, payload: add(one.payload) })),
    files: evidence.files.map(({ content, ...one }) => ({
      ...one,
      preview: add(content?.kind === 'whole' ? content.text : one.preview),
    })),
    scratchpad: { ...evidence.scratchpad, after: add(evidence.scratchpad.after) },
    stdout: { ...evidence.stdout, text: add(evidence.stdout.text) },
  };
}

function changeConversation(conversation: ConversationRecord, changed: MakeChange): Change[] {
  const other = (name: string, fields: Partial<ConversationRecord>) =>
    changed(name, { conversation: { ...conversation, ...fields } });
  const { turns, init } = conversation;
  return [
    ...turns.flatMap((turn, place) => {
      const inTurn = (name: string, fields: Partial<typeof turn>) =>
        other(`turn ${turn.number}: ${name}`, { turns: turns.with(place, { ...turn, ...fields }) });
      return [
        inTurn('another answer', { text: OTHER, lastText: OTHER }),
        inTurn('no tool calls', { calls: [] }),
        inTurn('no hooks', { hooks: [] }),
        inTurn('another end', { outcome: { kind: 'crashed', detail: OTHER } }),
      ];
    }),
    other('no stages', { stages: [], stage: null }),
    other('no commits', { commits: [] }),
    other('no commands', { commands: [] }),
    other('no hooks logged', { hookLog: [] }),
    ...(init === null
      ? []
      : [
          other('no plugins', { init: { ...init, plugins: [] } }),
          other('no agents and skills', { init: { ...init, agents: [], skills: [] } }),
          other('no servers', { init: { ...init, mcpServers: [] } }),
          other('no plugin errors', { init: { ...init, pluginErrors: [] } }),
        ]),
  ];
}
