import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from '../../src/workspace/create-workspace.js';
import { listLeftWorkspaces, removeLeftWorkspaces } from '../../src/workspace/left-workspaces.js';
import {
  openWorkspaceRoot,
  REGISTRY_FOLDER,
  type WorkspaceRoot,
} from '../../src/workspace/workspace-root.js';
import { makeTempDir } from '../exec/support.js';

const openTempRoot = () => openWorkspaceRoot(join(makeTempDir(), '.e2e-tests'));

function visible({ path }: WorkspaceRoot): string[] {
  return readdirSync(path).filter((name) => !name.startsWith('.') && name !== 'runs');
}

test('removes what earlier runs left, except what --keep-workspace kept, and lists the rest', async () => {
  const root = await openTempRoot();
  await createWorkspace(root, 'failed-before', { owner: { run: 'run-1' } });
  await createWorkspace(root, 'kept-before', { owner: { run: 'run-1', kept: true } });
  await createWorkspace(root, 'of-this-run', { owner: { run: 'run-2' } });
  await removeLeftWorkspaces(root, 'run-2');
  expect(visible(root).sort()).toEqual(['kept-before', 'of-this-run']);
  expect(await listLeftWorkspaces(root, 'run-2')).toEqual({
    own: ['of-this-run'],
    earlier: ['kept-before'],
  });
});

test('removes nothing that it did not make', async () => {
  const root = await openTempRoot();
  mkdirSync(join(root.path, 'mine'));
  for (const name of ['replaced', 'moved']) await createWorkspace(root, name, { owner: { run: 'run-1' } });
  renameSync(join(root.path, 'moved'), join(root.path, 'elsewhere'));
  rmSync(join(root.path, 'replaced'), { recursive: true });
  mkdirSync(join(root.path, 'replaced'));
  writeFileSync(join(root.path, 'replaced/notes.txt'), 'mine');
  await removeLeftWorkspaces(root, 'run-2');
  expect(visible(root).sort()).toEqual(['elsewhere', 'mine', 'replaced']);
  expect(await listLeftWorkspaces(root, 'run-2')).toEqual({ own: [], earlier: [] });
});

test('a folder with the inode of a workspace that is gone is not a workspace', async () => {
  const root = await openTempRoot();
  const { path } = await createWorkspace(root, 'hat', { owner: { run: 'run-1' } });
  const { ino, birthtimeMs } = lstatSync(path);
  // The system gives an inode to the next folder, if it wants to.
  const note = { inode: ino, born: birthtimeMs - 1_000, run: 'run-1' };
  writeFileSync(join(root.path, REGISTRY_FOLDER, 'hat'), JSON.stringify(note));
  await removeLeftWorkspaces(root, 'run-2');
  expect(existsSync(path)).toBe(true);
});

test.each([
  { what: 'only the inode, as earlier versions did,', note: (ino: number) => `${ino}\n`, stays: false },
  { what: 'nothing that can be read', note: () => '{', stays: true },
])('a workspace whose note has $what stays: $stays', async ({ note, stays }) => {
  const root = await openTempRoot();
  const { path } = await createWorkspace(root, 'hat');
  writeFileSync(join(root.path, REGISTRY_FOLDER, 'hat'), note(lstatSync(path).ino));
  await removeLeftWorkspaces(root, 'run-2');
  expect(existsSync(path)).toBe(stays);
});
