import type { LinkOverTime, LinkView, LinkViewOverTime, LinkWay, PeerGraph } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import type { Output } from '../../output.ts';
import { fields, table } from '../../table.ts';
import { counted } from '../../wording.ts';

export const peer = noun({
  noun: 'peer',
  thing: 'link',
  commands: {
    'peers.list': {
      arguments: ['node'],
      parameters: { node: { completes: 'node' }, state: { help: 'only links in this state' } },
      // As the node that was asked about sees them.
      columns: [
        ['PEER', ({ b }) => b.name],
        ['IS', ({ b }) => b.state],
        ['LINK', ({ state }) => state],
        ['PATH', ({ path }) => path],
        ['HANDSHAKE', ({ a_view }) => age(a_view?.handshake_age_s)],
        ['RTT', ({ a_view }) => measured(a_view?.rtt_ms, 'ms')],
        ['RECEIVED', ({ a_view }) => measured(a_view?.rx_bytes, 'B')],
        ['SENT', ({ a_view }) => measured(a_view?.tx_bytes, 'B')],
        ['ENDPOINT', ({ a_view }) => a_view?.endpoint ?? '-'],
      ],
    },
    'peers.show': {
      parameters: { a: { completes: 'node' }, b: { completes: 'node' } },
      print: linkText,
    },
    'peers.graph': {
      parameters: {
        tag: { help: 'only nodes with this tag, such as role:git' },
        state: { help: 'only nodes in this state' },
        q: { help: 'only nodes with this in their name, or with this address' },
      },
      print: graphText,
      after: ({ truncated, nodes, nodes_total }, out) => {
        if (truncated) out.notice(`${nodes.length} of ${counted(nodes_total, 'node')}: --limit shows more`);
      },
    },
  },
});

function graphText({ nodes, links }: PeerGraph, out: Output): string {
  const name = (index: number) => nodes[index]?.name ?? '-';
  const rows = links.map(({ a, b, state, path }) => [name(a), name(b), state, path]);
  return table(['NODE', 'PEER', 'LINK', 'PATH'], rows, (text) => out.strong(text));
}

function age(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '-' : `${Math.round(seconds)} s ago`;
}

function measured(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? '-' : `${value} ${unit}`;
}

function linkText({ a, b, state, path, why, a_view, b_view }: LinkOverTime, out: Output): string {
  const head = fields([
    ['link', `${a.name} (${a.state}) and ${b.name} (${b.state})`],
    ['state', state],
    ['path', path],
    ...(why === null ? [] : [['why', why] as const]),
  ]);
  const headings = ['SEEN BY', 'PATH', 'HANDSHAKE', 'RTT', 'MTU', 'RECEIVED', 'SENT', 'ENDPOINT', 'RELAYS', 'AT'];
  const rows = [row(a.name, a_view), row(b.name, b_view)];
  const seen = table(headings, rows, (text) => out.strong(text));
  const tried = [...triedBy(a.name, a_view), ...triedBy(b.name, b_view)];
  const ways = [...waysOf(a.name, a_view), ...waysOf(b.name, b_view)];
  const parts = [head, seen];
  if (tried.length > 0) {
    parts.push(table(['TRIED BY', 'ENDPOINT', 'OUTCOME', 'RTT'], tried, (text) => out.strong(text)));
  }
  if (ways.length > 0) {
    parts.push(table(['SEEN BY', 'SINCE', 'PATH', 'ENDPOINT', 'RELAYS', 'WHY'], ways, (text) => out.strong(text)));
  }
  return parts.join('\n\n');
}

function row(name: string, view: LinkView | null): string[] {
  if (view === null) return [name, 'no report'];
  const { path, handshake_age_s, rtt_ms, mtu, rx_bytes, tx_bytes, endpoint, observed_at } = view;
  const end = [endpoint ?? '-', relaysText(view), observed_at];
  const sizes = [measured(rx_bytes, 'B'), measured(tx_bytes, 'B')];
  return [name, path, age(handshake_age_s), measured(rtt_ms, 'ms'), `${mtu ?? '-'}`, ...sizes, ...end];
}

/** The relays that its packets pass, in order. */
function relaysText({ relay, via }: Pick<LinkWay, 'relay' | 'via'>): string {
  if (relay === null && via === null) return '-';
  const own = via === null ? [] : [`${via.relay ?? 'hidden'} (${via.transport})`];
  return [...own, relay ?? 'hidden'].join(' → ');
}

function triedBy(name: string, view: LinkView | null): string[][] {
  return (view?.tried ?? []).map(({ endpoint, outcome, rtt_ms }) => [name, endpoint, outcome, measured(rtt_ms, 'ms')]);
}

/** How its packets went, newest first. */
function waysOf(name: string, view: LinkViewOverTime | null): string[][] {
  return (view?.history ?? []).map(({ since, path, endpoint, why, ...relays }) => [
    name,
    since,
    path,
    endpoint ?? '-',
    relaysText(relays),
    why ?? '-',
  ]);
}
