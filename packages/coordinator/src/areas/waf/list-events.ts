import { DEFAULT_LIMIT, decodeCursor, encodeCursor, invalid, MeshError, type WafEvent } from '@meshwork/contract';
import type { ObservationPlace } from '@meshwork/store';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Call, Reply } from '../handler.ts';
import { filterOf, mayHear } from './event-filters.ts';
import { type Recorded, timeOfEvent, walkEvents } from './event-log.ts';

const LIST = 'waf.events';
/** Ours: what one page looks at. Where few of them are meant, a page is short and has a cursor all the same. */
const LOOKED_AT = 2_000;

export async function listEvents(mesh: Mesh, call: Call<'waf.events'>): Promise<Reply<'waf.events'>> {
  const { limit = DEFAULT_LIMIT, cursor } = call.query;
  const { keeps, ...range } = filterOf(mesh.model, call.actor, call.query);
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const items: WafEvent[] = [];
  let looked = 0;
  let last: ObservationPlace | undefined;
  for await (const recorded of walkEvents(mesh.journal, { ...range, after })) {
    if (last !== undefined && (items.length === limit || looked === LOOKED_AT)) {
      return { body: { items, next_cursor: cursorOf(last) } };
    }
    looked++;
    last = recorded.place;
    if (recorded.event !== undefined && keeps(recorded)) items.push(recorded.event);
  }
  return { body: { items, next_cursor: null } };
}

function cursorOf({ at_ms, key, id }: ObservationPlace): string {
  return encodeCursor(LIST, [at_ms, key, id].join(' '));
}

function placeIn(cursor: string): ObservationPlace {
  const [at = '', key = '', id = '', ...rest] = decodeCursor(LIST, cursor, 'string').split(' ');
  const at_ms = Number(at);
  if (!/^\d{1,15}$/.test(at) || key === '' || id === '' || rest.length > 0) {
    throw invalid('query/cursor', 'is not a cursor of this list; use the next_cursor of an earlier page as it is');
  }
  return { at_ms, key, id };
}

/** An event by its id, which says where in the log it is. */
export async function findEvent(mesh: Mesh, call: Call<'waf.event'> | Call<'waf.propose'>): Promise<WafEvent> {
  const { id } = call.params;
  const at_ms = timeOfEvent(id);
  let looked = 0;
  let found: Recorded | undefined;
  for await (const recorded of walkEvents(mesh.journal, { from_ms: at_ms, to_ms: at_ms + 1 })) {
    if (recorded.place.id === id && recorded.event !== undefined) found = recorded;
    if (found !== undefined || ++looked === LOOKED_AT) break;
  }
  const detail = `There is no WAF event "${id}". It may be past its retention.`;
  if (found?.event === undefined) throw new MeshError('not_found', detail);
  if (mayHear(mesh.model, call.actor.scope, found)) return found.event;
  throw new MeshError('not_found', detail, { refused_as: 'outside_scope' });
}
