/** The ways that the packets of a link took, in words and as parts of a span of time. */
import type { LinkWay } from '@meshwork/contract';

type Transport = NonNullable<LinkWay['via']>['transport'];
export const TRANSPORT_WORDS: Readonly<Record<Transport, string>> = { udp: 'UDP', tcp: 'TCP', tls: 'TLS' };

export function wayWords({ path, endpoint, relay, via }: Pick<LinkWay, 'path' | 'endpoint' | 'relay' | 'via'>): string {
  switch (path) {
    case 'direct':
      return endpoint === null ? 'Direct' : `Direct to ${endpoint}`;
    case 'relay':
      return ['Relayed', ...viaWords(via), `to ${relay ?? 'a relay that you may not see'}`].join(' ');
    case 'idle':
      return 'Not in use';
    case 'none':
      return 'No path';
  }
}

function viaWords(via: LinkWay['via']): string[] {
  if (via === null) return [];
  return [`by ${via.relay ?? 'a relay that you may not see'} over ${TRANSPORT_WORDS[via.transport]}`];
}

export interface WaySpan {
  readonly way: LinkWay;
  readonly until_ms: number;
  /** Where it lies between the begin and now, in percent. */
  readonly left: number;
  readonly width: number;
}

/** Newest first, as they come. `from_ms`: where the drawing begins. */
export function spansOf(history: readonly LinkWay[], from_ms: number, now_ms: number): readonly WaySpan[] {
  const whole = Math.max(1, now_ms - from_ms);
  return history.map((way, place) => {
    const next = history[place - 1];
    const until_ms = next === undefined ? now_ms : Date.parse(next.since);
    const since_ms = Math.min(until_ms, Math.max(from_ms, Date.parse(way.since)));
    return { way, until_ms, left: ((since_ms - from_ms) / whole) * 100, width: ((until_ms - since_ms) / whole) * 100 };
  });
}

/** When the oldest way of both ends began. Null: there is none. */
export function beginOf(...histories: readonly (readonly LinkWay[])[]): number | null {
  const times = histories.flatMap((history) => history.map(({ since }) => Date.parse(since)));
  return times.length === 0 ? null : Math.min(...times);
}
