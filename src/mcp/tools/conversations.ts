import * as z from 'zod';
import { putFile } from '../../exec/files/make-folder.js';
import type { Harness } from '../harness.js';
import {
  awaitExchange,
  describeExchange,
  describeSession,
  exchangeShape,
  toolCallSchema,
  usageShape,
} from '../results.js';
import type { ManagedSession, TurnExchange } from '../sessions.js';
import { conversationRequestSchema, startConversation } from '../start-conversation.js';
import { defineTool, type Page, pageShape, type Tool, takePage, WHOLE } from '../tool.js';

const promptText = z.string().trim().min(1).max(1_000_000);

const responseSchema = z.object({
  response_id: z.string(),
  prompt: z.string(),
  status: z.enum(['pending', 'streaming', 'complete', 'error', 'cancelled']),
  response_text: z.string().nullable(),
  ...exchangeShape,
});

export const conversationTools: readonly Tool[] = [
  defineTool({
    name: 'start_conversation',
    description:
      'Starts a conversation with Claude Code and the installed plugins. Returns the session_id that other tools need.',
    input: z.object({
      config: conversationRequestSchema.default({}),
    }),
    output: z.object({
      session_id: z.string(),
      created_at: z.string(),
      agent_mode: z.string(),
      working_directory: z.string(),
      plugins_active: z.array(z.string()),
      lane: z.string(),
    }),
    run: async ({ config }, harness) => {
      const session = await startConversation(harness, config);
      return {
        session_id: session.id,
        created_at: session.createdAt,
        agent_mode: session.agentName,
        working_directory: session.options.cwd,
        plugins_active: session.options.plugins.map(({ name }) => name),
        lane: harness.options.lane,
      };
    },
  }),

  defineTool({
    name: 'send_prompt',
    description:
      'Sends a prompt and waits for the answer. With wait_for_response=false it returns at once; then poll get_response.',
    input: z.object({
      prompt: promptText,
      session_id: z.string(),
      wait_for_response: z.boolean().default(true),
      timeout_ms: z.number().int().positive().max(3_600_000).default(60_000),
    }),
    output: responseSchema,
    run: async ({ prompt, session_id, wait_for_response, timeout_ms }, harness, { signal }) => {
      const session = harness.sessions.get(session_id);
      const exchange = await session.begin('prompt', prompt, timeout_ms / 1000);
      if (wait_for_response) await awaitExchange(exchange, signal);
      return describeResponse(harness, session, exchange, WHOLE);
    },
  }),

  defineTool({
    name: 'get_response',
    description: 'Returns the answer to a prompt so far. `limit` and `offset` apply to its tool calls.',
    input: z.object({ response_id: z.string(), ...pageShape }),
    output: responseSchema,
    run: ({ response_id, ...page }, harness) => {
      const { session, exchange } = harness.sessions.find(response_id, 'prompt');
      return describeResponse(harness, session, exchange, page);
    },
  }),

  defineTool({
    name: 'get_conversation_history',
    description:
      'Returns the conversation so far: for each prompt a turn of the user, then one of the agent with its tool calls.',
    input: z.object({ session_id: z.string(), ...pageShape }),
    output: z.object({
      session_id: z.string(),
      turns: z.array(
        z.object({
          turn_number: z.number(),
          role: z.enum(['user', 'assistant']),
          content: z.string(),
          tool_calls: z.array(toolCallSchema),
          timestamp: z.string(),
          workflow_stage: z.string().nullable(),
          ...usageShape,
        }),
      ),
      total_turns: z.number().describe('Turns of the user and of the agent: two for each prompt'),
    }),
    run: ({ session_id, ...page }, harness) => {
      const { turns } = describeSession(harness, harness.sessions.get(session_id));
      return { session_id, turns: takePage(turns, page), total_turns: turns.length };
    },
  }),

  defineTool({
    name: 'end_conversation',
    description: 'Ends a conversation and all its processes, and by default saves its history to a file.',
    input: z.object({ session_id: z.string(), save_history: z.boolean().default(true) }),
    output: z.object({
      session_id: z.string(),
      ended_at: z.string(),
      total_turns: z.number().describe('Turns of the user and of the agent: two for each prompt'),
      history_saved: z.boolean(),
      history_path: z.string().nullable(),
      usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
      cost_usd: usageShape.cost_usd.unwrap(),
    }),
    run: async ({ session_id, save_history }, harness) => {
      const session = harness.sessions.get(session_id);
      await session.end();
      const state = describeSession(harness, session);
      const path = save_history ? await harness.keep('histories', `${session_id}.json`) : null;
      if (path !== null) {
        await harness.captured.add(path, async () => putFile(path, `${JSON.stringify(state, null, 2)}\n`));
      }
      return {
        session_id,
        ended_at: session.endedAt ?? new Date().toISOString(),
        total_turns: state.turns.length,
        history_saved: path !== null,
        history_path: path,
        usage: state.usage,
        cost_usd: state.cost_usd,
      };
    },
  }),
];

const STATUS = {
  pending: 'pending',
  running: 'streaming',
  completed: 'complete',
  failed: 'error',
  timeout: 'error',
  cancelled: 'cancelled',
} as const;

function describeResponse(
  harness: Harness,
  session: ManagedSession,
  exchange: TurnExchange,
  page: Page,
): z.infer<typeof responseSchema> {
  const { state, text, ...known } = describeExchange(harness, session, exchange, page);
  return {
    response_id: exchange.id,
    prompt: exchange.asked,
    status: STATUS[state],
    response_text: text,
    ...known,
  };
}
