/** What nodes are sent of relays: the one that each uses, those to measure and to prove, and the one that it runs. */
import {
  MAX_MEASURED_RELAYS,
  MAX_PROVEN_RELAYS,
  type NodeId,
  RELAY_CREDENTIAL_S,
  type RelayAccess,
  type RelaySection,
  type RelayServerSection,
  utc,
} from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import { carries } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';
import type { SectionSource, SectionTouch } from '../../views/section-source.ts';
import type { RelayIndexes } from './relay-indexes.ts';
import { anyAddress, relayPlace, STUN_PORTS } from './relay-place.ts';
import type { RelaySecrets } from './relay-secrets.ts';

/** What its credentials are for, at every relay. */
const REALM = 'mesh';
/** A node may hold more than one at a time: while it moves, and to prove that the relay works. One that was given back counts for a second. */
const ALLOCATIONS_A_NODE = 6;
const ALLOCATIONS_OF_ALL = 4;
/** Credentials are turned over when half of their life is over, and not those of all nodes at once. */
const TURNED_AFTER_MS = (RELAY_CREDENTIAL_S * 1000) / 2;
const TURNED_WITHIN_MS = (RELAY_CREDENTIAL_S * 1000) / 6;

export function relaySections(view: View, indexes: RelayIndexes, secrets: RelaySecrets) {
  return {
    relay: relaySection(view, indexes),
    relays: relaysSection(view),
    relay_server: relayServerSection(view, indexes, secrets),
    relay_access: relayAccessSection(view, secrets),
  };
}

/** The relay that a node should use. */
function relaySection(view: View, { assigned }: RelayIndexes): SectionSource<'relay'> {
  return {
    content: (node) => {
      const relay = ownRelay(view, node);
      return relay === undefined ? null : relayPlace(view, relay);
    },
    touchedBy: {
      ...ofNode,
      assignment: ({ id }, touch) => touch.node(id),
      relay: ({ id }, touch) => {
        for (const node of assigned.of(id)) touch.node(node);
      },
      settings: (_, touch) => touch.allNodes(),
    },
  };
}

/** What a node is and what it carries put every one of its sections in question. */
const ofNode = {
  node: ({ id }: { readonly id: string }, touch: SectionTouch) => touch.node(id),
  report: ({ id }: { readonly id: string }, touch: SectionTouch) => touch.node(id),
};

function ownRelay(view: View, node: Stored<'node'>): Stored<'relay'> | undefined {
  const name = view.get('assignment', node.id)?.body.relay;
  const uses = name !== undefined && isMember(node.body) && carries(view, node.id, 'relay');
  return uses ? view.get('relay', name) : undefined;
}

/** Relays that a node may send through, its own first, and what each is for. Absent: to prove that it works. */
type Uses = readonly { readonly relay: Stored<'relay'>; readonly use?: RelayAccess['use'] }[];
const NO_USES: Uses = [];

/** Those that a node receives by: its agent makes an allocation on each, and reports them as `relayed`. */
function usedRelays(view: View, node: Stored<'node'>): Uses {
  const home = ownRelay(view, node);
  if (home === undefined) return NO_USES;
  const name = view.get('assignment', node.id)?.body.standby ?? null;
  const standby = name === null ? undefined : view.get('relay', name);
  return [
    { relay: home, use: 'home' },
    ...(standby === undefined ? [] : [{ relay: standby, use: 'standby' as const }]),
  ];
}

const NO_RELAYS: readonly RelaySection[] = [];

/** The relays that a node measures. */
function relaysSection(view: View): SectionSource<'relays'> {
  let all: readonly RelaySection[] | undefined;
  const forget = () => {
    all = undefined;
  };
  const changed = (_: unknown, touch: SectionTouch) => {
    forget();
    touch.allNodes();
  };
  return {
    shared: true,
    content: ({ id, body }) => {
      if (!isMember(body) || !carries(view, id, 'relays')) return NO_RELAYS;
      all ??= [...view.all('relay')].map((relay) => relayPlace(view, relay));
      return someOf(id, all, MAX_MEASURED_RELAYS, ({ name }) => name);
    },
    touchedBy: { ...ofNode, relay: changed, settings: changed },
    reset: forget,
  };
}

