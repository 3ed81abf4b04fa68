import { formatNetwork } from '@meshwork/addresses';
import type { SelfSection, Settings } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { isMember, nodeState } from '../../mesh/node-state.ts';
import { offeredServices } from '../../mesh/offered-services.ts';
import { ownNetworks } from '../../mesh/own-networks.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { RoutesOf } from '../../views/routes-of.ts';
import type { SectionSource } from '../../views/section-source.ts';

/**
 * What the node itself should be. One that is pending or in quarantine is sent its own name and addresses, and nothing
 * else.
 */
export function selfSection(view: View, routes: RoutesOf): SectionSource<'self'> {
  const networks = networksIn(view);
  return {
    content: (node) => {
      const { name, address, address6, tags } = node.body;
      return {
        name,
        address: `${address}/32`,
        address6: `${address6}/128`,
        networks: [...networks()],
        tags: [...tags],
        state: stateToSend(view, node),
        routes: [...routes.of(node.id)],
        ...offeredServices(view, node.id),
        ...portMapping(view, node),
      };
    },
    touchedBy: {
      node: ({ id }, touch) => touch.node(id),
      report: ({ id }, touch) => touch.node(id),
      route: ({ before, after }, touch) => {
        for (const route of [before, after]) if (route !== undefined) touch.node(route.body.provider);
      },
      settings: (_, touch) => touch.allNodes(), // the networks that addresses are taken from, and whether ports are mapped
    },
  };
}

/**
 * Whether it is overdue, or has not sent a heartbeat yet, is for others to know: a node that receives this is neither.
 */
function stateToSend(view: View, node: Stored<'node'>): SelfSection['state'] {
  const state = nodeState(view, node);
  if (state !== 'stale' && state !== 'unreachable' && state !== 'joining') return state;
  return node.body.draining_since === null ? 'active' : 'draining';
}

/** One that is no member has no peers that could use it. */
function portMapping(view: View, { body }: Stored<'node'>): Pick<SelfSection, 'port_mapping'> {
  return settingsOf(view).nodes.port_mapping && isMember(body) ? { port_mapping: true } : {};
}

/** The same for every node: written once for each change of the settings. */
function networksIn(view: View): () => readonly string[] {
  let written: { readonly settings: Settings; readonly text: readonly string[] } | undefined;
  return () => {
    const settings = settingsOf(view);
    if (written?.settings !== settings) {
      const { pool, prefix6 } = ownNetworks(view);
      written = { settings, text: [formatNetwork(pool), formatNetwork(prefix6)] };
    }
    return written.text;
  };
}
