import type { LinkView, NatMapping } from '@meshwork/contract';

type TriedOnce = LinkView['tried'][number];

/** One end of a link, as far as it explains which way the link takes. */
export interface ReasonSide {
  readonly name: string;
  /** Undefined: not reported. */
  readonly nat: NatMapping | undefined;
  /** How many endpoints it has reported. */
  readonly endpoints: number;
  /** What it says of the link. Null: nothing. */
  readonly view: (Pick<LinkView, 'path' | 'why' | 'via'> & { readonly tried: readonly TriedOnce[] }) | null;
  /** The relays that its packets pass, in order. Null: one that the caller may not see. Empty: it names none. */
  readonly relays: readonly (string | null)[];
}

/** Why packets of a link go through relays, in one sentence. Null: they do not. */
export function whyRelayed(a: ReasonSide, b: ReasonSide): string | null {
  if (a.view?.path !== 'relay' && b.view?.path !== 'relay') return null;
  const causes = [...obstaclesOf(a, b), ...saidBy(a), ...saidBy(b)];
  if (causes.length === 0) causes.push(`no direct path between ${a.name} and ${b.name} has been found`);
  const text = `${causes.join(', and ')}; ${relaysOf(a, b)}.`;
  // A name of a node stays as it is.
  return text.replace(/^(?:the|no) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** What stands in the way: the NATs where they explain it, otherwise what became of the endpoints that were tried. */
function obstaclesOf(a: ReasonSide, b: ReasonSide): string[] {
  const nats = [...natOf(a, b), ...natOf(b, a)];
  return nats.length > 0 ? nats : [...triedBy(a, b), ...triedBy(b, a)];
}

function natOf({ name, nat }: ReasonSide, other: ReasonSide): string[] {
  switch (nat) {
    case 'address-dependent':
      return [`${name} is behind a NAT that shows another port to each peer (address-dependent)`];
    case 'udp-blocked':
      return [`the network of ${name} lets no UDP through`];
    case 'endpoint-independent':
      // By itself it keeps no peer out: it opens for what the node sends to, and that has to be known.
      return other.nat === 'address-dependent' ? [`${name}'s NAT lets in only what it sent to first`] : [];
    default:
      return [];
  }
}

function triedBy({ name, view }: ReasonSide, other: ReasonSide): string[] {
  if (other.endpoints === 0) return [`${other.name} has no endpoint that ${name} could try`];
  const tried = view?.tried ?? [];
  if (tried.length === 0) return [];
  if (tried.some(({ outcome }) => outcome === 'answered')) return [];
  const isUnreachable = tried.every(({ outcome }) => outcome === 'unreachable');
  const which = tried.length === 1 ? 'the one endpoint' : `the ${tried.length} endpoints`;
  if (isUnreachable) return [`${name} has no route to ${which} of ${other.name}`];
  return [`${which} of ${other.name} that ${name} tried did not answer`];
}

function saidBy({ name, view }: ReasonSide): string[] {
  const why = view?.path === 'relay' ? view.why : null;
  return why === null ? [] : [`${name} says: ${why.replace(/\.$/, '')}`];
}

/** Each end sends to the relay of the other, mostly from its own. */
function relaysOf(a: ReasonSide, b: ReasonSide): string {
  const vias = [a, b].flatMap(({ name, view }) =>
    view?.path === 'relay' && view.via !== null ? [{ name, ...view.via }] : [],
  );
  const relays = new Set([a, b].flatMap((side) => (side.view?.path === 'relay' ? side.relays : [])));
  const listed = [...relays].map((name) => name ?? 'a relay that you may not see');
  const by = listed.length === 0 ? '' : ` by ${listed.join(' and ')}`;
  return `relayed${by}${transportsOf(vias)}`;
}

function transportsOf(vias: readonly { name: string; transport: string }[]): string {
  const [first, second] = vias;
  if (first === undefined) return '';
  const over = (transport: string) => `over ${transport.toUpperCase()}`;
  if (second === undefined) return `, ${first.name} ${over(first.transport)}`;
  if (first.transport === second.transport) return `, both ${over(first.transport)}`;
  return `, ${first.name} ${over(first.transport)} and ${second.name} ${over(second.transport)}`;
}
