import { describe, expect, it } from 'vitest';
import {
  agentSaid,
  completed,
  eventEmitted,
  fileEquals,
  fileUntouched,
  hatSequence,
  iterationCount,
  iterationsAtLeast,
  memoryStored,
  promptContained,
  publishedByRalph,
  toolUsed,
} from '../../../src/authoring.js';
import type { Check } from '../../../src/domain/check.js';
import * as common from '../../../src/domain/checks/index.js';
import type { Evidence, Iteration } from '../../../src/domain/evidence/evidence.js';
import { blame, call, emit, loopOf, record, type Story } from './loops.js';

const SUM = 'Work out 582 + 652 and say `ANSWER=<sum>`. Then declare the objective complete.';
const FILE = 'Write nonce1234 in uppercase to out.txt. Then declare the objective complete.';
const STEPS =
  'First run `ralph emit step.one "<sum of 582 and 652>"`. If step.one is pending, declare completion.';

const BUILDER = {
  name: 'Builder',
  triggers: ['build.task'],
  publishes: ['build.finished'],
  instructions: 'Write nonce1234 in uppercase to built.txt.',
};
const HATS = { hats: { builder: BUILDER } };

const SAYS_ELSE: Story = { objective: SUM, acts: [{ said: 'ANSWER=12\nLOOP_COMPLETE' }] };

