/** What gateways recorded, as the store has it: observations of the log `waf`, by ingress. */
import { type Id, type Scope, timeOfId, utc, type WafEvent, type WafLeftOut, type WafReport } from '@meshwork/contract';
import type { Journal, Observation, ObservationPlace } from '@meshwork/store';

export const WAF_LOG = 'waf';

interface Origin {
  readonly node: string;
  /** The name that it had. */
  readonly gateway: string;
  /** Of the ingress: when that is gone, those whose scope covers this may still read it. */
  readonly scope: Scope;
}

export type EventBody = Origin & Omit<WafReport, 'id'>;
export type LeftOutBody = Origin & Omit<WafLeftOut, 'id'>;
type Body = { readonly event: EventBody } | { readonly left_out: LeftOutBody };

/** A request, or the number of some. */
export interface Recorded {
  readonly place: ObservationPlace;
  readonly ingress: string;
  readonly scope: Scope;
  readonly event?: WafEvent;
  readonly left_out?: LeftOutBody;
}

/** Ours: rows that are read at once. One may have `MOST_CHARACTERS` of `fitting-report.ts`. */
const CHUNK = 200;

interface Range {
  readonly from_ms?: number | undefined;
  readonly to_ms?: number | undefined;
  readonly after?: ObservationPlace | undefined;
  /** Of one ingress. */
  readonly ingress?: string | undefined;
}

/** The newest first. */
export async function* walkEvents(
  journal: Journal,
  { from_ms, to_ms, after, ingress }: Range,
): AsyncGenerator<Recorded> {
  const range = {
    ...(from_ms === undefined ? {} : { from_ms }),
    ...(to_ms === undefined ? {} : { to_ms }),
    ...(ingress === undefined ? {} : { keys: [ingress] }),
  };
  let last = after;
  for (;;) {
    const found = await journal.observations({
      log: WAF_LOG,
      order: 'newest_first',
      limit: CHUNK,
      ...range,
      ...(last === undefined ? {} : { after: last }),
    });
    for (const observation of found) yield read(observation);
    last = found.at(-1);
    if (last === undefined || found.length < CHUNK) return;
  }
}

function read({ at_ms, key, id, body: text }: Observation): Recorded {
  const body = JSON.parse(text) as Body;
  const place = { at_ms, key, id };
  if ('left_out' in body) {
    return { place, ingress: key, scope: body.left_out.scope, left_out: body.left_out };
  }
  const { scope, node, gateway, ...report } = body.event;
  return { place, ingress: key, scope, event: { id, at: utc(at_ms), node, gateway, ...report } };
}

/** Events say when they were by their id. */
export function timeOfEvent(id: string): number {
  return timeOfId(id as Id<'wafevent'>);
}
