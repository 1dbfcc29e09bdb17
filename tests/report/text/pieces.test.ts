import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { headAndTail } from '../../../src/domain/text/fit.js';
import { keepForReport } from '../../../src/journal/reader.js';
import { printableJson, printJson } from '../../../src/report/json.js';
import { inChunks, type Pieces } from '../../../src/report/text/pieces.js';
import { journal } from '../support/journal.js';

function* piecesOf(texts: readonly string[]): Pieces {
  yield* texts;
}

describe('JSON in pieces', () => {
  it('is what JSON.stringify makes of the same data', () => {
    // Characters that are escaped on purpose have a test of their own: here they would only differ.
    const plain = fc.string({ unit: 'grapheme-ascii' });
    const json = fc.dictionary(plain, fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme-ascii' }));
    fc.assert(
      fc.property(
        json.filter((data) => !JSON.stringify(data).includes('##')),
        (data) => {
          expect(printableJson(data)).toBe(`${JSON.stringify(data, null, 2)}\n`);
        },
      ),
    );
  });

  it('leaves out what is undefined, as JSON.stringify does', () => {
    const data = { a: undefined, b: [undefined, 1], c: { d: undefined } };
    expect(printableJson(data)).toBe(`${JSON.stringify(data, null, 2)}\n`);
  });

  it('makes each item of a lazy list when its turn comes', () => {
    let made = 0;
    function* make() {
      for (const item of ['first', 'second']) {
        made += 1;
        yield item;
      }
    }
    let atFirst = 0;
    const text: string[] = [];
    for (const piece of printJson({ items: make() })) {
      if (piece.includes('first')) atFirst = made;
      text.push(piece);
    }
    expect(atFirst).toBe(1);
    expect(JSON.parse(text.join(''))).toEqual({ items: ['first', 'second'] });
  });
});

describe('text in pieces', () => {
  it('is the same in chunks, and few of them', () => {
    const texts = Array.from({ length: 30_000 }, (_, index) => `piece ${index}\n`);
    const chunks = [...inChunks(piecesOf(texts))];
    expect(chunks.join('')).toBe(texts.join(''));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.length).toBeLessThan(10);
  });
});

describe('the first and last of a list', () => {
  it('are as many as asked for, whatever the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(20), (items, limit) => {
        const { kept, left } = headAndTail(items, limit);
        expect(kept).toHaveLength(Math.min(limit, items.length));
        expect(kept.length + left).toBe(items.length);
        expect(kept.slice(0, Math.ceil(limit / 2))).toEqual(items.slice(0, Math.ceil(limit / 2)));
        if (limit > 1) expect(kept.at(-1)).toBe(items.at(-1));
      }),
    );
  });
});

describe('what a report keeps of a journal', () => {
  const call = { at: 't', argv: ['claude', '-p'], outcome: 'played' as const };

  it('is the whole of an attempt that did not pass, because the diagnosis reads everything', () => {
    const events = journal({ tests: [{ attempts: [{ outcome: 'failed' }] }] });
    for (const event of events) expect(keepForReport(event)).toBe(event);
  });

  it('is less of one that passed', () => {
    const [attempt] = journal({ tests: [{ attempts: [{}] }] }).filter(isAttempt);
    if (!attempt?.evidence) throw new Error('expected an attempt with evidence');
    const [known] = attempt.evidence.invocations;
    const invocations = [{ ...known, ...call }];
    const kept = keepForReport({
      ...attempt,
      evidence: Object.assign({}, attempt.evidence, { invocations }),
    });
    expect(kept).toMatchObject({ evidence: { invocations: [], iterations: attempt.evidence.iterations } });
  });
});

function isAttempt(event: JournalEvent): event is Extract<JournalEvent, { type: 'attempt-finished' }> {
  return event.type === 'attempt-finished';
}
