/** A line of `nft monitor trace`: what happened to one packet at one rule, or at the end of a chain. */
export interface TraceLine {
  /** Of the packet. */
  readonly id: string;
  readonly table: string;
  readonly chain: string;
  /** `packet`: it came to the chain. */
  readonly kind: 'packet' | 'rule' | 'verdict' | 'policy';
  /** What follows. */
  readonly text: string;
  /** Whether this decided about the packet in this hook. Absent: it went on. */
  readonly decided?: 'accept' | 'drop';
}

const LINE = /^trace id ([0-9a-f]+) (\S+ \S+) (\S+) (packet|rule|verdict|policy):? (.*)$/;

/** Undefined: it is another line. */
export function readTraceLine(line: string): TraceLine | undefined {
  const [, id, table, chain, kind, rest = ''] = LINE.exec(line) ?? [];
  if (id === undefined || table === undefined || chain === undefined || kind === undefined) return undefined;
  const text = rest.trim();
  const found = { id, table, chain, kind: kind as TraceLine['kind'], text };
  const decided = decision(found);
  return decided === undefined ? found : { ...found, decided };
}

function decision({ kind, text }: Pick<TraceLine, 'kind' | 'text'>): TraceLine['decided'] {
  const verdict = kind === 'rule' ? /\(verdict (accept|drop)\)$/.exec(text)?.[1] : /^(accept|drop)\b/.exec(text)?.[1];
  return kind === 'packet' ? undefined : (verdict as TraceLine['decided']);
}

/** The name of the interface that a packet came by, out of a `packet` line. */
export function interfaceOf({ kind, text }: TraceLine): string | undefined {
  return kind !== 'packet' ? undefined : /^iif "([^"]{1,15})"/.exec(text)?.[1];
}

/** Where a packet was decided, as nftables lists it, without what the rule had counted when it was listed. */
export function verdictText({ table, chain, kind, text }: TraceLine): string {
  const rule = text.replace(/ \(verdict \w+\)$/, '').replaceAll(/counter packets \d+ bytes \d+/g, 'counter');
  return kind === 'rule' ? `${table} ${chain}: ${rule}` : `${table} ${chain}: ${kind} ${rule}`;
}
