import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect } from './support/harness-client.js';
import { PAGED_FILES, PAGED_TOOLS, WHOLE_LISTS } from './support/paged-tools.js';

const SIM = {
  args: ['--lane', 'sim', '--ralph', 'embedded', '--script', 'agent.yaml'],
  files: PAGED_FILES,
};

/** What to ask for, and which entries of a list of this length come back. */
const PAGES = (length: number) =>
  [
    [{ limit: null, offset: null }, 0, length],
    [{ limit: 2 }, 0, 2],
    [{ limit: 1, offset: 1 }, 1, 2],
    [{ offset: 1 }, 1, length],
    [{ limit: length + 5, offset: length - 1 }, length - 1, length],
    [{ limit: 1, offset: length }, length, length],
    [{ offset: length + 5 }, length, length],
  ] as const;

describe('lists', () => {
  test.each(Object.entries(PAGED_TOOLS))(
    'of %s have a limit, an offset and a total',
    async (name, { lists, prepare, identify, newestLast }) => {
      covers('A3');
      const harness = await connect(SIM);
      const input = await prepare(harness);
      const answers = new Map<string, Promise<Record<string, never>>>();
      const ask = (page: Record<string, unknown>) => {
        const key = JSON.stringify(page);
        const answer = answers.get(key) ?? harness.ok(name, { ...input, ...page });
        answers.set(key, answer);
        return answer;
      };
      for (const [list, total] of Object.entries(lists)) {
        const read = async (page: Record<string, unknown>): Promise<[unknown, unknown[]]> => {
          const answer = await ask(page);
          const entries: readonly never[] = answer[list] ?? [];
          return [
            total.reduce<unknown>((part, key) => Object(part)[key], answer),
            identify === undefined ? [...entries] : entries.map(identify),
          ];
        };
        const [length, all] = await read({});
        expect(all.length, list).toBeGreaterThanOrEqual(3);
        expect(length, list).toBe(all.length);
        const ordered = newestLast ? all.toReversed() : all;
        for (const [page, from, to] of PAGES(all.length)) {
          const asked = ordered.slice(from, to);
          const expected = [length, newestLast ? asked.toReversed() : asked];
          expect(await read(page), `${list} ${JSON.stringify(page)}`).toEqual(expected);
        }
      }
      for (const page of [{ limit: 0 }, { limit: 1.5 }, { offset: -1 }]) {
        expect(await harness.call(name, { ...input, ...page }), JSON.stringify(page)).toMatchObject({
          ...{ failed: true, data: { error_name: 'InvalidInputError' } },
        });
      }
    },
  );
});

test('every list of every tool has pages, or says why it is returned whole', async () => {
  covers('A3');
  const { client } = await connect(SIM);
  const { tools } = await client.listTools();
  const found = tools.flatMap(({ name, outputSchema }) =>
    Object.entries(Object(outputSchema).anyOf[0].properties)
      .filter(([, schema]) => Object(schema).type === 'array')
      .map(([list]) => `${name}.${list}`),
  );
  const paged = Object.entries(PAGED_TOOLS).flatMap(([name, { lists }]) =>
    Object.keys(lists).map((list) => `${name}.${list}`),
  );
  expect(found.toSorted()).toEqual([...paged, ...Object.keys(WHOLE_LISTS)].toSorted());
});
