import type { Mark } from '@meshwork/store';
import type { MarkBody, NodeStatus } from './node-status.ts';

/**
 * Ours. The skew is measured through the network and flickers with it: the body is not written anew for less than this,
 * and so what is known after a restart may be that far off.
 */
const SKEW_STEP_S = 0.5;

/** The same string as before for as long as it says the same: the store need not write that again. */
export function markBody(boot_id: string, status: NodeStatus): string {
  const { written } = status;
  if (written !== undefined && stillSays(written.body, boot_id, status)) return written.text;
  const { address, clock_skew_s, applied, observed, serving, shown } = status;
  const { relays, relay_proofs } = observed;
  const body: MarkBody = { boot_id, address, clock_skew_s, applied, relays, relay_proofs, serving, shown };
  const text = JSON.stringify(body);
  status.written = { body, text };
  return text;
}

/** What a heartbeat changes is replaced and never altered in place, so it is enough to compare what is on top. */
function stillSays(body: MarkBody, boot_id: string, status: NodeStatus): boolean {
  const { address, clock_skew_s, applied, observed, serving, shown } = status;
  return (
    body.serving === serving &&
    body.shown === shown &&
    body.boot_id === boot_id &&
    body.address === address &&
    body.applied === applied &&
    body.relays === observed.relays &&
    body.relay_proofs === observed.relay_proofs &&
    isNear(body.clock_skew_s, clock_skew_s)
  );
}

function isNear(a: number | undefined, b: number | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Math.abs(a - b) < SKEW_STEP_S);
}

/** Bodies from before marks had a count begin with it: `<seq> <JSON>`. */
export function parseMark(count: Mark['count'], body: string): MarkBody & Pick<NodeStatus, 'seq'> {
  const start = body.indexOf('{');
  const said = JSON.parse(body.slice(start)) as Written;
  const { boot_id, address, clock_skew_s, applied = {}, relays, relay_proofs, serving, shown } = said;
  const seq = start === 0 ? count : Number(body.slice(0, start));
  return { seq, boot_id, address, clock_skew_s, applied, relays, relay_proofs, serving, shown };
}

/** JSON leaves out what is undefined. */
type Written = Pick<MarkBody, 'boot_id'> & Partial<MarkBody>;
