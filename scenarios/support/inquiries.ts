import {
  type Arrangement,
  type Check,
  type Errand,
  errandAnswered,
  type WantedAnswer,
} from '../../src/authoring.js';
import { escapePattern } from './texts.js';

/** What the harness asks Ralph itself, and the answer that it must get. */
interface Inquiry extends Omit<Extract<Errand, { ralph: unknown }>, 'ralph'> {
  /** The arguments. They identify the question: several checks on one answer have the same. */
  readonly args: readonly string[];
  readonly answer: WantedAnswer;
}
/** Inquiries by the names of their checks. */
export type Inquiries = Readonly<Record<string, Inquiry>>;

/** Asks with these words, of which none contains a space. */
export function asks(words: string, answer: WantedAnswer): Inquiry {
  return { args: words.split(' '), answer };
}

/** The answer that consists of exactly these lines. */
export function printed(...lines: readonly string[]): WantedAnswer {
  return { stdout: new RegExp(`^${lines.map((line) => `${escapePattern(line)}\\n`).join('')}$`) };
}

/** The errands that ask each question once. */
export function askAll(questions: Inquiries): Errand[] {
  const errands = Object.values(questions).map(({ args, answer: _, ...place }) => ({
    ralph: args,
    ...place,
  }));
  return [...new Map(errands.map((errand) => [JSON.stringify(errand), errand])).values()];
}

/** The checks on the answers. */
export function answersOf<Key extends string>(questions: Readonly<Record<Key, Inquiry>>): Record<Key, Check>;
export function answersOf(questions: Inquiries): Record<string, Check> {
  return Object.fromEntries(
    Object.entries(questions).map(([name, { args, answer }]) => [
      name,
      errandAnswered(args.join(' '), answer),
    ]),
  );
}

/** Matches a text with these lines, in this order. A line may start with spaces. */
export function linesOf(...lines: readonly string[]): RegExp {
  return new RegExp(lines.map((line) => `^ *${escapePattern(line)} *$`).join('[\\s\\S]*'), 'm');
}

/** Matches a text with lines of these patterns, whatever their order. */
export function together(...lines: readonly string[]): RegExp {
  return new RegExp(lines.map((line) => `(?=[\\s\\S]*^${line}$)`).join(''), 'm');
}

/** Matches a text without any of these. */
export function textWithout(...words: readonly string[]): RegExp {
  return new RegExp(`^(?![\\s\\S]*(?:${words.map(escapePattern).join('|')}))`);
}

/** Replaces the content of these files; without names, of all of them. */
export function rewriting(content: string, ...paths: readonly string[]): (plan: Arrangement) => Arrangement {
  return (plan) => {
    const chosen = paths.length === 0 ? Object.keys(plan.files ?? {}) : paths;
    return {
      ...plan,
      files: { ...plan.files, ...Object.fromEntries(chosen.map((path) => [path, content])) },
    };
  };
}

/** Asks with other words or variables, so that the questions with this text in their arguments stay unanswered. */
export function askingOtherwise(
  about: string,
  change: (errand: Extract<Errand, { ralph: unknown }>) => Errand,
): (plan: Arrangement) => Arrangement {
  return (plan) => ({
    ...plan,
    before: (plan.before ?? []).map((errand) =>
      'ralph' in errand && errand.ralph.join(' ').includes(about) ? change(errand) : errand,
    ),
  });
}
