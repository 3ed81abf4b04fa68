/** The shapes of what an agent reads, and what other shapes are made of. */
export { firewallSectionShape, heartbeatReplyShape, nodeSessionShape } from './generated/answers.ts';
export { arrayOf, integer, object, type Shape, string } from './shape.ts';
