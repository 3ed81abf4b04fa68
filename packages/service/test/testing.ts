/** What this package lends to the tests of others. */

export { type Flooded, flood } from './flood.ts';
export { TestClock } from './test-clock.ts';
