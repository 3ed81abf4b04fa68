import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldView } from '../view/held-view.ts';
import { AgentHealth } from './agent-health.ts';
import { readinessOf } from './readiness.ts';

const DIGEST = '000000000000';

test('what the agent cannot carry does not make the node unready', () => {
  const carried = () => ['self', 'peers', 'acl', 'firewall'];
  const about = { node: 'node_1', name: 'git-1', version: '0.1.0', carried };
  const health = new AgentHealth(about, () => 0);
  const view = new HeldView();
  const self = {
    name: 'git-1',
    address: '',
    address6: '',
    networks: [],
    tags: [],
    state: 'active' as const,
    routes: [],
  };
  view.take({ revision: 7, next_s: 0, self, relay: { name: 'fra-1', host: 'fra-1.example.net', port: 3478 } });
  const parts = { agent: { view }, plane: { health: { checks: [] } }, finder: { relays: [] } };
  health.of(parts as unknown as Parameters<AgentHealth['of']>[0]);
  health.applied('node_1', 'self', { revision: 7, digest: DIGEST });
  health.applied('node_1', 'relay', { revision: 0, digest: DIGEST, error: 'this agent sends traffic directly only' });
  const { checks } = readinessOf(health.look());
  assert.deepEqual(
    checks.find(({ name }) => name === 'sections'),
    { name: 'sections', ok: true, detail: 'all in effect' },
  );
});
