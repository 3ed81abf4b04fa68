import assert from 'node:assert/strict';
import type { NodeOperation } from '@meshwork/contract';
import type { Scene } from '../lab-scene.ts';

/** The contract's most, at a time. */
const WAIT_S = 60;

/** Waits for the end of an operation, which must be that a heartbeat has proven it. */
export async function assertVerified({ client }: Pick<Scene, 'client'>, asked: NodeOperation): Promise<void> {
  const { body } = await client.call('operations.show', { params: { id: asked.id }, query: { wait: WAIT_S } });
  assert.equal(body.state, 'verified', JSON.stringify(body));
}
