import { testStubs } from './support/stub-tests.js';

testStubs(['--lane', 'sim'], 'sim');
