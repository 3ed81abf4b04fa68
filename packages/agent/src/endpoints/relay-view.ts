import { lookup } from 'node:dns/promises';
import { addAbortListener } from 'node:events';
import { familyOf, kindOfAddress } from '@meshwork/addresses';
import { messageOf } from '../message-of.ts';
import { askStun, type StunFinding, type StunPace } from './ask-stun.ts';

/** Relays are STUN servers, too. */
export interface Relay {
  readonly name: string;
  /** A host name or an address. */
  readonly host: string;
  readonly port: number;
  /** The operator allows addresses that no peer can have. */
  readonly any_address?: boolean | undefined;
}

interface RelayQuestion {
  readonly relay: Relay;
  /** To ask from, unless it is taken. Zero: any. */
  readonly from_port: number;
  readonly pace: StunPace;
  readonly signal: AbortSignal;
}

/** What the relay sees by one family of addresses. */
export interface FamilyView extends StunFinding {
  readonly family: 4 | 6;
  /** Whether it was asked from the port that was wished for. False: from another, and only the address means something. */
  readonly from_port: boolean;
}

interface RelayView {
  /** One for each family that it can be reached by. */
  readonly seen: readonly FamilyView[];
  /** Why it is empty. Null: it is not. One family out of two is nothing to complain about. */
  readonly problem: string | null;
}

/** How the relay sees this node, by IPv4 and by IPv6 at once. Never rejects: that it was stopped is a problem, too. */
export async function viewFromRelay(question: RelayQuestion): Promise<RelayView> {
  const seen: FamilyView[] = [];
  const reasons: string[] = [];
  try {
    const { host, any_address } = question.relay;
    const found = await addressesOf(host, question.signal);
    const isAllowed = (address: string) => any_address === true || kindOfAddress(address) !== 'unusable';
    // A name is looked at here and not before: it may resolve to something else every time.
    reasons.push(
      ...found
        .filter((address) => !isAllowed(address))
        .map((address) => `${address} is not asked: it is a loopback, link-local, multicast or metadata address`),
    );
    const asked = found.filter(isAllowed).map(async (address) => {
      const view = await askAt(address, question).catch((error: unknown) => `${messageOf(error)} (${address})`);
      if (typeof view === 'string') reasons.push(view);
      else seen.push(view);
    });
    await Promise.all(asked);
  } catch (error) {
    reasons.push(messageOf(error));
  }
  seen.sort((a, b) => a.family - b.family);
  const { name, host, port } = question.relay;
  const problem = seen.length > 0 ? null : `relay ${name} at ${host}, port ${port}: ${reasons.sort().join(', ')}`;
  return { seen, problem };
}

/** The first of each family. The system call cannot be cancelled: after an abort its result is ignored. */
async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const stopped = Promise.withResolvers<never>();
  using _abort = addAbortListener(signal, () => stopped.reject(signal.reason));
  const all = await Promise.race([lookup(host, { all: true }), stopped.promise]);
  const first = (family: 4 | 6) => all.find((one) => one.family === family)?.address ?? [];
  return [first(4), first(6)].flat();
}

async function askAt(address: string, { relay, from_port, pace, signal }: RelayQuestion): Promise<FamilyView> {
  const family = familyOf(address);
  const ask = (port: number) => askStun({ address, port: relay.port, from_port: port, pace, signal });
  if (from_port === 0) return { family, ...(await ask(0)), from_port: false };
  try {
    return { family, ...(await ask(from_port)), from_port: true };
  } catch (error) {
    // An interface that was there before the agent has the port. Its mapping cannot be asked for, but the address can.
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return { family, ...(await ask(0)), from_port: false };
  }
}
