import { expect, test } from 'vitest';
import { refuseRenewalInCi } from './support/renewal.js';

test.each(['UPDATE_DOCS', 'UPDATE_GOLDEN'])('%s is refused if CI is set', (name) => {
  expect(() => refuseRenewalInCi({ CI: 'true', [name]: '1' })).toThrow(`Found ${name}, which writes files.`);
  expect(() => refuseRenewalInCi({ CI: '', [name]: '1' })).not.toThrow();
  expect(() => refuseRenewalInCi({ CI: 'true' })).not.toThrow();
});
