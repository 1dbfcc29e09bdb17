import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';

const HEADER_BYTES = 12;
/** The type and the class, after the name. */
const QUESTION_TAIL_BYTES = 4;

/**
 * Plays the name server of the sandbox: reports which names are looked up, and answers that they do not exist. Port 53
 * needs a privilege that a sandbox without root does not have. Then lookups go to an address without a route, where they
 * are counted but not read.
 */
export async function answerLookups(tell: (name: string) => void): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const question = readQuestion(query);
    if (question === null) return;
    if (!isOwnName(question.name)) tell(question.name);
    socket.send(denial(query, question.end), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve();
    });
    socket.bind(53, '127.0.0.1', resolve);
  });
  socket.on('error', () => {});
  socket.unref();
}

/** Reads the name in the first question of a DNS query: labels, each after its length, up to an empty one. */
export function readQuestion(query: Buffer): { readonly name: string; readonly end: number } | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]; length !== 0; length = query[at]) {
    // Past the end, or a pointer, which a question never contains.
    if (length === undefined || length > 63) return null;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 1 + QUESTION_TAIL_BYTES;
  if (end > query.length) return null;
  return { name: labels.join('.').replace(/[^\w.-]/g, '?'), end };
}

/** Turns the query into an answer: no such name (code 3), no records. */
function denial(query: Buffer, end: number): Buffer {
  const answer = Buffer.from(query.subarray(0, end));
  answer.writeUInt16BE(0x8183, 2);
  for (const counts of [6, 8, 10]) answer.writeUInt16BE(0, counts);
  return answer;
}

/** Whether a name is this machine's. Programs look it up, as git does for an e-mail address, without trying to get out. */
function isOwnName(name: string): boolean {
  const own = hostname().toLowerCase();
  const asked = name.toLowerCase();
  return [own, 'localhost'].some((word) => asked === word || asked.startsWith(`${word}.`));
}
