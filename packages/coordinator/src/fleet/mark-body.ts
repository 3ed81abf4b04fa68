import type { Applied, AppliedSection, Observed } from '@meshwork/contract';
import type { Sighting } from './sighting.ts';

/** What is kept beside the time of a heartbeat, so that it survives a restart and other coordinators know of it. */
export type MarkBody = Pick<Sighting, 'seq' | 'address' | 'clock_skew_s' | 'applied'> & {
  readonly boot_id: string;
  readonly relays: Observed['relays'];
};

/** All but the number of the heartbeat, which alone changes with each: it is written anew only when something else did. */
interface Written {
  readonly of: readonly unknown[];
  readonly text: string;
}
const written = new WeakMap<Sighting, Written>();

/** `<seq> <rest as JSON>`. */
export function markBody(boot_id: string, sighting: Sighting): string {
  const { seq, address, clock_skew_s, applied, observed } = sighting;
  const of = [boot_id, address, clock_skew_s, applied, observed.relays];
  let known = written.get(sighting);
  if (known === undefined || known.of.some((part, index) => part !== of[index])) {
    known = { of, text: JSON.stringify({ boot_id, address, clock_skew_s, applied, relays: observed.relays }) };
    written.set(sighting, known);
  }
  return `${seq} ${known.text}`;
}

export function parseMarkBody(text: string): MarkBody {
  const space = text.indexOf(' ');
  const rest = JSON.parse(text.slice(space + 1)) as {
    readonly boot_id: string;
    readonly address?: string;
    readonly clock_skew_s?: number;
    readonly applied?: { [S in AppliedSection]?: Applied };
    readonly relays?: Observed['relays'];
  };
  return {
    seq: Number(text.slice(0, space)),
    boot_id: rest.boot_id,
    address: rest.address,
    clock_skew_s: rest.clock_skew_s,
    applied: rest.applied ?? {},
    relays: rest.relays,
  };
}
