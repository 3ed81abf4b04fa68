import type { ActorRef, NodeId, Permission, PersonRef, Scope, TokenId, TokenState } from '@meshwork/contract';

/** A caller with a valid token, and what it may do as of the moment it was looked at. */
export interface TokenActor {
  readonly kind: 'token';
  readonly id: TokenId;
  readonly name: string;
  readonly scope: Scope;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  /** Of those that its times decide: `used_up` is for listings. */
  readonly state: Exclude<TokenState, 'used_up'>;
  readonly expires: string;
  /** The person the token acts for. Null: it acts for itself. */
  readonly on_behalf_of: PersonRef | null;
  /** The address of that person. Null: unknown, or the token does not act for a person. */
  readonly address: string | null;
}

/** A node with a session of its own. */
export interface NodeActor {
  readonly kind: 'node';
  readonly id: NodeId;
  readonly name: string;
  /** Of the session; the node's own has moved on when the session is void. */
  readonly epoch: number;
}

/** The coordinator itself: first start, retention. */
interface SystemActor {
  readonly kind: 'system';
  readonly name: string;
}

/** Someone whose credentials are missing or unknown. Only refusals are ever attributed to it. */
interface AnonymousActor {
  readonly kind: 'anonymous';
}

export type Actor = TokenActor | NodeActor | SystemActor | AnonymousActor;

export const COORDINATOR: SystemActor = { kind: 'system', name: 'coordinator' };
export const ANONYMOUS: AnonymousActor = { kind: 'anonymous' };

/** The name in the audit trail and in records. A token that acts for a person has that person's name. */
export function refOf(actor: Actor): ActorRef {
  switch (actor.kind) {
    case 'token':
      return actor.on_behalf_of === null
        ? { kind: 'token', id: actor.id, name: actor.name }
        : { kind: 'person', id: actor.on_behalf_of.id, name: actor.on_behalf_of.name };
    case 'node':
      return { kind: actor.kind, id: actor.id, name: actor.name };
    case 'system':
      return { kind: 'system', id: null, name: actor.name };
    case 'anonymous':
      return { kind: 'anonymous', id: null, name: 'anonymous' };
  }
}