describe("is the agent's", () => {
  const written = (text: string) => ({
    acts: [{ said: 'LOOP_COMPLETE', calls: [call('Write', { file_path: '/w/out.txt', content: text })] }],
    evidence: {
      files: [{ path: 'out.txt', change: 'added', sizeBytes: 9, preview: text }],
    } satisfies Partial<Evidence>,
  });
  it.each<[string, Story, Check[], string]>([
    [
      'another answer',
      SAYS_ELSE,
      [agentSaid('ANSWER=1234', { iteration: 1 })],
      'Iteration 1 never said "ANSWER=1234"; its prompt asked for it.',
    ],
    [
      'a file that nobody wrote',
      { objective: FILE, acts: [{ said: 'It is written.\nLOOP_COMPLETE' }] },
      [fileEquals('out.txt', 'NONCE1234')],
      'No iteration wrote out.txt; the prompt asked for it.',
    ],
    [
      'a file with something else',
      { objective: FILE, ...written('nonce1234') },
      [fileEquals('out.txt', 'NONCE1234')],
      'The agent wrote something else into out.txt than the prompt asked for.',
    ],
    [
      'an event that nobody emitted, and what follows from it',
      { objective: STEPS, acts: [{ said: 'LOOP_COMPLETE' }] },
      [
        eventEmitted('step.one', '1234'),
        promptContained('Event: step.one - 1234', { iteration: 2 }),
        iterationCount(2),
      ],
      'No iteration emitted step.one; the prompt asked for it.',
    ],
    [
      'an event with another payload',
      {
        objective: STEPS,
        acts: [{ emits: [['step.one', '99']] }, { said: 'LOOP_COMPLETE', pending: [['step.one', '99']] }],
      },
      [eventEmitted('step.one', '1234')],
      'The agent emitted step.one without "1234" in its payload; the prompt asked for it.',
    ],
    [
      'a promise that is decorated',
      {
        objective: SUM,
        acts: Array(3).fill({ said: 'ANSWER=1234\n**LOOP_COMPLETE**' }),
        reason: 'max_iterations',
      },
      [completed(), iterationCount(1)],
      'Iteration 1 said LOOP_COMPLETE, but not alone on its last line, as the prompt asks.',
    ],
    [
      'a promise that was never made',
      { objective: SUM, acts: Array(3).fill({ said: 'ANSWER=1234' }), reason: 'max_iterations' },
      [completed(), agentSaid('ANSWER=1234')],
      'No iteration declared completion with LOOP_COMPLETE on its last line, as the prompt asks.',
    ],
    [
      'a hat that never had its turn',
      {
        objective: 'Run `ralph emit build.task go`.',
        config: HATS,
        acts: [{ said: 'LOOP_COMPLETE', told: 'Builder' }],
      },
      [fileEquals('built.txt', 'NONCE1234'), hatSequence('ralph', 'builder')],
      'No iteration emitted an event that triggers hat builder; the prompt asked for it.',
    ],
    [
      'a loop that it ended too early, and the prompt that never came',
      { objective: STEPS, acts: [{ emits: [['step.one', '1234']], said: 'LOOP_COMPLETE' }] },
      [iterationsAtLeast(2), promptContained('Event: step.one - 1234')],
      'The agent declared completion in iteration 1.',
    ],
    [
      'a completion that Ralph rejects, because no required event came',
      {
        objective: STEPS,
        config: { event_loop: { max_iterations: 3, required_events: ['step.one'] } },
        acts: Array(3).fill({ said: 'LOOP_COMPLETE' }),
        reason: 'max_iterations',
      },
      [completed(), eventEmitted('step.one', '1234')],
      'No iteration emitted step.one; the prompt asked for it.',
    ],
    [
      'a message of a person that it did not acknowledge',
      {
        objective: 'Run `ralph emit human.guidance.ack done`.',
        acts: Array(3).fill({ said: 'LOOP_COMPLETE', told: 'Hurry.' }),
        reason: 'max_iterations',
        evidence: { events: [record(['human.guidance', 'Hurry.'])] },
      },
      [completed(), eventEmitted('human.guidance.ack', 'done')],
      'No iteration emitted human.guidance.ack; the prompt asked for it.',
    ],
    [
      'an event that a script which it ran does not emit either',
      {
        objective: STEPS,
        acts: [{ said: 'LOOP_COMPLETE', calls: [call('Bash', { command: 'sh other.sh' })] }],
        evidence: { files: [{ path: 'other.sh', change: 'unchanged', sizeBytes: 9, preview: 'echo hello' }] },
      },
      [eventEmitted('step.one', '1234')],
      'No iteration emitted step.one; the prompt asked for it.',
    ],
    [
      'another memory',
      {
        objective: 'Store the memory "the code is 7".',
        acts: [
          {
            said: 'LOOP_COMPLETE',
            calls: [
              call('Bash', { command: 'ralph tools memory add "7 it is"' }, 'Memory stored: mem-1-abcd'),
            ],
          },
        ],
        evidence: {
          memories: [{ id: 'mem-1-abcd', type: 'fix', content: '7 it is', tags: [], created: null }],
        },
      },
      [memoryStored({ content: 'the code is 7' })],
      'The agent stored "7 it is" and not "the code is 7"; the prompt asked for it.',
    ],
    [
      'a file that it was to leave alone',
      {
        objective: 'Leave out.txt alone. Run `ralph emit step.one "out.txt"`.',
        acts: [
          {
            said: 'LOOP_COMPLETE',
            calls: [call('Bash', { command: 'echo hello > out.txt' })],
          },
        ],
        evidence: { files: [{ path: 'out.txt', change: 'modified', sizeBytes: 9, preview: 'hello' }] },
      },
      [fileUntouched('out.txt')],
      'The agent changed out.txt.',
    ],
    [
      'a tool that it did not use',
      {
        objective: 'Read vault.txt with the Read tool.',
        acts: [{ said: 'I know vault.txt.\nLOOP_COMPLETE' }],
      },
      [toolUsed('Read', { input: 'vault.txt' })],
      'The agent had Read and did not use it.',
    ],
  ])('%s', (_, story, checks, sentence) => {
    expect(blame(loopOf(story), checks)).toContain(sentence);
  });

  it('whether or not a script had an answer to every prompt', () => {
    const script: Check = {
      ...common.scriptAnswered(),
      judge: () => ({ passed: false, expected: '', actual: '' }),
    };
    expect(blame(loopOf(SAYS_ELSE), [agentSaid('ANSWER=1234'), script])).not.toBeNull();
  });

  it('beside what a known issue breaks anyway', () => {
    const checks = [agentSaid('ANSWER=1234'), publishedByRalph('a.b', { iteration: 1 })];
    expect(blame(loopOf(SAYS_ELSE), checks, ['publishedByRalph'])).not.toBeNull();
    expect(blame(loopOf(SAYS_ELSE), checks)).toBeNull();
  });
});

