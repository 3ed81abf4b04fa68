/** What a grant opens, or one requested flow. */
export interface Allow {
  /** `any` is everything, protocols without ports included. */
  readonly protocol: 'any' | 'icmp' | 'tcp' | 'udp';
  /** First and last port of `tcp` and `udp`. Both are 0 for `any` and `icmp`, which have no ports. */
  readonly from: number;
  readonly to: number;
}

const LAST_PORT = 65_535;
const ANY: Allow = Object.freeze({ protocol: 'any', from: 0, to: 0 });
const ICMP: Allow = Object.freeze({ protocol: 'icmp', from: 0, to: 0 });

/** `tcp:22`, `tcp:8000-8999`, `tcp:*`, the same for `udp`, `icmp` or `*`. Undefined: it is none of them. */
export function parseAllow(text: string): Allow | undefined {
  if (text === '*') return ANY;
  if (text === 'icmp') return ICMP;
  const [, protocol, ports = ''] = /^(tcp|udp):(\*|\d{1,5}(?:-\d{1,5})?)$/.exec(text) ?? [];
  if (protocol !== 'tcp' && protocol !== 'udp') return undefined;
  if (ports === '*') return { protocol, from: 1, to: LAST_PORT };
  const [first = '', last = first] = ports.split('-');
  const [from, to] = [parsePort(first), parsePort(last)];
  return from === undefined || to === undefined || from > to ? undefined : { protocol, from, to };
}

/** A port in its one spelling, without leading zeros. Undefined: it is not one of 1–65535. */
export function parsePort(text: string): number | undefined {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : LAST_PORT + 1;
  return port <= LAST_PORT ? port : undefined;
}

export function formatAllow({ protocol, from, to }: Allow): string {
  if (protocol === 'any') return '*';
  if (protocol === 'icmp') return 'icmp';
  if (from <= 1 && to >= LAST_PORT) return `${protocol}:*`;
  return from === to ? `${protocol}:${from}` : `${protocol}:${from}-${to}`;
}

/** The one way to write what a list opens: `*` alone, or `icmp`, then tcp, then udp, each by port and with no overlap. */
export function mergeAllows(list: Iterable<Allow>): readonly string[] {
  const ranges: Record<'tcp' | 'udp', Allow[]> = { tcp: [], udp: [] };
  let icmp = false;
  for (const allow of list) {
    if (allow.protocol === 'any') return ['*'];
    if (allow.protocol === 'icmp') icmp = true;
    else ranges[allow.protocol].push(allow);
  }
  const merged = [...mergeRanges(ranges.tcp), ...mergeRanges(ranges.udp)].map(formatAllow);
  return icmp ? ['icmp', ...merged] : merged;
}

/** Ranges of one protocol: those that overlap or touch become one. */
function mergeRanges(ranges: readonly Allow[]): readonly Allow[] {
  const merged: Allow[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { ...last, to: range.to };
  }
  return merged;
}

/** Whether everything that `inner` opens is also opened by `outer`. */
export function includes(outer: Allow, inner: Allow): boolean {
  if (outer.protocol === 'any') return true;
  return outer.protocol === inner.protocol && outer.from <= inner.from && inner.to <= outer.to;
}

/** Whether a list allows this. The port counts for `tcp` and `udp` only. */
export function covers(list: Iterable<Allow>, protocol: 'icmp' | 'tcp' | 'udp', port = 0): boolean {
  const wanted: Allow = protocol === 'icmp' ? ICMP : { protocol, from: port, to: port };
  for (const allow of list) if (includes(allow, wanted)) return true;
  return false;
}
