import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseScript } from '../../src/agent/script/parse.js';
import { createModelServer } from '../../src/harness/model-server.js';
import { findBlock, followRecipe } from './support/recipe.js';

test.each(['claude', 'codex', 'opencode', 'gemini', 'pi'] as const)(
  'the recipe for %s works word for word',
  async (name) => {
    const { script } = parseScript(findBlock('yaml'), { format: 'yaml' });
    const model = await createModelServer(script);
    onTestFinished(model.close);
    const { all, exitCode, project } = await followRecipe(name, model.url);
    expect(exitCode, all).toBe(0);
    expect(all).toContain('pong');
    expect(all).toContain('Done.');
    expect(existsSync(join(project, 'made.txt')), all).toBe(true);
    expect(model.unused()).toEqual([]);
    expect(model.unanswered()).toEqual([]);
  },
);
