import { expect, test } from 'vitest';
import { defineBackend } from '../../src/backends/define-backend.js';
import { BACKENDS } from '../../src/backends/index.js';
import { BACKEND_IDS } from '../../src/domain/backends.js';

test('a backend has the id and the names of its line in the registry', () => {
  expect(Object.keys(BACKENDS)).toEqual(BACKEND_IDS);
  for (const [key, { id }] of Object.entries(BACKENDS)) expect(id).toBe(key);
  expect(BACKENDS.kiro).toMatchObject({ title: 'Kiro', command: 'kiro-cli', ralphBackend: 'kiro' });
});

test.each(BACKEND_IDS)(
  'the id %s can be the name of a variable, a folder and a part of the id of a scenario',
  (id) => {
    expect(id).toMatch(/^[a-z][a-z\d]*$/);
  },
);

test('a CLI without an option for a model refuses one, and says what to do', () => {
  const { modelArgs: _, ...own } = BACKENDS.pi;
  expect(() => defineBackend('pi', own).modelArgs('some/model')).toThrow(
    expect.objectContaining({
      message: '--model some/model: pi has no option for a model.',
      hint: expect.stringContaining('Leave out --model'),
    }),
  );
});

test.each(Object.values(BACKENDS))('the stand-in of $id is a stand-in of $id', async ({ id, standIn }) => {
  expect((await standIn()).backend).toBe(id);
});
