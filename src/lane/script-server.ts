import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathExists } from 'fs-extra/esm';
import { type Coverage, type CoveredCall, coverage } from '../agent/engine/coverage.js';
import { loadScriptSource, type ScriptSource } from '../agent/script/load.js';
import { startRecordingProxy } from '../agent/server/record/proxy.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../agent/server/server.js';
import { TOOL_RECIPES } from '../backends/index.js';
import type { AgentScript } from '../domain/agent-script.js';
import { KnownError } from '../domain/common/known-error.js';
import { makeChosenFolder } from '../exec/files/make-folder.js';

/** Starts a model server that knows the tools of every backend. */
export function serveScript(options: Omit<ModelServerOptions, 'recipes'>): Promise<ModelServer> {
  return startModelServer({ ...options, recipes: TOOL_RECIPES });
}

/** A model server that compares the requests with its script. */
export interface ReviewedServer {
  readonly server: ModelServer;
  readonly script: AgentScript;
  /** Parts of the script that have no effect here. */
  readonly notes: readonly string[];
  /** Finds unanswered prompts and unused rules and turns so far. */
  readonly review: () => Coverage;
}

/** Serves a script from a file or from a program. */
export async function serveScriptSource(
  source: ScriptSource,
  options: Omit<ModelServerOptions, 'recipes' | 'script'>,
): Promise<ReviewedServer> {
  const { script, notes } = await loadScriptSource(source);
  const calls: CoveredCall[] = [];
  const server = await serveScript({
    ...options,
    script,
    onRequest: (record) => {
      const { kind, place, outcome, detail } = record;
      if (kind === 'main') {
        calls.push({ place, outcome: outcome === 'no-match' ? outcome : 'played', detail });
      }
      options.onRequest?.(record);
    },
  });
  return { server, script, notes, review: () => coverage(script, calls) };
}

/** A running recording. */
export interface Recording {
  readonly url: string;
  /** Ends the recording, writes the script, and returns the number of its rules. */
  readonly finish: () => Promise<number>;
}

/** Forwards requests of a CLI to a real API and records the answers of the model as a script file. */
export async function recordScriptFile(
  path: string,
  options: { readonly target: string; readonly port: number },
): Promise<Recording> {
  if (await pathExists(path)) {
    throw new KnownError(`--script ${path}: expected a new file for the recording, found an existing one.`, {
      hint: 'Name another file, or remove this one.',
    });
  }
  // Do this first: otherwise the recording would be lost.
  await makeChosenFolder(dirname(path), 'Name a file in a writable folder with --script <file>.');
  const proxy = await startRecordingProxy(options);
  return {
    url: proxy.url,
    finish: async () => {
      await proxy.close();
      const script = proxy.script();
      const { writeScript } = await import('../agent/script/convert.js');
      await writeFile(path, writeScript(script));
      return script.rules.length;
    },
  };
}

export type { ModelServer };
