import { describe, expect, test } from 'vitest';
import { SHAPES } from '../src/exec/redact/shapes.js';
import { findPatterns } from './support/patterns/find-patterns.js';
import { findSlowText } from './support/patterns/growth.js';

/** Programs of their own: a stand-in that is slow ends at the time limit of its attempt. */
const STAND_INS =
  /^src\/(?:standin|mcp-stub|agent\/(?:face|engine|script))\/|\/stand-in\/|\/projects\/templates\//;

/** Patterns that are slower than linear, and why their texts are short or nobody else's. */
const EXCUSED: Readonly<Record<string, string>> = {
  'src/domain/checks/asked.ts': 'reads the words and patterns of a scenario author',
  'src/exec/process/table.ts': 'reads ps, where there is no /proc',
  'src/isolation/refused-writes.ts': 'linear with a factor of 200, on the 128 KB that are kept of stderr',
};

/** Files that build patterns, and where the parts come from. */
const BUILT: Readonly<Record<string, string>> = {
  'src/analyze/fault/arranged.ts': 'the trigger of a hat, in which * is the only repetition',
  'src/backends/probe.ts': 'the name of a command',
  'src/domain/checks/asked.ts': 'a path, as a literal',
  'src/domain/checks/speech.ts': 'words of a scenario author',
  'src/domain/checks/text.ts': 'a pattern of a scenario author',
  'src/domain/diagnosis/check-facts.ts': 'a pattern of a scenario author',
  'src/domain/scenario/known-issue.ts': 'a pattern of a scenario author',
  'src/draft/replay.ts': 'names of our own functions',
  'src/exec/redact/shape.ts': 'the families of credentials, tested below',
  'src/isolation/exchange.ts': 'a prefix of ours',
  'src/kinds/conversation/stages/tracker.ts': 'a pattern of a workflow',
  'src/kinds/conversation/strategies/command-suggested.ts': 'the name of a command, as a literal',
  'src/kinds/conversation/strategies/error-handling.ts': 'the name of an error, as a literal',
  'src/kinds/conversation/strategies/keywords.ts': 'words of a scenario author',
  'src/kinds/ralph/evidence/transcript.ts': 'a unit of time',
  'src/mcp/plugins/hook-runs.ts': 'the matcher of a hook, for the name of a tool',
  'src/run/prove/cheats.ts': 'a pattern of a scenario, for an empty text',
  'src/run/select/select.ts': 'a filter of the user, for ids',
};

const { written, built } = findPatterns('src', (file) => STAND_INS.test(file));

describe('patterns', () => {
  test('take linear time on the worst text that can be derived from each', { timeout: 180_000 }, () => {
    const slow = written
      .filter(({ file }) => EXCUSED[file] === undefined)
      .flatMap(({ file, line, pattern }) => {
        const text = findSlowText(pattern);
        return text === null ? [] : [`${file}:${line}: ${pattern} on ${JSON.stringify(text)}`];
      });
    expect(slow).toEqual([]);
    expect(written.length).toBeGreaterThan(300);
  });

  test('are excused only where one is slow', () => {
    const slow = written
      .filter(({ file }) => EXCUSED[file] !== undefined)
      .filter(({ pattern }) => findSlowText(pattern));
    expect([...new Set(slow.map(({ file }) => file))].toSorted()).toEqual(Object.keys(EXCUSED).toSorted());
  });

  test('are built at run time only where the parts are known', () => {
    expect([...new Set(built.map(({ file }) => file))].toSorted()).toEqual(Object.keys(BUILT).toSorted());
  });

  test.each(SHAPES)('the family "$kind" takes linear time', ({ pattern, begun }) => {
    expect(findSlowText(pattern)).toBeNull();
    expect(findSlowText(begun)).toBeNull();
  });
});

describe('the measure itself', () => {
  test.each([
    /(?<![A-Za-z0-9])eyJ[\w-]{10,}\.[\w-]{4,}\.[\w-]{4,}/g,
    /^ ITERATION (\d+) \| \S+ (.+?) \| .* elapsed \| \d+\/\d+$/,
    /(a+)+$/,
    /\s+$/,
    /\d+\.\d+/,
    /<a>[\s\S]*?<\/a>/g,
    /(?:a|ab|b)*c/,
    /a.*b.*c/s,
  ])('finds that %s is slow', (pattern) => {
    expect(findSlowText(pattern)).not.toBeNull();
  });

  test.each([/^a+b/, /(?<!\d)\d+\.\d+/, /[^"]*"/y, /"(?:[^"\\]|\\.)*"/y, /a{1,10}b/g])(
    'finds nothing wrong with %s',
    (pattern) => {
      expect(findSlowText(pattern)).toBeNull();
    },
  );
});
