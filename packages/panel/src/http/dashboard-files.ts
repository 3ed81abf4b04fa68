/** The built dashboard, read once into memory: its files are few, and what is not among them cannot be asked for. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { unlessMissing } from '@meshwork/service';

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

/** Best first; as `tools/build-dashboard.ts` writes them beside a file. */
export const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof ENCODINGS;

export interface DashboardFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

export interface DashboardFiles {
  /** By the path they are asked for with, such as `/assets/index-4f2a.js`. */
  readonly files: ReadonlyMap<string, DashboardFile>;
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
  const files = new Map<string, DashboardFile>();
  for (const [path, bytes] of contents) {
    const type = TYPES[extname(path)];
    if (type !== undefined && path !== PAGE)
      files.set(path, { type, etag: etagOf(bytes), bytes, encoded: encodedOf(contents, path) });
  }
  return { files, page: contents.get(PAGE)?.toString() };
}

const PAGE = '/index.html';

function encodedOf(contents: ReadonlyMap<string, Buffer>, path: string): DashboardFile['encoded'] {
  const br = contents.get(path + ENCODINGS.br);
  const gzip = contents.get(path + ENCODINGS.gzip);
  return { ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) };
}

function etagOf(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}
