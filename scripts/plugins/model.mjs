// A model for the real Claude Code that shares nothing with ralph-e2e: it calls Bash once, so that hooks around tools
// run, and then ends. It keeps what it last received.
import { createServer } from 'node:http';

export async function startModel() {
  let received = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (!request.url.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
      response.end('{"input_tokens":1}');
      return;
    }
    const asked = JSON.parse(text);
    const tools = (asked.tools ?? []).map(({ name }) => name);
    if (tools.includes('Bash')) received = asked.messages;
    const called = JSON.stringify(asked.messages).includes('tool_result');
    const block =
      tools.includes('Bash') && !called
        ? {
            type: 'tool_use',
            id: 'toolu_probe',
            name: 'Bash',
            input: { command: 'true', description: 'probe' },
          }
        : { type: 'text', text: 'Done.' };
    answer(response, asked, block);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received: () => received,
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(response, { model, stream }, block) {
  const stop_reason = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_probe', type: 'message', role: 'assistant', model, content: [], usage };
  if (!stream) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...message, content: [block], stop_reason, stop_sequence: null }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const isText = block.type === 'text';
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
  send('content_block_start', {
    index: 0,
    content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
  });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}
