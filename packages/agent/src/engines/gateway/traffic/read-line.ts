import { isId, TIME_BOUNDS_S } from '@meshwork/contract/vocabulary';

/** One request, as a line of `access-log.ts` says. */
export interface CountedRequest {
  readonly ingress: string;
  readonly route: string | null;
  readonly status: number;
  /** Place in `TIME_BOUNDS_S`, or behind its end. */
  readonly time: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  /** Undefined: no node was asked. */
  readonly upstream_ms: number | undefined;
}

const FIELDS = 8;
const SECONDS = /^\d{1,9}\.\d{3}$/;
const WHOLE = /^\d{1,15}$/;

/** `by_hostname`: ingresses that the gateway serves now. Undefined: it is no line of ours, or of an ingress that is not known. */
export function readLine(line: string, by_hostname: ReadonlyMap<string, string>): CountedRequest | undefined {
  const fields = line.split('|');
  const [counted = '', server = '', status = '', took = '', upstream = '', received = '', sent = ''] = fields;
  if (fields.length !== FIELDS || !SECONDS.test(took) || !WHOLE.test(received) || !WHOLE.test(sent)) return undefined;
  if (!WHOLE.test(status)) return undefined;
  const slash = counted.indexOf('/');
  const known = slash === -1 ? counted : counted.slice(0, slash);
  const ingress = known === '' ? by_hostname.get(server) : known;
  if (ingress === undefined || !isId('ingress', ingress)) return undefined;
  return {
    ingress,
    route: slash === -1 ? null : counted.slice(slash),
    status: Number(status),
    time: placeOf(Number(took)),
    bytes_in: Number(received),
    bytes_out: Number(sent),
    upstream_ms: upstreamMs(upstream),
  };
}

function placeOf(seconds: number): number {
  const place = TIME_BOUNDS_S.findIndex((bound) => seconds <= bound);
  return place === -1 ? TIME_BOUNDS_S.length : place;
}

/** `0.003, 0.120 : -`: each node that was asked. A dash: it did not answer. */
function upstreamMs(text: string): number | undefined {
  const times = text.split(/[,:] ?| /).flatMap((part) => (SECONDS.test(part) ? [Math.round(Number(part) * 1000)] : []));
  return times.length === 0 ? undefined : times.reduce((sum, one) => sum + one, 0);
}
