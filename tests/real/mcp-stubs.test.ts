import { testStubs } from '../mcp/support/stub-tests.js';
import { requireProgram } from './programs.js';
import { putOnPath } from './support/environment.js';

putOnPath('claude');

testStubs(['--lane', 'scripted', '--executable', requireProgram('claude')], 'scripted');
