/** What this package lends to the tests of others. */
export { TestClock } from './test-clock.ts';
