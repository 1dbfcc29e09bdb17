import { delimiter, dirname } from 'node:path';
import { testStubs } from '../mcp/support/stub-tests.js';
import { requireProgram } from './programs.js';

const claude = requireProgram('claude');
process.env.PATH = [dirname(claude), process.env.PATH].join(delimiter);

testStubs(['--lane', 'scripted', '--executable', claude], 'scripted');
