/**
 * A protocol of others that an area speaks below a path of its own, beside the table of operations: it has its own way to know
 * callers, and its own form of errors. `http/protocols.ts` carries it.
 */
import type { AuditTarget, ErrorCode } from '@meshwork/contract';
import type { TokenActor } from '../mesh/actor.ts';
import type { Cause } from '../mesh/audit-entry.ts';

export interface ProtocolRequest {
  readonly method: string;
  /** Below the protocol's own, with its slash: `/directory`. */
  readonly path: string;
  /** Where the caller believes us to be: `https://mesh.example.org`. */
  readonly origin: string;
  /** Empty: there is none. */
  readonly body: Buffer;
  /** For the audit trail. */
  readonly request: NonNullable<Cause['request']>;
}

export interface ProtocolAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly text?: string;
  /** Who it was, for the log. Absent: not known. */
  readonly actor?: TokenActor;
  /** A refusal that belongs into the audit trail. */
  readonly refusal?: ProtocolRefusal;
  /** An error that is a bug of ours, and has to be logged in full. */
  readonly bug?: unknown;
}

interface ProtocolRefusal {
  readonly cause: Cause;
  readonly code: ErrorCode;
  readonly target: AuditTarget | null;
  readonly detail: string;
}

export interface Protocol {
  /** As logs and metrics name it. */
  readonly name: string;
  /** What its paths begin with. */
  readonly path: string;
  /** The one media type that it takes. */
  readonly type: string;
  /** Bytes of a request. */
  readonly body_limit: number;
  handle(request: ProtocolRequest): Promise<ProtocolAnswer>;
  /** The answer to a request that cannot be read. */
  unread(error: unknown, request: Omit<ProtocolRequest, 'body'>): ProtocolAnswer;
}
