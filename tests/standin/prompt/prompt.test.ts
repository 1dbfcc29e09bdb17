import { expect, test } from 'vitest';
import { agentWorkspace, HATS } from '../support.js';

function headings(prompt: string | undefined): readonly string[] {
  const withoutSkills = (prompt ?? '').replace(/<([a-z-]+-skill)>.*?<\/\1>/gs, '<$1>');
  return withoutSkills
    .split('\n')
    .filter((line) => /^(#{1,3} |<[a-z])/.test(line) && !/^### \d\. /.test(line));
}

const NO_EXTRAS = 'skills: {enabled: false}\nmemories: {enabled: false}\ntasks: {enabled: false}';

test('the sections of a solo prompt come in order', async () => {
  const run = await agentWorkspace('echo LOOP_COMPLETE').run();
  expect(headings(run.prompts[0])).toEqual([
    '<ralph-tools-skill>',
    '<ralph-tools-tasks-skill>',
    '<ralph-tools-memories-skill>',
    '### 0a. ORIENTATION',
    '### 0b. SCRATCHPAD',
    '### STATE MANAGEMENT',
    '### GUARDRAILS',
    '## SKILLS',
    '## OBJECTIVE',
    '## PENDING EVENTS',
    '## WORKFLOW',
    '## EVENT WRITING',
    '## DONE',
  ]);
  expect(run.prompts[0]).toContain(
    'Event: task.start - <top-level-prompt>\ndo the thing\n</top-level-prompt>',
  );
  expect(run.prompts[0]).toContain('advance this objective.**\n\n> do the thing\n');
  expect(run.prompts[0]).toMatch(/completion promise `LOOP_COMPLETE` as the final non-empty line/);
  expect(run.prompts[0]).toContain('\n999. ');
});

test('with skills a prompt is too long for an argument, without them it is not', async () => {
  const prompts = async (yaml: string) =>
    (await agentWorkspace('echo LOOP_COMPLETE', { yaml }).run()).prompts;
  expect((await prompts(''))[0]?.length).toBeGreaterThan(7000);
  const small = (await prompts(NO_EXTRAS))[0];
  expect(small?.length).toBeLessThan(6000);
  expect(headings(small)).not.toContain('## SKILLS');
});

test('a memory, a note and a task of one iteration stand in the next prompt', async () => {
  const run = await agentWorkspace(
    `if [ $n = 1 ]; then
      ralph tools memory add "the sky is blue" -t fix --tags a,b > /dev/null
      ralph tools task add "paint it" -p 2 > /dev/null
      echo "I looked up." > .ralph/agent/scratchpad.md
    else ralph tools task close $(ralph tools task list --format quiet) > /dev/null; echo LOOP_COMPLETE; fi`,
  ).run();
  expect(run.code).toBe(0);
  expect(run.prompts[1]).toMatch(
    /^<ready-tasks>\n## Tasks: 1 ready, 1 open, 0 closed\n\n- \[ \] \[P2\] paint it \(task-\d+-[0-9a-f]{4}\)\n<\/ready-tasks>\n\n<scratchpad path="\.ralph\/agent\/scratchpad\.md">\nI looked up\.\n\n<\/scratchpad>\n\n# Memories\n\n## Fixes\n\n### mem-\d+-[0-9a-f]{4}\n> the sky is blue\n<!-- tags: a, b \| created: \d{4}-\d\d-\d\d -->\n/,
  );
});

test('memories are left out when injection is manual, and cut after the last whole one by a budget', async () => {
  const script = `if [ $n = 1 ]; then for i in 1 2 3 4; do ralph tools memory add "fact $i" > /dev/null; done; else echo LOOP_COMPLETE; fi`;
  const manual = await agentWorkspace(script, { yaml: 'memories: {inject: manual}' }).run();
  expect(manual.prompts[1]).not.toContain('fact 1');
  const cut = await agentWorkspace(script, { yaml: 'memories: {budget: 50}' }).run();
  expect(cut.prompts[1]).toContain('-->\n\n\n<!-- truncated: budget 50 tokens exceeded -->');
  // The newest come first, so the oldest are cut.
  expect(cut.prompts[1]).toContain('fact 4');
  expect(cut.prompts[1]).not.toContain('fact 1');
});

test('of a long scratchpad the end is shown, and the headings that were left out', async () => {
  const run = await agentWorkspace(
    'if [ $n = 1 ]; then (echo "# Early"; seq 1 6000; echo "# Late") > .ralph/agent/scratchpad.md; else echo LOOP_COMPLETE; fi',
  ).run();
  expect(run.prompts[1]).toMatch(
    /<!-- earlier content truncated \(\d+ chars omitted\) -->\n<!-- discarded sections: # Early -->/,
  );
  expect(run.prompts[1]).toContain('\n6000\n# Late\n\n</scratchpad>');
  expect(run.prompts[1]).not.toContain('\n17\n');
});

test('the coordinator sees all hats, an active hat its own instructions only', async () => {
  const run = await agentWorkspace(
    'case $n in 1) ralph emit build.task;; *) ralph emit LOOP_COMPLETE;; esac',
    {
      yaml: HATS,
    },
  ).run();
  const [coordinator, builder] = run.prompts;
  expect(coordinator).toContain(
    [
      '| Hat | Triggers On | Publishes | Description |',
      '|-----|-------------|----------|-------------|',
      '| Ralph | task.start, build.finished, build.task | build.task, build.finished, review.* | Coordinates workflow, delegates to specialized hats |',
      '| Builder | build.task | build.finished | builds things |',
      '| Reviewer | build.finished, review.* | build.task | reads things |',
    ].join('\n'),
  );
  expect(coordinator).toContain(
    '**CONSTRAINT:** You MUST only publish events from this list: `build.task`, `build.finished`, `review.*`',
  );
  expect(coordinator).toContain('emit the completion event `LOOP_COMPLETE` via `ralph emit`');
  expect(coordinator).not.toContain('BRICKS');

  expect(headings(builder).slice(-5)).toEqual([
    '## PENDING EVENTS',
    '## ACTIVE HAT',
    '### Builder Instructions',
    '### Event Publishing Guide',
    '## EVENT WRITING',
  ]);
  expect(builder).toContain('### Builder Instructions\n\nBuild with BRICKS.\n');
  expect(builder).toContain('- `build.finished` → Received by: Reviewer (reads things)\n');
  expect(builder).not.toContain('CARE');
});

test('a starting hat without instructions is sent on the fast path', async () => {
  const run = await agentWorkspace('echo LOOP_COMPLETE', {
    loop: 'max_iterations: 3, starting_event: work.start',
    yaml: 'hats: {worker: {name: Worker, description: works, triggers: [work.start], publishes: [work.done]}}',
  }).run();
  expect(run.prompts[0]).toContain('**FAST PATH**: You MUST publish `work.start` immediately');
});

test('guidance of a person stands in all later prompts and must be acknowledged', async () => {
  const run = await agentWorkspace(
    `case $n in
      1) ralph emit human.guidance "be kind";;
      2) echo LOOP_COMPLETE;;
      3) ralph emit human.guidance.ack "I was"; echo LOOP_COMPLETE;;
    esac`,
    { loop: 'max_iterations: 6' },
  ).run();
  expect(run).toMatchObject({ code: 0, hats: ['ralph', 'ralph', 'ralph'] });
  for (const prompt of run.prompts.slice(1)) expect(prompt).toMatch(/## ROBOT GUIDANCE\n[^#]*be kind/);
  expect(run.prompts[2]).toContain('Completion rejected: 1 human.guidance message(s) remain unacknowledged.');
});

test('skills of the project are listed, and stand in the prompt if they are told to', async () => {
  const workspace = agentWorkspace('echo LOOP_COMPLETE', {
    yaml: 'skills: {dirs: [skills], overrides: {sing: {auto_inject: true}, mute: {enabled: false}}}',
  });
  workspace.write('skills/a.md', '---\nname: sing\ndescription: "how to sing"\n---\n\nLa la\n');
  workspace.write('skills/dance/SKILL.md', 'Left, right\n');
  workspace.write('skills/mute.md', 'nothing\n');
  const [prompt] = (await workspace.run()).prompts;
  expect(prompt).toContain('<sing-skill>\nLa la\n</sing-skill>');
  expect(prompt).toContain('| sing | how to sing | `ralph tools skill load sing` |\n');
  expect(prompt).toContain('| dance |  | `ralph tools skill load dance` |\n');
  expect(prompt).not.toMatch(/Left, right|mute/);
});
