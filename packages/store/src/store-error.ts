/** Why a store could not do what was asked. */
export type StoreFault =
  /** No connection, no disk, no room: nothing was written, trying again may work. */
  | 'unavailable'
  /** The disk or the quota is full: nothing was written. */
  | 'full'
  /** More observations wait to be written than the store holds in memory: nothing was taken, try again later. */
  | 'overloaded'
  /** The connection broke during the write, and whether it took effect could not be found out. */
  | 'outcome_unknown'
  /** Another process holds the embedded store. */
  | 'in_use'
  /** Written by a newer version of the program. */
  | 'newer'
  /** The integrity check found damage. */
  | 'damaged'
  /** The caller broke the interface's rules, for example by reusing an entry's id: nothing was written. */
  | 'misuse';

export class StoreError extends Error {
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.fault = fault;
  }
}
