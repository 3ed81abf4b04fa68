import { MeshError, type NodeId } from '@meshwork/contract';
import { checkProof, useProof } from '../../access/node-proof.ts';
import { meshIdOf } from '../../mesh/mesh-id.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { seenAs } from './seen-as.ts';

/** Longer than any name with a port. */
const MAX_HOST_LENGTH = 260;

/** Exchanges a proof of identity for a session. The proof is spent in a commit of its own, so that no replica takes it twice. */
export async function openSession(runtime: Runtime, call: Call<'agents.session'>): Promise<Reply<'agents.session'>> {
  const { mesh } = runtime;
  mesh.ensureUpToDate();
  const proof = await checkProof(mesh.model, call.body.proof, call.now_ms);
  const id = proof.node.id as NodeId;
  const actor = { kind: 'node', id, name: proof.node.body.name, epoch: 0 } as const;
  const epoch = await mesh.transact({ actor, action: 'agents.session' }, (tx) => {
    const node = tx.get('node', id)?.body;
    // Removed while the signature was checked.
    if (node === undefined || node.removed_at !== null) throw new MeshError('proof_invalid', 'The node was removed.');
    useProof(tx, proof);
    return node.session_epoch;
  });
  const { bearer, expires } = runtime.sessions.open(id, epoch, call.now_ms);
  runtime.statuses.of(id).requested_host = call.host.slice(0, MAX_HOST_LENGTH);
  const { heartbeat_interval_s } = settingsOf(mesh.model).nodes;
  const audience = meshIdOf(mesh.model);
  return {
    body: {
      node: id,
      bearer,
      expires,
      interval_s: heartbeat_interval_s,
      ...(audience === undefined ? {} : { audience }),
      seen_as: seenAs(call.address),
    },
    location: `/v1/nodes/${id}/heartbeat`,
  };
}
