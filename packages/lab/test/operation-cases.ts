/** How each kind of operation is asked for, held up, and seen to have happened. The compiler wants a case for each. */
import assert from 'node:assert/strict';
import { enroll, newNodeKeys } from '@meshwork/agent';
import type { EventType, NodeOperation, NodeOperationKind, OperationId } from '@meshwork/contract';
import type { OperationScene } from './operation-scene.ts';

/** What keeps it from being proven, for as long as it is not taken away again. */
interface Hindrance {
  relent(): void;
}

interface OperationCase {
  /** What it is audited as. */
  readonly action: OperationId;
  /** Whose heartbeats prove it. */
  readonly witness: 'node' | 'peer';
  /** Whether its node receives it. One that was removed receives nothing any more. */
  readonly isHeard: boolean;
  /** The event about the node, besides the progress of the operation itself. */
  readonly tells?: { readonly when: 'asked' | 'verified'; readonly type: EventType };
  /** What must be so before it makes sense. */
  prepare?(scene: OperationScene): Promise<void>;
  ask(scene: OperationScene): Promise<NodeOperation>;
  /** For commands: the error when the node cannot do it. Absent: it is no command. */
  readonly fails?: RegExp;
  /** Absent: the node that has to prove it cannot apply anything. */
  hinder?(scene: OperationScene): Hindrance;
  /** What is so once it was proven. */
  assertDone(scene: OperationScene): Promise<void>;
}

