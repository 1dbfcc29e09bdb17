import { describe, expect, it } from 'vitest';
import {
  errandAnswered,
  iterationCount,
  memoriesListed,
  memoryInjected,
  pendingEvents,
  promptContained,
} from '../../../../src/authoring.js';
import { type Check, judgeAll } from '../../../../src/domain/check.js';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { findBasis } from '../../../../src/kinds/ralph/diagnosis/basis/find-basis.js';
import { observe } from '../../../../src/kinds/ralph/diagnosis/observe/observe.js';
import { makeEvidence } from '../../../domain/support/evidence.js';
import { iteration } from '../../../report/support/journal.js';

/** What is broken below a failed check: the area of the promise, and whether the run shows that it is broken. */
function look(check: Check, change: Partial<Evidence>): string | null {
  const evidence = makeEvidence(change);
  const [result] = judgeAll([{ ...check, key: 'x' }], evidence);
  if (result === undefined || result.passed) throw new Error('a check that fails expected');
  const found = findBasis(result, evidence, observe(result, evidence).direction);
  return found === null ? null : `${found.isBroken ? 'broken' : 'unseen'}: ${found.text}`;
}

const WHOLE = '### GUARDRAILS\n';
const prompts = (...texts: readonly string[]): Pick<Evidence, 'iterations'> => ({
  iterations: texts.map((prompt, index) => iteration({ number: index + 1, prompt })),
});
const errand = (args: string, exitCode: number, stdout = ''): Evidence['errands'][number] => ({
  when: 'after',
  command: ['ralph', ...args.split(' ')],
  exitCode,
  stdout,
  stderr: '',
});
const memory = (content: string, type: string): Evidence['memories'][number] => ({
  id: 'mem-1',
  type,
  content,
  tags: [],
  created: null,
});

