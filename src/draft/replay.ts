import { quoteTemplate } from '../agent/engine/template.js';
import type { Step } from '../domain/agent-script.js';
import { mapTexts } from '../domain/common/map-texts.js';
import type { ActiveHat, FolderFacts, PlayedIteration } from './folder/facts.js';
import { type DraftedCheck, listChecks, listSaboteurs } from './replay-checks.js';
import { nameConstant, quoteText, writeCall, writeComment, writeImport, writeValue } from './source.js';

/** A draft and its figures. */
export interface Draft {
  readonly text: string;
  readonly checks: number;
  readonly rules: number;
  readonly saboteurs: number;
}

/** Drafts a scenario that plays what the agent did in a run and expects what the run showed. */
export function draftReplay(id: string, facts: FolderFacts): Draft {
  const checks = listChecks(facts);
  const rules = [...facts.iterations.map(writeRule), ...(facts.termination === null ? [UNKNOWN_END] : [])];
  const saboteurs = listSaboteurs(facts, checks);
  const body = [
    ...writeHead(id, facts),
    '',
    '  // What Ralph got.',
    '  arrange: () => ({',
    ...writeArrangement(facts).map((line) => `    ${line}`),
    '  }),',
    '',
    ...writeComment(
      'DECIDE: these checks expect what the run showed. If it went wrong, change them to what Ralph promises; they then fail until Ralph is fixed.',
      '  ',
    ),
    '  expect: () => ({',
    ...checks.map(writeCheck),
    '  }),',
    '',
    '  // What the agent did: one rule per iteration, each played once.',
    '  agent: [',
    ...rules.map((rule) => `${rule},`),
    '  ],',
    '',
    '  // Ways to break the scenario, and the checks that must then fail.',
    '  saboteurs: {',
    ...saboteurs.map((saboteur) => `${saboteur},`),
    '  },',
    '});',
    '',
  ].join('\n');
  const names = listUsed(body);
  const constant = nameConstant(id, new Set(names));
  const text = [
    ...writePreface(facts),
    writeImport(names, 'ralph-e2e'),
    '',
    `export const ${constant} = scenario({`,
    body,
  ].join('\n');
  return { text, checks: checks.length, rules: rules.length, saboteurs: saboteurs.length };
}

/** Ends the draft if the folder does not show how the run ended. */
const UNKNOWN_END = ['    // DECIDE: what the agent does from here.', '    onAnyPrompt().completes()'].join(
  '\n',
);

function writePreface({ name, gaps }: FolderFacts): string[] {
  const lead = `Drafted by \`ralph-e2e new\` from what a run of Ralph left in ${quoteText(name)}. Search for DECIDE.`;
  if (gaps.length === 0) return [...writeComment(lead, ''), ''];
  return [
    ...writeComment(lead, ''),
    '//',
    '// What the folder does not show, and what the draft drops:',
    ...gaps.flatMap((gap) => writeComment(`- ${gap}`, '')),
    '',
  ];
}

function writeHead(id: string, facts: FolderFacts): string[] {
  const { backend, companions, iterations } = facts;
  const others = companions.filter((id) => id !== backend);
  return [
    `  id: ${quoteText(id)},`,
    `  tier: ${chooseTier(facts)}, // DECIDE`,
    "  description: 'DECIDE: what Ralph promises here, in one sentence',",
    `  backends: [${quoteText(backend)}], // as in the run; without this line it runs on claude, kiro and opencode`,
    "  lanes: ['scripted', 'sim'], // DECIDE: before a real model runs it, make the prompt ask for everything that is checked",
    ...(iterations.length === 0 ? [] : [`  expectedIterations: ${iterations.length},`]),
    ...writeNotApplicable(facts),
    ...(others.length === 0 ? [] : [`  companions: () => [${others.map(quoteText).join(', ')}],`]),
  ];
}

/** Excludes common saboteurs that would change nothing here. */
function writeNotApplicable({ iterations, termination }: FolderFacts): string[] {
  const steps = iterations.flatMap((iteration) => iteration.steps);
  const isMute = termination !== null && !steps.some((step) => ['say', 'emit', 'complete'].includes(step.do));
  const reasons = [
    ...(isMute ? ["'acts-silently': 'the agent says, emits and completes nothing'"] : []),
    ...(isMute && steps.length === 0 ? ["'wrong-place': 'the agent does nothing'"] : []),
  ];
  if (reasons.length === 0) return [];
  return ['  notApplicable: {', ...reasons.map((reason) => `    ${reason},`), '  },'];
}

/** Chooses the tier by the most specific feature that the run used. */
function chooseTier({ config, events, promise, termination }: FolderFacts): number {
  if (termination !== null && termination.reason !== 'completed') return 7;
  if (config.hats !== undefined) return 5;
  return events.some(({ topic }) => topic !== promise) ? 3 : 2;
}

function writeArrangement({ config, prompt }: FolderFacts): string[] {
  return writeValue({ config, prompt }, '')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(2));
}

function writeCheck({ key, call, args }: DraftedCheck): string {
  return `    ${key}: ${writeCall(call, args, '    ')},`;
}

function writeRule({ number, hat, steps, failed }: PlayedIteration): string {
  const indent = '      ';
  const worn = hat === null ? '' : `: ${hat.id}`;
  return [
    ...writeComment(`Iteration ${number}${worn}.`, '    '),
    ...(steps.length === 0 && !failed
      ? writeComment('The folder does not show what the agent did.', '    ')
      : []),
    ...(failed ? writeComment('It failed; the folder does not show how.', '    ') : []),
    [
      `    ${writeCondition(hat)}`,
      `${indent}.once()`,
      ...steps.map((step) => `${indent}${writeStep(step, indent)}`),
      ...(failed ? [`${indent}.fails({ type: 'crash' })`] : []),
    ].join('\n'),
  ].join('\n');
}

function writeCondition(hat: ActiveHat | null): string {
  if (hat === null) return 'onAnyPrompt()';
  return hat.name === null ? 'onAnyPrompt().when({ coordinating: true })' : `onHat(${quoteText(hat.name)})`;
}

/** Writes a step as a call of the builder. Escapes double braces, because the texts are not templates. */
function writeStep(step: Step, indent: string): string {
  const call = (verb: string, ...args: readonly unknown[]) =>
    writeCall(
      `.${verb}`,
      args.map((arg) => mapTexts(arg, quoteTemplate)),
      indent,
    );
  switch (step.do) {
    case 'say':
      return call('says', step.text);
    case 'emit':
      return step.by === 'tag'
        ? call('emits', step.topic, step.payload ?? '', 'tag')
        : call('emits', step.topic, ...(step.payload === undefined ? [] : [step.payload]));
    case 'complete':
      return call('completes');
    default:
      throw new Error(`no draft has the step ${step.do}`);
  }
}

/** Lists the library functions that the text calls. */
function listUsed(body: string): string[] {
  const used = NAMES.filter((name) => new RegExp(`(?<![.\\w'])${name}\\(`).test(body));
  return ['scenario', ...used].sort();
}

const NAMES =
  'completed endedAtOnce eventEmitted eventsInOrder hatSequence iterationCount onAnyPrompt onHat promptContained terminatedBecause without'.split(
    ' ',
  );
