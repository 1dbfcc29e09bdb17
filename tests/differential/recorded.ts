import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { IMITATED_RALPH } from '../../src/domain/stand-ins.js';
import type { DifferentialCase } from './case.js';
import type { Observation } from './observe.js';

const FILE = fileURLToPath(new URL(`recorded-${IMITATED_RALPH}.jsonl`, import.meta.url));

/** How to record, for whoever finds a recording that is missing or old. */
const ADVICE =
  'record it with `UPDATE_RECORDED=1 npm run test:agreement -- tests/agreement/differential.test.ts`';

const lineSchema = z.strictObject({
  name: z.string(),
  /** A hash of the situation, so that nothing is held to the answer to another question. */
  situation: z.string(),
  answer: z.record(z.string(), z.array(z.string())),
});
type Line = z.infer<typeof lineSchema>;

let lines: ReadonlyMap<string, Line> | undefined;

/** What the real ralph did in a case. */
export function readRecorded(testCase: DifferentialCase): Observation {
  lines ??= readLines();
  const line = lines.get(testCase.name);
  if (line === undefined)
    throw new Error(`expected a recorded answer to '${testCase.name}', found none: ${ADVICE}`);
  if (line.situation !== hashSituation(testCase))
    throw new Error(
      `expected the recorded answer to '${testCase.name}', found that of an older version of the case: ${ADVICE}`,
    );
  return line.answer;
}

/** The names of all cases with a recorded answer. */
export function listRecorded(): readonly string[] {
  return [...readLines().keys()];
}

/** Writes the answers of the cases that ran; the others keep theirs, and what is of no case goes. */
export function writeRecorded(
  corpus: readonly DifferentialCase[],
  answers: ReadonlyMap<string, Observation>,
): void {
  const old = readLines();
  const kept = corpus.flatMap((testCase) => {
    const answer = answers.get(testCase.name);
    const line =
      answer === undefined
        ? old.get(testCase.name)
        : { name: testCase.name, situation: hashSituation(testCase), answer };
    return line === undefined ? [] : [`${JSON.stringify(line)}\n`];
  });
  writeFileSync(FILE, kept.join(''));
}

function readLines(): ReadonlyMap<string, Line> {
  const rows = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').slice(0, -1) : [];
  return new Map(rows.map((row) => lineSchema.parse(JSON.parse(row))).map((line) => [line.name, line]));
}

function hashSituation({ name, covers, ...situation }: DifferentialCase): string {
  const text = JSON.stringify(situation, (_, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
