/** What tests of other packages start a panel with, and nodes of the mesh behind it. */
export {
  AcmeClient,
  type Answers,
  heard,
  OUTSIDE,
  OutsideScene,
  type ProbedNode,
  probedPair,
  TestNode,
} from '@meshwork/coordinator/testing';
export { PASSWORD, TestBrowser, TestPanel } from './harness.ts';
