import { createPublicKey, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { json, loopbackServer, problem, problemOf, type SeenRequest } from '@meshwork/client/testing';
import {
  type ErrorCode,
  exampleNode,
  exampleOperation,
  type HeartbeatReply,
  type HeartbeatRequest,
  newId,
  PROOF_AUDIENCE,
  type Problem,
  utc,
} from '@meshwork/contract';
import { type JWTPayload, jwtVerify } from 'jose';

/** The answer to a node that is alone in its mesh: its own section, and no peers. */
export const LONE_NODE_REPLY: HeartbeatReply = {
  revision: 1,
  next_s: 0,
  self: {
    name: 'a',
    address: '100.64.0.1/32',
    address6: 'fd6d::1/128',
    networks: ['100.64.0.0/10', 'fd6d::/64'],
    tags: [],
    state: 'active',
    routes: [],
  },
  peers: { full: [] },
  acl: { full: [] },
  firewall: [],
  relay: null,
  ingress: [],
};

interface Beat {
  readonly body: HeartbeatRequest;
  readonly wait_s: number;
  readonly bearer: string;
}

/** An answer, a refusal, nothing until the next heartbeat or the end of the wait (`hold`), or a connection that breaks. */
type Turn = HeartbeatReply | ErrorCode | UnknownMember | 'hold' | 'break';

/** What a coordinator refuses that has no such member: where it is, as a JSON pointer. */
interface UnknownMember {
  readonly unknown: string;
}
/** What happens to the n-th heartbeat, counted from 1 over all nodes. */
type Script = (beat: Beat, number: number) => Turn;

interface ScriptOptions {
  readonly heartbeat?: Script;
  /** What becomes of the n-th proof. Absent: it is verified, and a session is given. */
  readonly session?: (number: number) => ErrorCode | undefined;
  /** What a heartbeat is answered with when the next one overtakes it. Absent: nothing new. */
  readonly overtaken?: HeartbeatReply;
  readonly session_s?: number;
  readonly interval_s?: number;
  /** Where the n-th proof seems to come from. Absent: not known. */
  readonly seen_as?: (number: number) => string;
  readonly headers?: Record<string, string>;
  /** Known from the start, besides those that enrol: public identity key by node id. */
  readonly nodes?: ReadonlyMap<string, string>;
}

/** A real HTTP server that keeps to the contract where a test does not say otherwise. */
export async function scriptedCoordinator(options: ScriptOptions = {}) {
  const { heartbeat = () => 'hold' as const, session_s = 3600, interval_s = 15, headers = {} } = options;
  const keys = new Map(options.nodes);
  const beats: Beat[] = [];
  const proofs: JWTPayload[] = [];
  const enrolments = new Map<string, unknown>();
  const held = new Map<string, (reply: HeartbeatReply) => void>();
  const watchers = new Set<() => void>();

  const server = await loopbackServer((request, response) => void route(request, response));

  async function route(request: SeenRequest, response: ServerResponse): Promise<void> {
    const url = new URL(request.url, server.url);
    if (url.pathname === '/v1/nodes') enrol(request, response);
    else if (url.pathname === '/v1/auth/node-sessions') await prove(JSON.parse(request.body).proof, response);
    else if (request.method === 'DELETE') json(response, { ...exampleOperation, kind: 'remove' }, 202);
    else beat(request, url, response);
    for (const look of watchers) look();
  }

  function enrol(request: SeenRequest, response: ServerResponse): void {
    const key = request.headers['idempotency-key'] as string;
    const { identity_key, wireguard_key, name, tags = [] } = JSON.parse(request.body);
    const id = newId('node', Date.now());
    const enrollment = { operation: exampleOperation.id, audience: PROOF_AUDIENCE, interval_s };
    const known = enrolments.get(key);
    if (known === undefined) keys.set(id, identity_key);
    const node = known ?? { ...exampleNode, id, name, tags, identity_key, wireguard_key, enrollment };
    enrolments.set(key, node);
    json(response, node, 201);
  }

  async function prove(proof: string, response: ServerResponse): Promise<void> {
    const claims = await verified(proof, keys);
    proofs.push(claims);
    const refusal = options.session?.(proofs.length);
    if (refusal !== undefined) return problem(response, problemOf(refusal), headers);
    const expires = utc(Date.now() + session_s * 1000);
    const seen_as = options.seen_as?.(proofs.length) ?? null;
    json(response, { node: claims.sub, bearer: `meshnode_${randomUUID()}`, expires, interval_s, seen_as }, 201);
  }

  function beat(request: SeenRequest, url: URL, response: ServerResponse): void {
    const body = JSON.parse(request.body) as HeartbeatRequest;
    const bearer = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const seen = { body, wait_s: Number(url.searchParams.get('wait')), bearer };
    beats.push(seen);
    held.get(body.node)?.(options.overtaken ?? { revision: body.revision, next_s: 0 });
    const turn = heartbeat(seen, beats.length);
    if (turn === 'break') response.destroy();
    else if (turn === 'hold') {
      const answer = (reply: HeartbeatReply) => {
        clearTimeout(timer);
        if (held.get(body.node) === answer) held.delete(body.node);
        json(response, reply);
      };
      const timer = setTimeout(answer, seen.wait_s * 1000, { revision: body.revision, next_s: 0 });
      response.on('close', () => clearTimeout(timer));
      held.set(body.node, answer);
    } else if (typeof turn === 'string') problem(response, problemOf(turn), headers);
    else if ('unknown' in turn) problem(response, unknownMember(turn), headers);
    else json(response, turn);
  }

  return {
    url: server.url,
    beats,
    proofs,
    enrolments,
    /** Answers the heartbeat that waits. */
    release(node: string, reply: HeartbeatReply): void {
      held.get(node)?.(reply);
    },
    isHeld: (node: string) => held.has(node),
    /** Once `condition` holds; looked at after every request. */
    until(condition: () => boolean): Promise<void> {
      return new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
export type ScriptedCoordinator = Awaited<ReturnType<typeof scriptedCoordinator>>;

function unknownMember({ unknown }: UnknownMember): Problem {
  return { ...problemOf('invalid'), errors: [{ pointer: unknown, detail: 'is not a known field' }] };
}

/** Against the key of the node that it names, as a coordinator would. */
async function verified(proof: string, keys: ReadonlyMap<string, string>): Promise<JWTPayload> {
  const { sub } = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString());
  const x = Buffer.from(keys.get(sub) ?? '', 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const { payload } = await jwtVerify(proof, key, { audience: PROOF_AUDIENCE, algorithms: ['EdDSA'] });
  return payload;
}
