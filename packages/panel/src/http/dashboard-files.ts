/** The built dashboard, read once into memory: its files are few, and what is not among them cannot be asked for. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { contentTag, type Encoding, type Forms, unlessMissing } from '@meshwork/service';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** As `tools/build-dashboard.ts` writes them beside a file. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const satisfies Record<Encoding, string>;

export interface DashboardFiles {
  /** By the path they are asked for with, such as `/assets/index-4f2a.js`. */
  readonly files: ReadonlyMap<string, Forms>;
  /** The page that every address of the dashboard begins with. Undefined: the dashboard is not built. */
  readonly page: string | undefined;
}

export async function readDashboard(folder: string): Promise<DashboardFiles> {
  const names = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  const paths = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
    .filter((path) => !path.includes('/.'));
  const contents = new Map<string, Buffer>();
  for (const path of paths) contents.set(path, await readFile(join(folder, path)));
  const files = new Map<string, Forms>();
  for (const [path, bytes] of contents) {
    const type = TYPES[extname(path)];
    if (type !== undefined && path !== PAGE)
      files.set(path, { type, etag: contentTag(bytes), bytes, encoded: encodedOf(contents, path) });
  }
  return { files, page: contents.get(PAGE)?.toString() };
}

const PAGE = '/index.html';

function encodedOf(contents: ReadonlyMap<string, Buffer>, path: string): Forms['encoded'] {
  const br = contents.get(path + SUFFIXES.br);
  const gzip = contents.get(path + SUFFIXES.gzip);
  return { ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) };
}
