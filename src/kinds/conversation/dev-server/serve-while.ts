import type { DevServerRecord } from '../../../domain/evidence/conversation.js';
import type { DevServer, PlannedTurn } from '../../../domain/scenario/conversation-arrangement.js';
import type { Pen } from '../../../exec/process/containment/pen.js';
import type { Cell, Passage } from '../../../isolation/launch.js';
import { type DevServerSite, planServer, startServer } from './start.js';

/** The server of a conversation, as the conversation sees it. */
export interface ServedConversation {
  readonly url: string;
  /** The sandbox for the agent, with the server in it; undefined on the host. */
  readonly cell: Cell | undefined;
  readonly record: () => DevServerRecord;
}

/** Runs a server while a conversation is held: beside the agent in its sandbox, or on the host in a pen of its own. */
export async function serveWhile<Result>(
  request: DevServer,
  site: Omit<DevServerSite, 'pen'> & {
    readonly cell: Cell | undefined;
    readonly openPen: () => Promise<Pen>;
  },
  hold: (served: ServedConversation) => Promise<Result>,
): Promise<Result> {
  if (site.cell !== undefined) return hold(await serveInside(request, site.cell));
  const pen = await site.openPen();
  try {
    const server = await startServer(request, { ...site, pen });
    const { command, url } = server;
    try {
      return await hold({
        url,
        cell: undefined,
        record: () => ({ command: [...command], url, endedEarly: server.endedEarly() }),
      });
    } finally {
      await server.end();
    }
  } finally {
    await pen.close();
  }
}

/** Has the server start with every program that enters the cell. A sandbox has a network of its own, so only there can it be reached. */
async function serveInside(request: DevServer, cell: Cell): Promise<ServedConversation> {
  const plan = await planServer(request);
  const [command, ...args] = plan.command;
  const { env, limitMs, url } = plan;
  const passages: Passage[] = [];
  return {
    url,
    cell: {
      ...cell,
      enter: async (launch) => {
        const passage = await cell.enter(launch, { command, args, env, url: plan.readyUrl, limitMs });
        passages.push(passage);
        return passage;
      },
    },
    record: () => ({
      command: [...plan.command],
      url,
      endedEarly: passages.map(({ companionEnd }) => companionEnd()).find((how) => how !== null) ?? null,
    }),
  };
}

/** Fills the address of the server into what the user says. */
export function fillAddress(
  turns: readonly (string | PlannedTurn)[],
  url: string,
): readonly (string | PlannedTurn)[] {
  const fill = (text: string) => text.replaceAll('{{devServer}}', url);
  return turns.map((turn) =>
    typeof turn === 'string' ? fill(turn) : { ...turn, prompt: fill(turn.prompt) },
  );
}
