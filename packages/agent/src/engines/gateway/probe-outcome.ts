/** What a check of a node is given, and what it came to in words that an operator can use. */
import type { SecureContext } from 'node:tls';
import type { AssignedRoute } from '@meshwork/contract';
import { messageOf } from '../../message-of.ts';

export interface ProbedTarget {
  readonly address: string;
  readonly port: number;
  /** What its certificate has to be for. */
  readonly name: string;
  /** What it is asked for as. */
  readonly hostname: string;
  readonly check: AssignedRoute['check'];
  /** With the roots that its certificate is checked against. Absent: it is spoken to without TLS. */
  readonly tls?: SecureContext | undefined;
}

/** `unchecked`: this host was not able to, and that says nothing of the target. */
export type ProbeOutcome =
  | { readonly result: 'passed' }
  | { readonly result: 'failed' | 'unchecked'; readonly why: string };

export const PASSED: ProbeOutcome = { result: 'passed' };
/** Who asks. */
export const USER_AGENT = 'meshwork-gateway';

/** What is under way when it takes too long, and gives back what it took. */
export interface Running {
  readonly end: () => void;
  /** How far it came, for a check that takes too long. */
  readonly progress: () => string;
}

export type Settle = (outcome: ProbeOutcome) => void;

export function failed(why: string): ProbeOutcome {
  return { result: 'failed', why };
}

export function unchecked(why: string): ProbeOutcome {
  return { result: 'unchecked', why: `it could not be checked: ${why}` };
}

/** This host has run out of something. Every node would seem to be down. */
const OWN_FAULTS: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENOBUFS: 'no memory for sockets',
  ENOMEM: 'no memory',
  EADDRNOTAVAIL: 'no free port',
};

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed without an answer',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  ETIMEDOUT: 'no answer',
  EACCES: 'this host does not permit the connection',
  EPERM: 'this host does not permit the connection',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not from the CA of the mesh',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not from the CA of the mesh',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is not from the CA of the mesh',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not from the CA of the mesh',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not from the CA of the mesh',
};

export function outcomeOf(error: NodeJS.ErrnoException, name?: string): ProbeOutcome {
  const { code = '' } = error;
  const own = OWN_FAULTS[code];
  if (own !== undefined) return unchecked(own);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return failed(`the certificate is not for ${name}`);
  if (code.startsWith('HPE_')) return failed('the answer is no HTTP');
  if (code.startsWith('ERR_HTTP2_')) return failed('the answer is no HTTP/2');
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return failed('it does not speak TLS as it should');
  return failed(FAULTS[code] ?? messageOf(error));
}
