import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivate, writeAtomically } from '../../host/atomic-file.ts';
import { type HeldMapping, MAPPING_METHODS } from './mapping-protocol.ts';

/** What outlives the agent. */
export interface SavedMapping {
  /** On disk before it is used: a PCP router changes a mapping only for a host that knows it. */
  readonly nonce: string;
  /** Null: there is no mapping that we know of. */
  readonly held: HeldMapping | null;
}

const NONCE = /^[0-9a-f]{24}$/;

/** A file that says nothing is as good as none: a mapping that is forgotten ends by itself. */
export async function loadMapping(folder: string): Promise<SavedMapping | undefined> {
  const text = await readPrivate(fileIn(folder));
  if (text === undefined) return undefined;
  try {
    const saved = JSON.parse(text) as SavedMapping;
    return NONCE.test(saved.nonce) && (saved.held === null || isHeld(saved.held)) ? saved : undefined;
  } catch {
    return undefined;
  }
}

export async function saveMapping(folder: string, saved: SavedMapping): Promise<void> {
  await writeAtomically(fileIn(folder), JSON.stringify(saved));
}

export async function forgetMapping(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}

export function newNonce(): string {
  return randomBytes(12).toString('hex');
}

function isHeld({ method, gateway, address, port, inside_port }: HeldMapping): boolean {
  const texts = [gateway.address, gateway.from, address];
  return (
    MAPPING_METHODS.includes(method) &&
    texts.every((text) => typeof text === 'string') &&
    [port, inside_port].every((number) => Number.isInteger(number) && number > 0 && number < 65_536)
  );
}

function fileIn(folder: string): string {
  return join(folder, 'port-mapping.json');
}