/** A story as the evidence of a CLI that prints plain text shows it. */
function plainText(story: Story): Evidence {
  const evidence = loopOf(story);
  return {
    ...evidence,
    iterations: evidence.iterations.map(({ cli: _, ...one }) => ({ ...one, toolCalls: [], form: 'text' })),
  };
}

describe("is the agent's although its CLI prints plain text", () => {
  const wrote = (path: string): Evidence['files'][number] => ({
    ...{ path, change: 'added', sizeBytes: 9, preview: 'nonce1234' },
  });
  const story = (fields: Partial<Evidence>): Story => ({
    ...{ objective: FILE, acts: [{ said: 'LOOP_COMPLETE' }] },
    evidence: fields,
  });
  const WANTED = [fileEquals('out.txt', 'NONCE1234')];

  it('if its answer arrived to the end and lacks the words', () => {
    expect(blame(plainText(SAYS_ELSE), [agentSaid('ANSWER=1234')])).not.toBeNull();
  });

  it('if a file lacks what it was to write', () => {
    expect(blame(plainText(story({ files: [wrote('out.txt')] })), WANTED)).not.toBeNull();
  });

  it('but not if another loop ran in the workspace, whose agent may have written it', () => {
    const errand = {
      when: 'before' as const,
      command: ['ralph', 'run', '-p', 'x'],
      exitCode: 0,
      stdout: '',
      stderr: '',
    };
    const evidence = plainText(story({ files: [wrote('out.txt')], errands: [errand] }));
    expect(blame(evidence, WANTED)).toBeNull();
  });

  it('if it wrote another file only, so that it had its tools', () => {
    expect(blame(plainText(story({ files: [wrote('other.txt')] })), WANTED)).not.toBeNull();
    expect(blame(plainText(story({})), WANTED)).toBeNull();
  });

  it('but not if a hook may have written the file', () => {
    const hooked = plainText({
      ...story({ files: [wrote('out.txt')] }),
      config: { hooks: { enabled: true } },
    });
    expect(blame(hooked, WANTED)).toBeNull();
  });
});

