import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { IngressCheckResult } from '@meshwork/contract';
import { MAX_DNS_ADDRESSES } from '@meshwork/contract/vocabulary';
import { messageOf } from '../../message-of.ts';

type LookedUp = Pick<IngressCheckResult, 'addresses' | 'left_out' | 'dns_fault' | 'dns_detail'>;

interface LookUp {
  /** With a port where it is not the usual one. */
  readonly resolvers: readonly string[];
  readonly signal: AbortSignal;
}

/** Ours: a resolver that is asked twice, a second each, has had its chance. */
const PATIENCE = { timeout: 1000, tries: 2 } as const;
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);
/** The contract's limit on words. */
const MAX_WORDS = 200;
const MOST_LEFT_OUT = 1000;

/** What public DNS says of a host name. A name that is an address stands for itself. */
export async function lookUp(hostname: string, { resolvers, signal }: LookUp): Promise<LookedUp> {
  if (isIP(hostname) !== 0) return { addresses: [hostname], left_out: 0 };
  if (resolvers.length === 0) return { addresses: [], left_out: 0, dns_fault: 'no_resolver' };
  const resolver = new Resolver(PATIENCE);
  resolver.setServers([...resolvers]);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const all = [...new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))];
    if (all.length > 0) {
      const left_out = Math.min(Math.max(0, all.length - MAX_DNS_ADDRESSES), MOST_LEFT_OUT);
      return { addresses: all.slice(0, MAX_DNS_ADDRESSES), left_out };
    }
    const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    const silent = failed.find((reason) => !NO_RECORD.has(codeOf(reason)));
    if (silent === undefined) return { addresses: [], left_out: 0, dns_fault: 'no_record' };
    const dns_detail = messageOf(silent).slice(0, MAX_WORDS);
    return { addresses: [], left_out: 0, dns_fault: 'no_answer', dns_detail };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function codeOf(reason: unknown): string {
  return reason instanceof Error && 'code' in reason ? String(reason.code) : '';
}
