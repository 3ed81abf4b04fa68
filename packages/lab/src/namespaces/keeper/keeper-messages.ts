import type { Door } from './door-addresses.ts';

/** What a keeper is started with, as its one argument. Nothing in it is secret. */
export interface KeeperTask {
  readonly name: string;
  readonly id: string;
  /** The namespace that is the switch. */
  readonly net: string;
  readonly door: Door;
  /** Where the coordinator listens on this machine, or wherever this machine reaches it. */
  readonly coordinator: { readonly host: string; readonly port: number };
  /** It will be asked to stay when all is up. Until then it ends with its parent process, as any other. */
  readonly stays: boolean;
}

export interface ToKeeper {
  readonly do: 'open_door' | 'stay';
}

/** Answers come in the order of the questions. */
export interface FromKeeper {
  /** Absent: it is done. */
  readonly failed?: string;
}