/** The relay that a node runs. */
function relayServerSection(view: View, { run }: RelayIndexes, secrets: RelaySecrets): SectionSource<'relay_server'> {
  const runners = (_: unknown, touch: SectionTouch) => {
    for (const { body } of view.all('relay')) if (body.node !== null) touch.node(body.node);
  };
  return {
    content: (node): RelayServerSection | null => {
      const [name] = [...run.of(node.id)].sort();
      const relay = name === undefined ? undefined : view.get('relay', name);
      if (relay === undefined || !isMember(node.body) || !carries(view, node.id, 'relay_server')) return null;
      const { host, port, tls_port = null, certificate = 'mesh', capacity } = relay.body;
      return {
        name: relay.id,
        host,
        ...anyAddress(view),
        realm: REALM,
        port,
        stun_ports: STUN_PORTS,
        tls: tls_port === null ? null : { port: tls_port, certificate },
        secrets: [...secrets.of(relay)],
        peers: [...new Set(Array.from(view.all('relay'), ({ body }) => body.host))].sort(),
        allocations: capacity * ALLOCATIONS_OF_ALL,
        allocations_a_node: ALLOCATIONS_A_NODE,
      };
    },
    touchedBy: {
      ...ofNode,
      relay: (change, touch) => {
        if (change.before?.body.node != null) touch.node(change.before.body.node);
        runners(change, touch);
      },
      installation: runners,
      settings: runners,
    },
  };
}

const NO_ACCESS: readonly RelayAccess[] = [];

/** The relays that a node may send through: its own, and those that it proves. Time changes it, before the credentials end. */
function relayAccessSection(view: View, secrets: RelaySecrets): SectionSource<'relay_access'> {
  const relaysOf = (node: Stored<'node'>): Uses => {
    if (!isMember(node.body) || !carries(view, node.id, 'relay_access')) return NO_USES;
    const used = usedRelays(view, node);
    const others = [...view.all('relay')].filter(
      (relay) => relay.body.node !== node.id && !used.some((one) => one.relay.id === relay.id),
    );
    const proven = someOf(node.id, others, MAX_PROVEN_RELAYS, ({ id }) => id);
    return [...used, ...proven.map((relay) => ({ relay }))];
  };
  const all = (_: unknown, touch: SectionTouch) => touch.allNodes();
  return {
    content: (node, at_ms) => {
      const relays = relaysOf(node);
      if (relays.length === 0) return NO_ACCESS;
      return relays.map(({ relay, use }) => {
        const { username, password, expires_ms } = secrets.credentials(relay, node.id as NodeId, at_ms);
        return {
          relay: relayPlace(view, relay),
          ...(use === undefined ? {} : { use }),
          username,
          password,
          expires_at: utc(expires_ms),
        };
      });
    },
    nextChangeAt: (node, after_ms) =>
      relaysOf(node).length === 0 ? undefined : after_ms + TURNED_AFTER_MS + (digestOfText(node.id) % TURNED_WITHIN_MS),
    touchedBy: {
      ...ofNode,
      assignment: ({ id }, touch) => touch.node(id),
      relay: all,
      settings: all,
      installation: all,
    },
  };
}

/**
 * All of them, or, where there are more than that, as many, chosen so that each falls to about equally many nodes and the choice
 * changes little when one comes or goes.
 */
function someOf<T>(node: string, all: readonly T[], most: number, nameOf: (one: T) => string): readonly T[] {
  if (all.length <= most) return all;
  return all
    .map((one) => ({ one, rank: digestOfText(`${node} ${nameOf(one)}`) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ one }) => one);
}
