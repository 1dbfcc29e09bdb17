import { describe, expect, test } from 'vitest';
import { createStringSharer } from '../../../src/domain/common/share-strings.js';

describe('createStringSharer', () => {
  test('leaves every value as it was, whatever its key', () => {
    const text = `{"a":["x","x",{"b":"x","n":1,"z":null,"t":true}],"__proto__":"x","long":"${'y'.repeat(300)}"}`;
    const share = createStringSharer();
    for (const record of [JSON.parse(text), JSON.parse(text)]) {
      share(record);
      expect(JSON.stringify(record)).toBe(text);
    }
    expect(() => share({ frozen: Object.freeze(['x']) })).not.toThrow();
  });
});