export const OPERATION_CASES: Readonly<Record<NodeOperationKind, OperationCase>> = {
  enroll: {
    action: 'nodes.enroll',
    witness: 'node',
    isHeard: true,
    tells: { when: 'asked', type: 'node.joined' },
    // The node of the scene is an older one; the new one misbehaves from its first moment as the scene has it.
    ask: async (scene) => {
      const name = `${scene.name}-new`;
      const keys = newNodeKeys();
      const made = await enroll(scene.enroller, { name, keys, tags: [scene.team] });
      if (!scene.isSilent) {
        const started = scene.fleet.resume([{ ...made, key: keys.identity }]);
        const node = scene.fleet.node(made.node);
        assert.ok(node !== undefined);
        node.plane.setFault(scene.node.plane.fault);
        scene.node = node;
        await started;
      }
      return (await scene.client.call('operations.show', { params: { id: made.operation } })).body;
    },
    assertDone: async (scene) => {
      assert.equal((await scene.record()).state, 'active');
      await scene.assertPeers(2);
    },
  },

  approve: {
    action: 'nodes.approve',
    witness: 'node',
    isHeard: true,
    tells: { when: 'asked', type: 'node.approved' },
    prepare: async (scene) => {
      await scene.joinAnother();
      await scene.untilReported('pending');
      assert.equal(scene.node.peers, 0);
    },
    ask: async ({ client, params }) => (await client.call('nodes.approve', { params, body: {} })).body,
    assertDone: async (scene) => {
      assert.equal((await scene.record()).state, 'active');
      await scene.assertPeers(2);
    },
  },

  rekey: {
    action: 'nodes.rekey',
    witness: 'node',
    isHeard: true,
    tells: { when: 'verified', type: 'node.rekeyed' },
    fails: /^simulated: this node cannot make a key$/,
    prepare: async (scene) => {
      scene.before = (await scene.record()).wireguard_key;
    },
    ask: async ({ client, params }) => (await client.call('nodes.rekey', { params, body: {} })).body,
    hinder: ({ node: { plane } }) => {
      const held = Promise.withResolvers<void>();
      const rekey = plane.rekey.bind(plane);
      plane.rekey = (operation) => held.promise.then(() => rekey(operation));
      return { relent: () => held.resolve() };
    },
    assertDone: async (scene) => {
      const { wireguard_key } = await scene.record();
      assert.notEqual(wireguard_key, scene.before);
      await scene.assertPeers(1);
    },
  },

  retag: {
    action: 'nodes.retag',
    witness: 'node',
    isHeard: true,
    tells: { when: 'asked', type: 'node.retagged' },
    ask: async ({ client, params, team }) =>
      (await client.call('nodes.retag', { params, body: { tags: [`${team}-other`] } })).body,
    assertDone: async (scene) => {
      assert.deepEqual((await scene.record()).tags, [`${scene.team}-other`]);
      await scene.assertPeers(0);
    },
  },

  move_relay: {
    action: 'nodes.move_relay',
    witness: 'node',
    isHeard: true,
    prepare: async (scene) => {
      const { client, params, name } = scene;
      const [other] = await scene.fleet.join(1);
      for (const [relay, carrier] of [
        [`${name}-from`, scene.peer],
        [`${name}-to`, other],
      ] as const) {
        assert.ok(carrier !== undefined);
        await client.call('relays.create', { body: { name: relay, node: carrier.id, host: `${relay}.test` } });
      }
      await client.call('nodes.move_relay', { params, body: { relay: `${name}-from` } });
      await scene.until(async () => {
        const { relay } = (await client.call('nodes.posture', { params })).body;
        return relay.observed === `${name}-from` && (await scene.openOperations()) === 0;
      }, 'the first relay is in use');
    },
    ask: async ({ client, params, name }) =>
      (await client.call('nodes.move_relay', { params, body: { relay: `${name}-to` } })).body,
    assertDone: async (scene) => {
      const { relay } = (await scene.client.call('nodes.posture', { params: scene.params })).body;
      assert.deepEqual(relay, { desired: `${scene.name}-to`, observed: `${scene.name}-to` });
    },
  },

  approve_routes: {
    action: 'nodes.approve_routes',
    witness: 'node',
    isHeard: true,
    ask: async ({ client, params }) =>
      (await client.call('nodes.approve_routes', { params, body: { approved: ['10.20.0.0/16'] } })).body,
    assertDone: async (scene) => assert.deepEqual((await scene.record()).routes_approved, ['10.20.0.0/16']),
  },

  drain: {
    action: 'nodes.drain',
    witness: 'node',
    isHeard: true,
    tells: { when: 'asked', type: 'node.draining' },
    prepare: async (scene) => {
      const { client, name, node } = scene;
      const scope = { team: scene.team.slice('team:'.length), surface: '*', environment: '*' };
      const body = { name, hostname: `${name}.test`, service: 'web', gateways: [`node:${node.name}`], scope };
      await client.call('ingress.create', { body });
      await scene.until(() => node.view?.sections.ingress?.length === 1, 'the node serves the ingress');
      node.plane.setConnections(3);
    },
    ask: async ({ client, params, timeout_s }) =>
      (await client.call('nodes.drain', { params, body: { deadline_s: timeout_s } })).body,
    hinder: ({ node: { plane } }) => ({ relent: () => plane.setConnections(0) }),
    assertDone: async (scene) => {
      assert.equal((await scene.record()).state, 'draining');
      await scene.until(() => scene.node.view?.sections.ingress?.length === 0, 'the ingress is taken off the node');
    },
  },

  undrain: {
    action: 'nodes.undrain',
    witness: 'node',
    isHeard: true,
    tells: { when: 'asked', type: 'node.undrained' },
    prepare: async (scene) => {
      await scene.client.call('nodes.drain', { params: scene.params, body: {} });
      await scene.untilReported('draining');
    },
    ask: async ({ client, params }) => (await client.call('nodes.undrain', { params, body: {} })).body,
    assertDone: async (scene) => assert.equal((await scene.record()).state, 'active'),
  },

  quarantine: {
    action: 'nodes.quarantine',
    witness: 'peer',
    isHeard: true,
    tells: { when: 'asked', type: 'node.quarantined' },
    ask: async ({ client, params }) =>
      (await client.call('nodes.quarantine', { params, body: { reason: 'odd traffic' } })).body,
    assertDone: async (scene) => {
      assert.equal((await scene.record()).state, 'quarantined');
      assert.equal(scene.peer.view?.peers.has(scene.node.id), false);
    },
  },

  release: {
    action: 'nodes.release',
    witness: 'node',
    isHeard: true,
    tells: { when: 'asked', type: 'node.released' },
    prepare: async (scene) => {
      await scene.client.call('nodes.quarantine', { params: scene.params, body: {} });
      await scene.untilReported('quarantined');
    },
    ask: async ({ client, params }) => (await client.call('nodes.release', { params, body: {} })).body,
    assertDone: async (scene) => {
      assert.equal((await scene.record()).state, 'active');
      await scene.assertPeers(1);
    },
  },

  remove: {
    action: 'nodes.remove',
    witness: 'peer',
    isHeard: false,
    tells: { when: 'asked', type: 'node.removed' },
    ask: async ({ client, params }) => (await client.call('nodes.remove', { params })).body,
    assertDone: async (scene) => {
      assert.equal((await scene.record()).state, 'removed');
      assert.equal(scene.peer.view?.peers.has(scene.node.id), false);
      await scene.until(() => scene.node.ending?.reason === 'removed', 'the agent ends');
    },
  },

  diagnose: {
    action: 'nodes.diagnose',
    witness: 'node',
    isHeard: true,
    fails: /^simulated: this node cannot say how it stands$/,
    ask: async ({ client, params }) => (await client.call('nodes.diagnose', { params, body: {} })).body,
    hinder: ({ node: { plane } }) => {
      const held = Promise.withResolvers<void>();
      const diagnose = plane.diagnose.bind(plane);
      plane.diagnose = () => held.promise.then(diagnose);
      return { relent: () => held.resolve() };
    },
    assertDone: async ({ client, node }) => {
      const query = { node: node.id, kind: 'diagnose' as const, limit: 1 };
      const [asked] = (await client.call('operations.list', { query })).body.items;
      assert.ok(asked !== undefined);
      const { result, result_bytes } = (await client.call('operations.show', { params: { id: asked.id } })).body;
      assert.equal(JSON.parse(result ?? '').node, node.id);
      assert.equal(result_bytes, Buffer.byteLength(result ?? ''));
    },
  },
};
