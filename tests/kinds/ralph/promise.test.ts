import { describe, expect, test } from 'vitest';
import { arrangedPromise } from '../../../src/kinds/ralph/promise.js';

const config = { event_loop: { completion_promise: 'FROM_CONFIG' } };
const collection = 'event_loop:\n  completion_promise: FROM_HATS\nhats: {}\n';

describe('the word that ends a loop', () => {
  test.each([
    ['of ralph.yml', { config }, 'FROM_CONFIG'],
    ['of Ralph itself, if nothing sets it', { config: {} }, 'LOOP_COMPLETE'],
    ['of ralph.yml in its first format', { config: { ...config, completion_promise: 'OLD' } }, 'OLD'],
    ['of a hat collection', { config, args: ['-H', 'my.yml'], files: { 'my.yml': collection } }, 'FROM_HATS'],
    [
      'of a collection in another spelling',
      { config, args: ['--hats=./my.yml'], files: { 'my.yml': { content: collection, mode: 0o644 } } },
      'FROM_HATS',
    ],
    [
      'of ralph.yml, if the collection has none',
      { config, args: ['-H', 'my.yml'], files: { 'my.yml': 'hats: {}\n' } },
      'FROM_CONFIG',
    ],
    [
      'of the command line, before all others',
      { config, args: ['-H', 'my.yml', '--completion-promise', 'FLAG'], files: { 'my.yml': collection } },
      'FLAG',
    ],
    ['of the command line in one word', { config, args: ['--completion-promise=FLAG'] }, 'FLAG'],
  ])('is that %s', (_where, given, promise) => {
    expect(arrangedPromise(given)).toBe(promise);
  });

  test('is known to Ralph alone if Ralph ships the collection', () => {
    expect(arrangedPromise({ config, args: ['-H', 'builtin:research'] })).toBeNull();
  });
});