describe("stays Ralph's if it", () => {
  const WANTED = [agentSaid('ANSWER=1234')];
  const TOOLS = ['Bash', 'Read', 'Write', 'Edit'];
  const cli = { tools: TOOLS, permissionMode: 'bypassPermissions', whole: true };
  const memory = { id: 'mem-1-abcd', type: 'fix', content: 'the code is 7', tags: [], created: null };
  const having = (evidence: Partial<Evidence>): Evidence => loopOf({ ...SAYS_ELSE, evidence });
  const under = (config: Story['config'], evidence: Partial<Evidence> = {}): Evidence =>
    loopOf({ ...SAYS_ELSE, config: config ?? {}, evidence });
  const first = (fields: Partial<Iteration>): Evidence => {
    const evidence = loopOf(SAYS_ELSE);
    return { ...evidence, iterations: evidence.iterations.map((one) => ({ ...one, ...fields })) };
  };
  const acting = (acts: Story['acts'], fields: Partial<Story> = {}): Evidence =>
    loopOf({ objective: SUM, acts, ...fields });
  const wrong = { said: 'ANSWER=12\nLOOP_COMPLETE' };

  it('may have lost words that came before a tool', () => {
    expect(
      blame(acting([{ emits: [['a.b', '1']] }, { ...wrong, pending: [['a.b', '1']] }]), WANTED),
    ).toBeNull();
  });

  it('did its part: otherwise this list shows nothing', () => {
    expect(blame(loopOf(SAYS_ELSE), WANTED)).not.toBeNull();
    expect(
      blame(acting([{ emits: [['a.b', '1']] }, { ...wrong, pending: [['a.b', '1']] }]), [
        agentSaid('ANSWER=1234', { iteration: 2 }),
      ]),
    ).not.toBeNull();
    expect(blame(under({ memories: { enabled: true } }), WANTED)).not.toBeNull();
  });

  it('did its part if a required event came before the session that it continues', () => {
    const config = { event_loop: { max_iterations: 3, required_events: ['a.b'] } };
    expect(blame(under(config, { earlierTopics: ['a.b'] }), WANTED)).not.toBeNull();
  });

  it('did its part if it gives no hat an event with more parts than a trigger has', () => {
    const config = { hats: { builder: { ...BUILDER, triggers: ['build.*'] } } };
    const handed = (topic: string) =>
      acting(
        [
          { emits: [[topic, '1']], told: 'Builder' },
          { ...wrong, pending: [[topic, '1']], told: 'Builder' },
        ],
        { config },
      );
    const wanted = [agentSaid('ANSWER=1234', { iteration: 2 })];
    expect(blame(handed('build.task.again'), wanted)).not.toBeNull();
    expect(blame(handed('build.task'), wanted)).toBeNull();
  });

  it.each<[string, Evidence]>([
    ['exits with a code that does not fit the end', having({ exit: { kind: 'exited', code: 1 } })],
    ['ends without a record', having({ termination: null })],
    ['leaves a process behind', having({ leftBehind: [{ pid: 1, command: 'claude' }] })],
    ['writes half a line', having({ malformedLines: [{ file: 'events', line: 1, text: '{' }] })],
    ['shows an error of the CLI', having({ backendErrors: ['no rule for this prompt'] })],
    [
      'counts wrongly',
      having({ termination: { reason: 'completed', status: '', iterations: 2, exitCode: 0 } }),
    ],
    ['sends half the objective', first({ prompt: 'Work out 582 + 652. ralph emit LOOP_COMPLETE' })],
    ['does not say how to end the loop', first({ prompt: `${SUM} ralph emit` })],
    ['starts the agent without tools', first({ cli: { ...cli, tools: ['Read'] } })],
    ['starts the agent without permissions', first({ cli: { ...cli, permissionMode: 'default' } })],
    ['may have lost a part of the answer', first({ cli: { ...cli, whole: false } })],
    [
      'runs a CLI that prints plain text, and the end of the answer did not arrive',
      plainText({ objective: SUM, acts: Array(3).fill({ said: 'ANSWER=12' }), reason: 'max_iterations' }),
    ],
    [
      'runs a CLI that prints plain text, and answers it itself',
      plainText({ ...SAYS_ELSE, objective: `${SUM} First run \`ralph tools memory list\`.` }),
    ],
    ['completes although nobody declared it', acting([{ said: 'ANSWER=12' }])],
    ['goes on after completion', acting([wrong, wrong])],
    ['stops before the limit', acting([{ said: 'ANSWER=12' }], { reason: 'max_iterations' })],
    [
      'completes without a required event',
      under({ event_loop: { max_iterations: 3, required_events: ['a.b'] } }),
    ],
    ['completes in persistent mode', under({ event_loop: { max_iterations: 3, persistent: true } })],
    ['completes with an open task', having({ tasks: [{ id: '1', title: 'x', status: 'open' }] })],
    ['does not list the hats', under(HATS)],
    [
      'gives a hat no instructions',
      acting([{ ...wrong, hat: 'builder', pending: [['build.task', '']] }], { config: HATS }),
    ],
    [
      'asks a hat to start the workflow again',
      acting(
        [
          {
            ...{ ...wrong, hat: 'builder', pending: [['build.task', '']] },
            told: `${BUILDER.instructions} After coordination, publish \`build.task\`.`,
          },
        ],
        { config: { ...HATS, event_loop: { max_iterations: 3, starting_event: 'build.task' } } },
      ),
    ],
    [
      'activates a hat that no event triggers',
      acting([{ ...wrong, hat: 'builder', told: BUILDER.instructions }], { config: HATS }),
    ],
    ['loses an event that it confirmed', acting([{ ...wrong, calls: [emit('a.b', '1')] }])],
    [
      'does not confirm an event',
      acting([{ ...wrong, calls: [call('Bash', { command: 'ralph emit a.b 1' }, '')] }]),
    ],
    ['does not hand an event on', acting([{ emits: [['a.b', '1']] }, wrong])],
    [
      'cuts the payload of an event',
      acting([{ emits: [['a.b', '123']] }, { ...wrong, pending: [['a.b', '12']] }]),
    ],
    ['keeps a memory back', under({ memories: { enabled: true } }, { memories: [memory] })],
    ['keeps the notes back', having({ scratchpad: { before: 'Think of 7.', after: 'Think of 7.' } })],
    ['does not teach its commands', under({ memories: { enabled: true }, skills: { enabled: true } })],
    [
      'answers commands that the answer may depend on',
      acting([{ ...wrong, calls: [call('Bash', { command: 'ralph tools memory list' }, 'none')] }]),
    ],
  ])('%s', (_, evidence) => {
    expect(blame(evidence, WANTED)).toBeNull();
  });
});

