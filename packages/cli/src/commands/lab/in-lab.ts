import type { LabFault, PlannedNode } from '@meshwork/lab';
import type { Command } from 'commander';
import type { Exit } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';

type LabModule = typeof import('@meshwork/lab');

export const DEFAULT_LAB = 'lab';
export const NAME_FLAG = ['--name <lab>', `which lab (default: the only one there is, or ${DEFAULT_LAB})`] as const;

export interface NameOption {
  readonly name?: string;
}

const EXITS: Readonly<Record<LabFault, Exit>> = {
  usage: 'usage',
  not_permitted: 'refused',
  not_found: 'not_found',
  conflict: 'conflict',
  failed: 'failed',
};

/** Does something with labs. They are loaded when they are needed, and say in their own words what is wrong. */
export async function inLab<T>(work: (labs: LabModule) => Promise<T>): Promise<T> {
  const labs = await import('@meshwork/lab');
  try {
    return await work(labs);
  } catch (error) {
    if (!(error instanceof labs.LabError)) throw error;
    const { fault, message } = error;
    const facts = { exit: EXITS[fault], code: `lab_${fault}`, cause: error };
    if (!(error instanceof labs.NoSuchLab)) throw new Failure(message, facts);
    throw new Failure(message, { ...facts, hint: noLabHint(error.others) });
  }
}

/** What to do about a lab that is not there. */
export function noLabHint(others: readonly string[]): string {
  if (others.length === 0) return 'mesh lab up makes one';
  return `choose one with --name: ${others.map((name) => `--name ${name}`).join(', ')}`;
}

/** Refuses a name behind the verb, where people expect it, and says where it goes. */
export function ensureNoWords({ args }: Command): void {
  const [word] = args;
  if (word === undefined) return;
  throw new Failure(`"${word}" is not taken here`, {
    exit: 'usage',
    code: 'usage',
    hint: `name the lab with --name ${word}`,
  });
}

/** Where others see a node, and what it is behind. */
export function outsideText({ name, address, site }: Pick<PlannedNode, 'name' | 'address' | 'site'>): string {
  if (site === null) return address;
  return site === name ? `${address} (NAT)` : `${address} (${site})`;
}

/** How to run this very program again, in a node. */
export function thisProgram(): readonly string[] {
  const [node = process.execPath, file = ''] = process.argv;
  return [node, file];
}

/** The lab to use without a flag. */
export async function meantLab({ Lab }: LabModule, { name }: NameOption): Promise<string> {
  if (name !== undefined) return name;
  const [only, ...others] = await Lab.names();
  return only === undefined || others.length > 0 ? DEFAULT_LAB : only;
}
