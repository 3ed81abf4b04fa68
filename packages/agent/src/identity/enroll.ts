import { randomUUID } from 'node:crypto';
import type { Client } from '@meshwork/client';
import type { NodeState, Service } from '@meshwork/contract';
import { integer, object, string } from '@meshwork/contract/answers';
import { checkShape } from '../wire/answer-shape.ts';
import { unknownMembersIn, withoutMembers } from '../wire/unknown-members.ts';
import type { NodeKeys } from './keys.ts';

export interface EnrollRequest {
  readonly name: string;
  readonly keys: NodeKeys;
  readonly tags?: string[] | undefined;
  readonly endpoints?: string[] | undefined;
  readonly services?: Service[] | undefined;
  readonly routes?: string[] | undefined;
  readonly agent_version?: string | undefined;
  /**
   * Names this one enrolment. A caller that may repeat it after a crash saves it together with the keys, before the
   * first attempt: the same key gives the same node, however often it is sent. Absent: one that only this call knows.
   */
  readonly idempotency_key?: string | undefined;
  /** The enrolment token. Absent: the client's own. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Enrolled {
  readonly node: string;
  readonly name: string;
  /** `pending`: it waits for approval. */
  readonly state: NodeState;
  /** Verified by the first heartbeat. */
  readonly operation: string;
  readonly interval_s: number;
  /** The `aud` of its proofs. */
  readonly audience: string;
}

/** As much of the answer as an agent needs: an older coordinator does not say everything that the contract has by now. */
const ANSWER = object({
  id: string,
  name: string,
  state: string,
  enrollment: object({ operation: string, audience: string, interval_s: integer }),
});

/** Makes the node known to the mesh. Only the public halves of its keys are sent. */
export async function enroll(client: Client, request: EnrollRequest): Promise<Enrolled> {
  const { keys, token, signal, idempotency_key = randomUUID(), ...about } = request;
  const whole = { ...about, identity_key: keys.identity.public, wireguard_key: keys.wireguard.public };
  const send = (body: typeof whole) => client.call('nodes.enroll', { body, idempotency_key, token, signal });
  const { body } = await send(whole).catch((error: unknown) => {
    const unknown = unknownMembersIn(error);
    if (unknown.length === 0) throw error;
    return send(withoutMembers(whole, unknown)); // an older coordinator: it need not know all of it
  });
  checkShape(ANSWER, body, 'an enrolment'); // before it is saved: an agent that starts with it believes it
  const { operation, interval_s, audience } = body.enrollment;
  return { node: body.id, name: body.name, state: body.state, operation, interval_s, audience };
}