describe('what a special promise depends on', () => {
  it('is the body of every prompt, if no prompt has it', () => {
    const check = promptContained('a', { iteration: 1 });
    expect(look(check, prompts('## OBJECTIVE\n'))).toMatch(/^broken: No prompt .* guardrails/);
    expect(look(check, prompts('## OBJECTIVE\n', WHOLE))).toBeNull();
  });

  it('is the list of pending events, if no prompt lists a published one', () => {
    const check = pendingEvents(['a.x'], { iteration: 2 });
    const published: Evidence['events'] = [
      { topic: 'a.x', payload: '', timestamp: '', hat: null, iteration: 1, source: 'agent' },
    ];
    const list = (topic: string) => `## PENDING EVENTS\n\nEvent: ${topic} - 1\n\n## NEXT`;
    expect(look(check, { ...prompts(WHOLE, WHOLE), events: published })).toMatch(/^broken: .* a\.x/);
    expect(look(check, prompts(WHOLE, list('task.start')))).toMatch(/^unseen: /);
    expect(look(check, { ...prompts(WHOLE, list('b.y')), events: published })).toBeNull();
  });

  it('is the store, if Ralph confirmed a memory and has none', () => {
    const added = errand('tools memory add x', 0);
    const listed = errand('tools memory list --format json', 0, 'No memories yet.');
    const check = memoriesListed('tools memory list --format json', ['x']);
    expect(look(check, { errands: [added, listed] })).toMatch(/^broken: Ralph confirmed/);
    expect(look(check, { errands: [listed] })).toBeNull();
    expect(look(check, { errands: [added, listed], memories: [memory('y', 'fix')] })).toBeNull();
  });

  it('is the type under which a memory is stored, if the list is limited to another', () => {
    const args = 'tools memory list --type fix --format json';
    const errands = [errand(args, 0, '[]')];
    const check = memoriesListed(args, ['x']);
    expect(look(check, { errands, memories: [memory('x', 'pattern')] })).toMatch(/^broken: .* as pattern/);
    expect(look(check, { errands, memories: [memory('x', 'fix')] })).toBeNull();
  });

  it('is the block of memories, notes or tasks, if what is stored is in no prompt', () => {
    const files: Evidence['files'] = [
      { path: '.ralph/agent/scratchpad.md', change: 'added', sizeBytes: 5, preview: 'a note' },
    ];
    const memories = [memory('x', 'fix')];
    const tasks = [{ id: 'task-1', title: 'Paint', status: 'open' }];
    const injected = memoryInjected({ type: 'fix', content: 'x' }, { iteration: 1 });
    expect(look(injected, { ...prompts(WHOLE), memories })).toMatch(/^broken: .* memories/);
    expect(look(injected, { ...prompts(`# Memories\n${WHOLE}`), memories })).toBeNull();
    const noted = promptContained('a note');
    expect(look(noted, { ...prompts(WHOLE), files })).toMatch(/^broken: .* notes/);
    expect(look(noted, { ...prompts(`<scratchpad path="x">\n${WHOLE}`), files })).toBeNull();
    const told = promptContained('- [ ] Paint');
    expect(look(told, { ...prompts(WHOLE), tasks })).toMatch(/^broken: .* tasks/);
    expect(look(told, { ...prompts(`<ready-tasks>\n${WHOLE}`), tasks })).toBeNull();
  });

  it('is the message of a person, if no prompt has any', () => {
    const events: Evidence['events'] = [
      { topic: 'human.guidance', payload: 'x', timestamp: '', hat: null, iteration: null, source: 'agent' },
    ];
    const check = promptContained('1 message remains');
    expect(look(check, { ...prompts(WHOLE), events })).toMatch(/^broken: .* people/);
    expect(look(check, { ...prompts(`## ROBOT GUIDANCE\n\n${WHOLE}`), events })).toBeNull();
  });

  it('is the end of an event, if the next prompt has it again', () => {
    const list = (...topics: string[]) =>
      `## PENDING EVENTS\n\n${topics.map((topic) => `Event: ${topic} - 1\n`).join('')}\n## NEXT`;
    const check = pendingEvents(['b.y'], { iteration: 2 });
    expect(look(check, prompts(list('a.x'), list('a.x', 'b.y')))).toMatch(/^broken: a\.x .* iteration 1/);
    expect(look(check, prompts(list('c.z'), list('a.x', 'b.y')))).toBeNull();
  });

  it('is the whole memory, if only its beginning is stored', () => {
    const whole = 'A long memory that has many words and an end.';
    const check = memoryInjected({ type: 'fix', content: whole });
    const prompt = `# Memories\n${WHOLE}`;
    expect(look(check, { ...prompts(prompt), memories: [memory(whole.slice(0, 41), 'fix')] })).toMatch(
      /^broken: .* only a part/,
    );
    expect(look(check, { ...prompts(prompt), memories: [memory('Another memory', 'fix')] })).toBeNull();
  });

  it('is the file that an event was confirmed for, if there is none', () => {
    const args = 'events --file side.jsonl --format json';
    const errands = [errand('emit x --file side.jsonl', 0), errand(args, 0, 'No event history found.')];
    const check = errandAnswered(args, { stdout: 'x' });
    expect(look(check, { errands })).toMatch(/^broken: .* side\.jsonl/);
    const files: Evidence['files'] = [{ path: 'side.jsonl', change: 'added', sizeBytes: 1, preview: '{}' }];
    expect(look(check, { errands, files })).toBeNull();
  });

  it('is the required event, if the loop completes too early', () => {
    const check = iterationCount(3);
    const termination = { reason: 'completed', status: '', iterations: 1, exitCode: 0 };
    const configYaml = 'event_loop: {required_events: [a.x]}';
    const seen: Evidence['events'] = [
      { topic: 'a.x', payload: '', timestamp: '', hat: null, iteration: 1, source: 'agent' },
    ];
    expect(look(check, { ...prompts(WHOLE), termination, configYaml })).toMatch(/^broken: .* a\.x/);
    expect(look(check, { ...prompts(WHOLE), termination, configYaml, events: seen })).toMatch(/^unseen: /);
    expect(look(check, { ...prompts(WHOLE), termination })).toBeNull();
  });

  it('is no required event that Ralph has seen elsewhere than in the events of this session', () => {
    const found = (change: Partial<Evidence>) =>
      look(iterationCount(3), {
        ...prompts(WHOLE),
        termination: { reason: 'completed', status: '', iterations: 1, exitCode: 0 },
        configYaml: 'event_loop: {required_events: [a.x]}',
        ...change,
      });
    const start: Evidence['events'] = [
      { topic: 'a.x', payload: '', timestamp: '', hat: 'loop', iteration: 0, source: 'ralph' },
    ];
    const handed = `${WHOLE}## PENDING EVENTS\n\nEvent: a.x - \n\n## NEXT`;
    expect(found({ earlierTopics: ['task.start', 'a.x'] })).toMatch(/^unseen: /);
    // What Ralph publishes for a hat is in no file.
    expect(found(prompts(handed))).toMatch(/^unseen: /);
    expect(found({ cut: ['events'] })).toMatch(/^unseen: /);
    // Ralph does not count the event with which it starts a session.
    expect(found({ ...prompts(handed), events: start })).toMatch(/^broken: /);
  });

  it('is completion, if no loop of the test completes', () => {
    const check = errandAnswered('run -p x', {});
    const termination = { reason: 'max_iterations', status: '', iterations: 1, exitCode: 2 };
    const errands = [errand('run -p x', 2)];
    expect(look(check, { errands, termination })).toMatch(/^unseen: No loop/);
    expect(look(check, { errands: [...errands, errand('run -p y', 0)], termination })).toBeNull();
  });
});
