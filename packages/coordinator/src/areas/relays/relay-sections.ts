import { MAX_MEASURED_RELAYS, type RelaySection } from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import { carries } from '../../mesh/abilities.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { View } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { SectionSource } from '../../views/section-source.ts';

/** The relay that a node should use. `assigned`: nodes by relay. */
export function relaySection(model: View, assigned: IdIndex): SectionSource<'relay'> {
  return {
    content: (node) => {
      const name = model.get('assignment', node.id)?.body.relay;
      const uses = name !== undefined && isMember(node.body) && carries(model, node.id, 'relay');
      const relay = uses ? model.get('relay', name) : undefined;
      return relay === undefined ? null : { name: relay.id, host: relay.body.host, port: relay.body.port };
    },
    touchedBy: {
      node: ({ id }, touch) => touch.node(id),
      report: ({ id }, touch) => touch.node(id),
      assignment: ({ id }, touch) => touch.node(id),
      relay: ({ id }, touch) => {
        for (const node of assigned.of(id)) touch.node(node);
      },
    },
  };
}

const NO_RELAYS: readonly RelaySection[] = [];

/** The relays that a node measures. */
export function relaysSection(view: View): SectionSource<'relays'> {
  let all: readonly RelaySection[] | undefined;
  const forget = () => {
    all = undefined;
  };
  return {
    shared: true,
    content: ({ id, body }) => {
      if (!isMember(body) || !carries(view, id, 'relays')) return NO_RELAYS;
      all ??= allRelays(view);
      return measuredBy(id, all);
    },
    touchedBy: {
      node: ({ id }, touch) => touch.node(id),
      report: ({ id }, touch) => touch.node(id),
      relay: (_, touch) => {
        forget();
        touch.allNodes();
      },
      settings: (_, touch) => {
        forget(); // whether they may be at any address
        touch.allNodes();
      },
    },
    reset: forget,
  };
}

function allRelays(view: View): readonly RelaySection[] {
  const { allow_special_addresses } = settingsOf(view).relays;
  const allowed = allow_special_addresses ? ({ any_address: true } as const) : {};
  return [...view.all('relay')].map(({ id, body: { host, port } }) => ({ name: id, host, port, ...allowed }));
}

/**
 * All of them, or, where there are more than one answer takes, as many, chosen so that each relay is measured by about
 * equally many nodes and the choice changes little when a relay comes or goes.
 */
function measuredBy(node: string, relays: readonly RelaySection[]): readonly RelaySection[] {
  if (relays.length <= MAX_MEASURED_RELAYS) return relays;
  return relays
    .map((relay) => ({ relay, rank: digestOfText(`${node} ${relay.name}`) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_MEASURED_RELAYS)
    .map(({ relay }) => relay);
}
