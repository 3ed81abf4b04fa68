/** What two agents say to each other inside the tunnel about the path between them. */
import { isUsableEndpoint } from '@meshwork/addresses';
import { isPortGuess, type PortGuess } from './next-ports.ts';

/** Ours: what fits into a message, with room to spare. */
const MAX_ENDPOINTS = 12;

export type PathMessage =
  /** We look for a direct path: try these endpoints of ours, now. `next`: and these ports. `answer`: say yours, too. */
  | {
      readonly kind: 'call';
      readonly endpoints: readonly string[];
      readonly next?: PortGuess | undefined;
      readonly answer: boolean;
    }
  /** From now on packets go directly: to `to`, which is yours, from `from`, which is ours as you see us. */
  | { readonly kind: 'direct'; readonly run: string; readonly epoch: number; readonly from: string }
  /** From now on packets go through relays. */
  | { readonly kind: 'relay'; readonly run: string; readonly epoch: number; readonly why: string };

export function writePathMessage(message: PathMessage): string {
  if (message.kind !== 'call') return JSON.stringify(message);
  return JSON.stringify({ ...message, endpoints: message.endpoints.slice(0, MAX_ENDPOINTS) });
}

/** Null: it is none of ours, or of a version that we do not know. */
export function readPathMessage(text: string): PathMessage | null {
  const said = parsed(text);
  if (said === null) return null;
  const { kind, endpoints, next, answer, run, epoch, from, why } = said;
  if (kind === 'call' && Array.isArray(endpoints) && typeof answer === 'boolean') {
    const guess = isPortGuess(next, isEndpoint) ? { next } : {};
    return { kind, endpoints: endpoints.filter(isEndpoint).slice(0, MAX_ENDPOINTS), ...guess, answer };
  }
  if (typeof run !== 'string' || typeof epoch !== 'number' || !Number.isSafeInteger(epoch)) return null;
  if (kind === 'direct' && isEndpoint(from)) return { kind, run, epoch, from };
  if (kind === 'relay' && typeof why === 'string') return { kind, run, epoch, why: plain(why) };
  return null;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null ? (said as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** It is shown to operators, and stands in our own reports. */
function plain(why: string): string {
  return why.slice(0, 200).replace(/[^\x20-\x7e]/g, '?');
}

/** Whatever a peer says: nothing is sent to this host itself, to a group, or to a cloud's metadata. */
function isEndpoint(text: unknown): text is string {
  return typeof text === 'string' && text.length < 60 && isUsableEndpoint(text);
}
