import type { Relay } from '@meshwork/contract';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

export function relayFields(relay: Relay): string {
  return fields([
    ['name', relay.name],
    ['node', relay.node],
    ['reached on', `${relay.host}:${relay.port}`],
    ['state', relayState(relay)],
    ['health', relay.health],
    ['nodes', `${relay.nodes} of ${relay.capacity}`],
    ['created', when(relay.created_at)],
  ]);
}

export function relayState({ draining, healthy }: Relay): string {
  const words = [healthy ? 'healthy' : 'not healthy', ...(draining ? ['draining'] : [])];
  return words.join(', ');
}
