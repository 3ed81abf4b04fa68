/** Time: the clock that programs are given, so that tests can move it, and how pauses grow. Runs in a browser too. */
export { backOff } from './back-off.ts';
export { type Clock, type SleepingClock, systemClock } from './clock.ts';
