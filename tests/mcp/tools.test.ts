import { testEveryToolWasCalled, testTools } from './support/tool-tests.js';

const SIM = ['--lane', 'sim'];

testTools(SIM);

// The stand-in plays no MCP servers; the harness itself is tested beside this.
testEveryToolWasCalled(SIM, [
  'mock_mcp_tool_response',
  'list_scenarios',
  'run_scenario',
  'get_report',
  'get_failure',
]);
