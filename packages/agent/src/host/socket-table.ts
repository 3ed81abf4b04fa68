import { readFile } from 'node:fs/promises';
import { isCode } from './atomic-file.ts';

/** A table of sockets, as the kernel writes it in `/proc/net`. A kernel that was started without IPv6 has none for it. */
export async function socketTable(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}
