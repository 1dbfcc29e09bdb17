import { expect, test } from 'vitest';
import { covers } from '../../coverage/covers.js';
import { testAssertions } from './tools/assertions.js';
import { testConversations } from './tools/conversations.js';
import { testEnvironment } from './tools/environment.js';
import { called, open } from './tools/opened.js';
import { testPlugins } from './tools/plugins.js';
import { testServers } from './tools/servers.js';
import { testWorkflow } from './tools/workflow.js';

/** The tests that hold in every offline lane, with the stand-in as with the real Claude Code. */
export function testTools(args: readonly string[]): void {
  testPlugins(args);
  testWorkflow(args);
  testConversations(args);
  testEnvironment(args);
  testAssertions(args);
  testServers(args);
}

/** Fails when a tool was never called with success by the tests before it. */
export function testEveryToolWasCalled(args: readonly string[], elsewhere: readonly string[]): void {
  test('every tool was called', async () => {
    covers('H36', 'H42');
    const { client } = await open(args);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(38);
    const missed = tools.map(({ name }) => name).filter((name) => !called.has(name));
    expect(missed).toEqual(elsewhere);
  });
}
