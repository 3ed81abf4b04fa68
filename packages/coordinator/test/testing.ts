/** What tests of other packages start a coordinator with: in their own process with a clock to move, or as one to kill. */
/** Of strangers: what operators bring. */
export { givenAuthority } from '@meshwork/pki/testing';
export { AcmeClient } from './acme-client.ts';
export { TestCoordinator } from './harness.ts';
export { OUTSIDE, OutsideScene } from './outside-scene.ts';
export { Pebble } from './pebble.ts';
export { type Answers, heard, type ProbedNode, probedPair } from './probed-node.ts';
export { Service } from './service.ts';
export { TestNode } from './test-node.ts';
