import type { Check, Verdict } from '../../../domain/check.js';
import { contentOf } from '../../../domain/checks/file-content.js';
import type { CallRecord } from '../../../domain/evidence/conversation.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import type { EvalGrader, EvalTarget, WantedEvalCall } from './case-schema.js';

type Deterministic = Exclude<EvalGrader, { type: 'llm' | 'baseline' }>;

/** Says why a grader cannot be a check, or returns null. */
export function refuseGrader(grader: EvalGrader): string | null {
  switch (grader.type) {
    case 'llm':
    case 'baseline':
      return `the grader "${grader.name}" is judged by a model (${grader.type})`;
    case 'regex':
      return grader.target === 'trace' || grader.target === 'mock_calls'
        ? `the grader "${grader.name}" reads the ${grader.target} of \`claude plugin eval\``
        : null;
    case 'tool_order':
    case 'tool_used':
    case 'file_exists':
      return null;
    default:
      return grader satisfies never;
  }
}

/** Whether a model or a record that we do not have decides. */
export function isCheckable(grader: EvalGrader): grader is Deterministic {
  return refuseGrader(grader) === null;
}

/** Makes a check of a grader. */
export function toCheck(grader: Deterministic): Check {
  const { name, type } = grader;
  const path = type === 'regex' && typeof grader.target === 'object' ? grader.target.path : null;
  return {
    kind: 'evalGrader',
    name: `grader ${name} (${type})`,
    category: 'PromptEffectiveness',
    about: { names: [name] },
    ...(path === null ? {} : { reads: [path] }),
    judge: (evidence) => judge(grader, evidence),
  };
}

function judge(grader: Deterministic, evidence: Evidence): Verdict {
  switch (grader.type) {
    case 'regex':
      return judgeText(grader, readTarget(grader.target, evidence));
    case 'tool_used': {
      const { min = 1, max = Number.POSITIVE_INFINITY } = grader;
      const count = callsOf(evidence).filter((call) => isCall(call, grader)).length;
      return {
        passed: count >= min && count <= max,
        expected: `${grader.tool} called ${min} to ${max === Number.POSITIVE_INFINITY ? 'any number of' : max} times`,
        actual: `${count} times`,
      };
    }
    case 'tool_order': {
      const [before, after] = [grader.before, grader.after].map((wanted) =>
        callsOf(evidence).findIndex((call) => isCall(call, wanted)),
      );
      const describe = (place = -1) => (place < 0 ? 'never called' : `call ${place + 1}`);
      return {
        passed: before !== undefined && after !== undefined && before >= 0 && before < after,
        expected: `${grader.before.tool} before ${grader.after.tool}`,
        actual: `${grader.before.tool}: ${describe(before)}; ${grader.after.tool}: ${describe(after)}`,
      };
    }
    case 'file_exists': {
      const fits = toPathPattern(grader.path);
      const found = newFiles(evidence).filter((path) => fits.test(path));
      return {
        passed: found.length > 0 === grader.exists,
        expected: `${grader.exists ? 'a' : 'no'} new file ${grader.path}`,
        actual: found.join(', ') || 'none',
      };
    }
    default:
      return grader satisfies never;
  }
}

function judgeText(
  { pattern, flags, match }: Extract<Deterministic, { type: 'regex' }>,
  text: string | null,
): Verdict {
  const shown = `/${pattern}/${flags}`;
  const expected = `${match.replace('_', ' ')} ${shown}`;
  if (text === null) return { passed: false, expected, actual: 'no such file, or it cannot be read whole' };
  const count = [...text.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`))].length;
  const passed =
    match === 'contains'
      ? count > 0
      : match === 'not_contains'
        ? count === 0
        : count === Number(match.slice('count:'.length));
  return { passed, expected, actual: `${count} matches in ${JSON.stringify(text.slice(0, 200))}` };
}

function readTarget(target: EvalTarget, evidence: Evidence): string | null {
  if (typeof target === 'object') {
    const content = contentOf(evidence, target.path);
    return content.kind === 'whole' ? content.text : null;
  }
  if (target === 'files') return newFiles(evidence).join('\n');
  const turn = evidence.conversation?.turns.at(-1);
  return turn?.lastText ?? turn?.text ?? '';
}

/** The files that a case is judged by: Claude Code 2.1.325 leaves out those that were there before, changed or not. */
function newFiles({ files }: Evidence): string[] {
  return files
    .filter(({ change }) => change === 'added')
    .map(({ path }) => path)
    .sort();
}

/** Reads `*`, `**` and `?` as Claude Code 2.1.325 does: braces and brackets are plain letters, and `?` may be a slash. */
function toPathPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '.';
      default:
        return part.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
    }
  });
  return new RegExp(`^${parts.join('')}$`);
}

function callsOf({ conversation }: Evidence): readonly CallRecord[] {
  return conversation?.turns.flatMap(({ calls }) => calls) ?? [];
}

function isCall({ name, input }: CallRecord, { tool, input_match }: WantedEvalCall): boolean {
  if (name !== tool) return false;
  return input_match === undefined || new RegExp(input_match).test(JSON.stringify(input));
}
