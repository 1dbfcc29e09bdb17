// Measures the memory of the model server, in its own process, with many concurrent streams.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { aim, withServer } from './bench-support.mjs';

const STREAMS = 200;
const LIMIT_MB = 150;

// Slow enough for all streams to be open at the same time.
const SCRIPT = `rules:
  - on: any
    say: ${Array(200).fill('word').join(' ')}
    token_delay_ms: 500
`;

/** Opens the streams, measures the server while all of them are open, and returns a line for the report. */
export async function benchStreams(folder) {
  return withServer(join(folder, 'streams.yaml'), SCRIPT, async (url, pid) => {
    const idle = residentMb(pid);
    const streams = await Promise.all(Array.from({ length: STREAMS }, (_, index) => openStream(url, index)));
    const busy = residentMb(pid);
    await Promise.all(streams.map((reader) => reader.cancel()));
    return `the model server with ${STREAMS} concurrent streams: ${busy} MB resident (idle: ${idle} MB) · ${aim(`${LIMIT_MB} MB or less`, busy <= LIMIT_MB)}`;
  });
}

/** Asks like Claude Code, with a prompt of about the same size; returns the stream after its first piece. */
async function openStream(url, index) {
  const prompt = `Conversation ${index}. ${'Some instructions of the agent. '.repeat(2000)}`;
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'm',
      stream: true,
      max_tokens: 1000,
      messages: [{ role: 'user', content: prompt }],
      tools: [{ name: 'Bash', input_schema: { properties: { command: {} } } }],
    }),
  });
  if (!response.ok) throw new Error(`stream ${index}: ${response.status} ${await response.text()}`);
  const reader = response.body.getReader();
  await reader.read();
  return reader;
}

function residentMb(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Math.round(Number(stdout.trim()) / 1024);
}
