/** What this package lends to the tests of others. */

export { flood } from './flood.ts';
export { TestClock } from './test-clock.ts';
