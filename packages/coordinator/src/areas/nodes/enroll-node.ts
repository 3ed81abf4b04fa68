import { boundaryOf, type EnrolledNode, MeshError, newId, PROOF_AUDIENCE, utc } from '@meshwork/contract';
import { ensureMaySet, ensureMayTakeName, setterOf } from '../../access/owners.ts';
import { usesOf } from '../../access/token-uses.ts';
import { refOf, type TokenActor } from '../../mesh/actor.ts';
import { checkEndpoints, checkKey, checkServices, sortEndpoints } from '../../mesh/check-report.ts';
import { checkRoutes } from '../../mesh/check-routes.ts';
import { meshIdOf } from '../../mesh/mesh-id.ts';
import { keepRequest } from '../../mesh/node-certificates.ts';
import { claim } from '../../mesh/node-claims.ts';
import { nodeState } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { beginOperation } from '../../operations/operations.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import type { AddressPool } from './addresses.ts';
import { stampedTags } from './boundary-tags.ts';
import { nodeRecord } from './node-record.ts';

/** Brings a node in. Everything it takes is taken in one commit, or nothing is: a name, two keys, an address, a use. */
export function enrollNode(
  runtime: Runtime,
  pool: AddressPool,
  call: Call<'nodes.enroll'>,
): Promise<Reply<'nodes.enroll'>> {
  const id = newId('node', call.now_ms);
  const { body } = call;
  checkKey('/identity_key', body.identity_key);
  checkKey('/wireguard_key', body.wireguard_key);
  checkEndpoints('/endpoints', body.endpoints ?? []);
  const { usable, left_out } = sortEndpoints(body.endpoints ?? []);
  if (left_out.length > 0) runtime.warnings.endpointsLeftOut(id, left_out);
  checkServices('/services', body.services ?? []);
  checkRoutes(runtime.mesh.model, '/routes', body.routes ?? []);
  return call.transact((tx, actor) => {
    const { require_approval, heartbeat_interval_s } = settingsOf(tx).nodes;
    useToken(tx, actor);
    const tags = stampedTags(body.tags ?? [], actor.scope);
    const { name, identity_key, wireguard_key } = body;
    ensureMaySet(tx, setterOf(tx, actor), tags);
    ensureMayTakeName(tx, actor.scope, name);
    const addresses = pool.free(tx);
    claim(tx, id, { name, identity_key, wireguard_key, address: addresses.address });
    const at = utc(tx.now_ms);
    const node = tx.create('node', id, {
      name,
      identity_key,
      wireguard_key,
      tags,
      ...addresses,
      routes_approved: [],
      routes_shared: [],
      pinned_relay: null,
      created_at: at,
      created_by: refOf(actor),
      approved_at: require_approval ? null : at,
      quarantined: null,
      draining_since: null,
      removed_at: null,
      session_epoch: 1,
    });
    tx.put('report', id, {
      endpoints: usable,
      services: body.services ?? [],
      routes_offered: body.routes ?? [],
      agent_version: body.agent_version ?? null,
      boots: [],
    });
    if (body.certificate_request !== undefined) keepRequest(tx, node, body.certificate_request);
    const operation = beginOperation(tx, { kind: 'enroll', node, by: actor });
    const scope = boundaryOf(tags);
    tx.record({ target: { kind: 'node', id }, scope });
    tx.emit({
      type: 'node.joined',
      subject: { kind: 'node', id },
      scope,
      data: { name, address: `${addresses.address}/32`, state: nodeState(tx, node) },
    });
    const answer: EnrolledNode = {
      ...nodeRecord({ view: tx, runtime, scope: actor.scope }, node),
      enrollment: {
        operation: operation.id,
        audience: meshIdOf(tx) ?? PROOF_AUDIENCE,
        interval_s: heartbeat_interval_s,
      },
    };
    return { body: answer, revision: node.revision, location: `/v1/nodes/${id}` };
  });
}

/** A token that was made for a number of nodes has one use less. */
function useToken(tx: Transaction, actor: TokenActor): void {
  const token = tx.get('token', actor.id);
  if (token === undefined) return;
  const { id, body } = usesOf(tx, token);
  const left = body.uses_left ?? null;
  if (left === null) return;
  if (left < 1) {
    throw new MeshError('token_used_up', `The token "${actor.name}" has enrolled all the nodes it was made for.`);
  }
  tx.put('token', id, { ...body, uses_left: left - 1 });
}
