/**
 * What a program on this node shows to prove that it speaks for a name of the node (ACME). Only the node's own addresses in the
 * mesh are asked, on the two ports that the protocol has: nothing that the host can reach otherwise is reached by this.
 */
import type { Probe, ProbeResult } from '@meshwork/contract';
import { messageOf } from '../../message-of.ts';
import type { Ports } from './asked.ts';
import { Fault } from './fault.ts';
import { shownCertificate } from './shown-certificate.ts';
import { shownFile } from './shown-file.ts';

type Challenge = NonNullable<Probe['challenge']>;
type Answer = NonNullable<ProbeResult['challenge']>;

interface ChallengeOptions {
  /** Of this node in the mesh. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  /** For tests, which have no right to the usual ones. */
  readonly ports?: Ports;
}

const PORTS: Ports = { http: 80, https: 443 };
const SHOWN = { 'http-01': shownFile, 'tls-alpn-01': shownCertificate } as const;
/** The contract's limit on words. */
const MAX_WORDS = 500;

/** Asks one address after another until something answers: a program may listen on one of them only. */
export async function answerOf(challenge: Challenge, options: ChallengeOptions): Promise<Answer> {
  const { type, name, token, within_ms } = challenge;
  const { addresses, ports = PORTS } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(within_ms)]);
  if (!/^[a-z0-9.-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} is not a name`);
  if (addresses.length === 0) throw new Error('this node has no address in the mesh yet');
  const silent: string[] = [];
  for (const address of addresses) {
    try {
      return { shown: await SHOWN[type]({ name, token, address, ports, signal }) };
    } catch (error) {
      const { fault, message } = faultOf(error, signal);
      if (fault !== 'connection') return { fault, detail: message.slice(0, MAX_WORDS) };
      silent.push(message);
    }
  }
  return { fault: 'connection', detail: silent.join('; ').slice(0, MAX_WORDS) };
}

/** Any error that is not ours is one of the network: the address did not answer, or hung up. */
function faultOf(error: unknown, signal: AbortSignal): Pick<Fault, 'fault' | 'message'> {
  if (error instanceof Fault) return error;
  const message = signal.aborted ? 'there was no answer in time' : messageOf(error);
  return { fault: 'connection', message };
}
