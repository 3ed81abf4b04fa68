/** Where a service is, once it listens. */
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { TlsFiles } from './read-config.ts';

export function urlOf(address: AddressInfo, isTls: boolean): string {
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isTls ? 'https' : 'http'}://${host}:${address.port}`;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

export async function readTls(files: TlsFiles): Promise<{ cert: string; key: string }> {
  return { cert: await readFile(files.cert_file, 'utf8'), key: await readFile(files.key_file, 'utf8') };
}
