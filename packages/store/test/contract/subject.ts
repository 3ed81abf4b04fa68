import type { TestContext } from 'node:test';
import type { Journal, StoreOptions } from '../../src/index.ts';

export interface Place {
  readonly address: string;
  readonly options: StoreOptions;
}

/** Opens a store that is closed when the test ends; without a place, an empty one. */
export type Open = (test: TestContext, place?: Place) => Promise<Journal>;

export interface Subject {
  readonly open: Open;
  newPlace(): Promise<Place>;
}
