import { FAMILIES, familyOf } from '@meshwork/addresses';
import { type NamedHost, usableAddresses } from '../host/usable-addresses.ts';
import { messageOf } from '../message-of.ts';
import { askStun, type StunFinding, type StunPace } from '../stun/ask-stun.ts';

/** Relays are STUN servers, too. */
export interface Relay extends NamedHost {
  readonly name: string;
  readonly port: number;
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
    const { usable, refused } = await usableAddresses(question.relay, question.signal);
    const why = 'it is a loopback, link-local, multicast or metadata address';
    reasons.push(...firstOfEach(refused).map((address) => `${address} is not asked: ${why}`));
    const asked = firstOfEach(usable).map(async (address) => {
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

/** Of each family. */
function firstOfEach(addresses: readonly string[]): readonly string[] {
  return FAMILIES.flatMap((family) => addresses.find((address) => familyOf(address) === family) ?? []);
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
