import { expect, test } from 'vitest';
import { parseScript } from '../../../src/agent/script/parse.js';
import { explainPrompts, findUnreachable, summarizeScript } from '../../../src/agent/script/review.js';

const parse = (text: string) => parseScript(text, { format: 'yaml' }).script;
const SCRIPT = parse(`
rules:
  - on: login
    say: Name?
    max: 1
    turns: [{ on: '/^[a-z]+$/', say: Welcome. }]
  - on: { prompt: log, model: opus }
    say: Opus logs.
  - on: /log/
    failure: overloaded
`);

test('each prompt names the part that answers, and why the others do not', () => {
  const { lines, unanswered } = explainPrompts(SCRIPT, ['login', '1234', 'login', 'bye'], { cwd: '/' });
  expect(lines.join('\n')).toBe(`> login
  response[0] answers: on prompt "login": say "Name?"
  response[1] is not used: on prompt "log", model "opus": the model does not match "opus"
  response[2] is not used: on prompt /log/: it matches too, but response[0] comes first
> 1234
  response[0].turn[0] is not used: on prompt "login", turn 1: the prompt does not match /^[a-z]+$/
  response[0] is not used: on prompt "login": already played 1 time(s)
  response[1] is not used: on prompt "log", model "opus": the prompt does not match "log"
  response[2] is not used: on prompt /log/: the prompt does not match /log/
  Nothing answers: this prompt is an error. Add a rule for it, or a default.
> login
  response[0] is not used: on prompt "login": already played 1 time(s)
  response[1] is not used: on prompt "log", model "opus": the model does not match "opus"
  response[2] answers: on prompt /log/: fail: overloaded
> bye
  response[0] is not used: on prompt "login": already played 1 time(s)
  response[1] is not used: on prompt "log", model "opus": the prompt does not match "log"
  response[2] is not used: on prompt /log/: the prompt does not match /log/
  Nothing answers: this prompt is an error. Add a rule for it, or a default.`);
  expect(unanswered).toBe(2);
});

test('a turn, a default and circumstances are explained too', () => {
  const turn = explainPrompts(SCRIPT, ['login', 'ann'], { cwd: '/' });
  expect(turn.lines).toContain('  response[0].turn[0] answers: on prompt "login", turn 1: say "Welcome."');
  const opus = explainPrompts(SCRIPT, ['log'], { cwd: '/', model: 'opus' });
  expect(opus.lines).toContain('  response[1] answers: on prompt "log", model "opus": say "Opus logs."');
  const other = explainPrompts(parse('{ rules: [{ on: a, say: A }], default: What? }'), ['b'], { cwd: '/' });
  expect(other.lines.at(-1)).toBe('  default answers, because no rule matches: say "What?"');
  expect(other.unanswered).toBe(0);
});

test('earlier prompts, the session, the folder and the model of the script are what the rules see', () => {
  const script = parse(`
agent: { model: opus-9, session_id: s-1 }
rules:
  - { on: { earlier_prompt: blue }, say: Earlier. }
  - { on: { session: s-2, cwd: srv/app }, say: Elsewhere. }
  - { on: { session: s-1, model: opus-9 }, say: Own. }
`);
  const answersTo = (...[prompts, about]: [string[], Partial<Parameters<typeof explainPrompts>[2]>?]) =>
    explainPrompts(script, prompts, { cwd: '/', ...about })
      .lines.filter((line) => line.includes(' answers: '))
      .map((line) => /say "(\w+)/.exec(line)?.[1]);
  expect(answersTo(['blue', 'red'])).toEqual(['Own', 'Earlier']);
  expect(answersTo(['red'], { session: 's-2', cwd: '/srv/app' })).toEqual(['Elsewhere']);
});

test('a temporary failure is played first, and counts as no match', () => {
  const script = parse(`
rules:
  - { on: any, say: Here., failure: overloaded, fail_times: 2, max: 1 }
  - { on: any, say: Spent. }
`);
  const { lines } = explainPrompts(script, ['a', 'a', 'a', 'a'], { cwd: '/' });
  expect(lines.filter((line) => line.includes(' answers: '))).toEqual([
    '  response[0] answers: on any prompt: fail: overloaded',
    '  response[0] answers: on any prompt: fail: overloaded',
    '  response[0] answers: on any prompt: say "Here."',
    '  response[1] answers: on any prompt: say "Spent."',
  ]);
});

test.each(['any', '/.*/', '{ glob: "*" }', "'/^[\\s\\S]*$/'"])('%s takes every prompt', (on) => {
  const script = parse(`{ rules: [{ on: ${on}, say: A }, { on: b, say: B }], default: C }`);
  expect(findUnreachable(script)).toEqual([
    expect.stringContaining('response[1] (on prompt "b") is never reached: response[0]'),
    expect.stringContaining('the default is never used: response[0]'),
  ]);
});

test('a rule with the same conditions as one before it is never reached, unless that one is used up', () => {
  const rule = (more: string) => `{ on: { prompt: a, model: m }, say: A${more} }`;
  expect(findUnreachable(parse(`rules: [${rule('')}, ${rule('')}]`))).toEqual([
    expect.stringMatching(/^response\[1\] .* is never reached: response\[0\] has the same conditions$/),
  ]);
  expect(findUnreachable(parse(`rules: [${rule(', max: 1')}, ${rule('')}]`))).toEqual([]);
});

test('rules after one that takes every prompt are never reached', () => {
  const script = parse(`
rules:
  - { on: any, say: once, max: 1 }
  - { on: any, say: all }
  - { on: hello, say: Hi. }
  - { on: { tool_result: error }, say: Oh. }
`);
  expect(findUnreachable(script)).toEqual([
    'response[2] (on prompt "hello") is never reached: response[1] (on any prompt) takes every prompt',
  ]);
  expect(findUnreachable(SCRIPT)).toEqual([]);
  expect(summarizeScript(SCRIPT)).toBe('3 rules, 1 turn, no default');
});
