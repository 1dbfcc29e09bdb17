import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A package that only our registry has: its folder, which `npm pack` packs. */
type PackageFolders = readonly string[];

/** Starts a registry with packages packed from folders. Whatever else npm asks for, the registry of this machine has. */
export async function startRegistry(folders: PackageFolders, into: string) {
  const packages = new Map(folders.map((folder) => pack(folder, into)));
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1));
    asked.add(path);
    const found = packages.get(path.replace(/\/-$/, ''));
    if (found === undefined)
      response.writeHead(302, { location: new URL(request.url?.slice(1) ?? '', upstream).href });
    else if (path.endsWith('/-')) response.write(found.tarball);
    else response.write(JSON.stringify(describe(found, `http://${request.headers.host}`)));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, asked, close: () => server.close() };
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly manifest: object;
  readonly tarball: Buffer;
}

function pack(folder: string, into: string): [name: string, packed: Packed] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', into], {
    cwd: folder,
    stdio: 'ignore',
  });
  const file = readdirSync(into).find((path) =>
    path.endsWith(`${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`),
  );
  return [name, { name, version, manifest, tarball: readFileSync(join(into, file ?? 'missing')) }];
}

function describe({ name, version, manifest, tarball }: Packed, host: string) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${host}/${encodeURIComponent(name)}/-`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
