import type { ActorRef, Scope, Settings, TokenId } from '@meshwork/contract';

/** A token at rest. Its state is derived from the times in it (`access/token-state.ts`), never stored. */
export interface TokenDocument {
  readonly name: string;
  readonly scope: Scope;
  readonly role: string;
  readonly expires: string;
  readonly created_at: string;
  readonly created_by: ActorRef;
  readonly secret_sha256: string;
  readonly retires_at: string | null;
  readonly rotated_from: TokenId | null;
  readonly rotated_to: TokenId | null;
  readonly revoked_at: string | null;
}

/** A custom role; its id is its name. The built-in ones stand in the contract and are not documents. */
export interface RoleDocument {
  readonly description: string;
  readonly permissions: readonly string[];
}

/** Written once, by the very first start. There is one, `mesh`. */
export interface InstallationDocument {
  readonly created_at: string;
  /** Tells a coordinator that was given another installation's master key. */
  readonly master_key_check: string;
}

/** What a request with an Idempotency-Key was answered, sealed, so that the same request gets the same answer. */
export interface AnswerDocument {
  readonly request_sha256: string;
  readonly sealed: string;
  readonly at_ms: number;
}

interface Documents {
  readonly token: TokenDocument;
  readonly role: RoleDocument;
  /** There is one, `mesh`. Absent: all defaults. */
  readonly settings: Settings;
  readonly installation: InstallationDocument;
  readonly answer: AnswerDocument;
}

export type Kind = keyof Documents;
export type BodyOf<K extends Kind> = Documents[K];

interface KindRow {
  /** Whether a change of it belongs into the audit trail. False only for bookkeeping of the coordinator's own. */
  readonly audited: boolean;
  /** Fields that never leave the store, not even into the audit trail. */
  readonly secret: readonly string[];
}

/** The one table of what the mesh is made of. A new area adds its kinds here. */
export const KINDS: { readonly [K in Kind]: KindRow & { readonly secret: readonly (keyof BodyOf<K>)[] } } = {
  token: { audited: true, secret: ['secret_sha256'] },
  role: { audited: true, secret: [] },
  settings: { audited: true, secret: [] },
  installation: { audited: true, secret: ['master_key_check'] },
  answer: { audited: false, secret: ['sealed'] },
};

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

/** The document as the audit trail may show it. */
export function redacted(kind: Kind, body: object): Record<string, unknown> {
  const row: KindRow = KINDS[kind];
  return Object.fromEntries(Object.entries(body).filter(([field]) => !row.secret.includes(field)));
}
