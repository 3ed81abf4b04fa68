/** What tests of other packages start a panel with. */
export { PASSWORD, TestBrowser, TestPanel } from './harness.ts';