describe("stays Ralph's", () => {
  it('if the prompt did not ask for it', () => {
    expect(blame(loopOf(SAYS_ELSE), [agentSaid('ANSWER=777')])).toBeNull();
  });

  it('if the configuration asks for less than the check wants', () => {
    const calls = [call('Write', { file_path: '/w/out.txt', content: 'nonce1234' })];
    const files = [{ path: 'out.txt', change: 'added', sizeBytes: 9, preview: 'nonce1234' }] as const;
    const story: Story = {
      objective: FILE,
      acts: [{ said: 'LOOP_COMPLETE', calls }],
      evidence: { files: [...files] },
    };
    const wanted = [fileEquals('out.txt', 'NONCE1234')];
    expect(blame(loopOf(story), wanted)).not.toBeNull();
    expect(blame(loopOf(story), [...wanted, agentSaid('BUILDER zxcv9876')])).toBeNull();
  });

  it('if the agent ended the loop and Ralph never said something in a prompt', () => {
    const story: Story = { objective: STEPS, acts: [{ said: 'LOOP_COMPLETE' }] };
    const wanted = [eventEmitted('step.one', '1234')];
    expect(blame(loopOf(story), wanted)).not.toBeNull();
    expect(blame(loopOf(story), [...wanted, promptContained('missing required events')])).toBeNull();
  });

  it('if another hat had the turn for the event that was asked for', () => {
    const hat = (name: string, trigger: string, done: string) => ({
      ...{ name, triggers: [trigger], publishes: [done], instructions: `Run \`ralph emit ${done} now\`.` },
    });
    const story: Story = {
      objective: 'Run `ralph emit test.request go`. When test.finished is pending, declare completion.',
      config: {
        hats: {
          tester: hat('Tester', 'deploy.request', 'test.finished'),
          deployer: hat('Deployer', 'test.request', 'deploy.finished'),
        },
      },
      acts: [
        { emits: [['test.request', 'go']], told: 'Tester Deployer deploy.request' },
        {
          ...{
            hat: 'deployer',
            told: 'Run `ralph emit deploy.finished now`.',
            emits: [['deploy.finished', 'now']],
          },
          pending: [['test.request', 'go']],
        },
        { said: 'LOOP_COMPLETE', pending: [['deploy.finished', 'now']], told: 'Tester Deployer' },
      ],
    };
    const wanted = [hatSequence('ralph', 'tester', 'ralph'), eventEmitted('test.finished')];
    expect(
      blame(
        {
          ...loopOf(story),
          configYaml: loopOf(story).configYaml.replace('max_iterations: 3', 'max_iterations: 5'),
        },
        wanted,
      ),
    ).toBeNull();
  });

  it('if a prompt that was sent before lacked something', () => {
    const checks = [agentSaid('ANSWER=1234'), promptContained('Ask again.', { iteration: 1 })];
    expect(blame(loopOf(SAYS_ELSE), checks)).toBeNull();
  });

  it('if one check judges what Ralph owes whatever the agent does', () => {
    const checks = [agentSaid('ANSWER=1234'), publishedByRalph('a.b', { iteration: 1 })];
    expect(blame(loopOf(SAYS_ELSE), checks)).toBeNull();
  });

  it('if the agent shows no sign that its prompt arrived', () => {
    const story: Story = { objective: SUM, acts: Array(3).fill({ said: '' }), reason: 'max_iterations' };
    expect(blame(loopOf(story), [completed()])).toBeNull();
  });

  it('if the agent wrote the file, and it is gone or differs', () => {
    const calls = [call('Write', { file_path: '/w/out.txt', content: 'NONCE1234' })];
    const story: Story = { objective: FILE, acts: [{ said: 'LOOP_COMPLETE', calls }] };
    const cut = { path: 'out.txt', change: 'added', sizeBytes: 5, preview: 'NONCE' } as const;
    expect(blame(loopOf(story), [fileEquals('out.txt', 'NONCE1234')])).toBeNull();
    const evidence = loopOf({ ...story, evidence: { files: [{ ...cut, preview: 'NONSENSE' }] } });
    expect(blame(evidence, [fileEquals('out.txt', 'NONCE1234')])).toBeNull();
  });

  it('if Ralph recorded less of a payload than the agent gave it', () => {
    const acts = [
      { emits: [['step.one', '12']] as const, calls: [emit('step.one', '1234')], said: 'LOOP_COMPLETE' },
    ];
    expect(blame(loopOf({ objective: STEPS, acts }), [eventEmitted('step.one', '1234')])).toBeNull();
  });

  it('if a file changed that the agent only read', () => {
    const calls = [call('Bash', { command: 'cat out.txt; echo 1 > other.txt' })];
    const story: Story = {
      objective: 'Leave out.txt alone. Write 1 to other.txt.',
      acts: [{ said: 'LOOP_COMPLETE', calls }],
      evidence: { files: [{ path: 'out.txt', change: 'modified', sizeBytes: 9, preview: 'hello' }] },
    };
    expect(blame(loopOf(story), [fileUntouched('out.txt')])).toBeNull();
  });

  it('if a script that the agent ran may have emitted the event', () => {
    const script = (preview: string): Story => ({
      objective: STEPS,
      acts: [{ said: 'LOOP_COMPLETE', calls: [call('Bash', { command: 'sh steps.sh' })] }],
      evidence: { files: [{ path: 'steps.sh', change: 'unchanged', sizeBytes: 9, preview }] },
    });
    const wanted = [eventEmitted('step.one', '1234')];
    expect(blame(loopOf(script('ralph emit step.one 1234')), wanted)).toBeNull();
    expect(blame(loopOf(script('ralph emit "$1" 1234')), wanted)).toBeNull();
  });

  it('if a command may have run that its call does not show', () => {
    const acts = [{ said: 'LOOP_COMPLETE', calls: [call('Bash', { command: 'sh steps.sh' })] }];
    expect(blame(loopOf({ objective: STEPS, acts }), [eventEmitted('step.one', '1234')])).toBeNull();
  });

  it('if the agent stored a memory and it is not there', () => {
    const calls = [call('Bash', { command: 'ralph tools memory add "the code is 7"' }, 'stored')];
    const story: Story = {
      objective: 'Store the memory "the code is 7".',
      acts: [{ said: 'LOOP_COMPLETE', calls }],
    };
    expect(blame(loopOf(story), [memoryStored({ content: 'the code is 7' })])).toBeNull();
    const idle = { ...story, acts: [{ said: 'LOOP_COMPLETE' }] };
    expect(blame(loopOf(idle), [memoryStored({ content: 'the code is 7' })])).not.toBeNull();
  });
});
