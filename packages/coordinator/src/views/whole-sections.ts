import type { IngressId, NodeId, OperationRunId, Settings } from '@meshwork/contract';
import { digestOf, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import { formatNetwork } from '@meshwork/policy';
import { carries } from '../mesh/abilities.ts';
import type { Stored, View } from '../mesh/model.ts';
import { isMember } from '../mesh/node-state.ts';
import { ownNetworks } from '../mesh/own-networks.ts';
import { settingsOf } from '../mesh/settings-of.ts';
import type { KeptSets } from './kept-sets.ts';
import { MeasuredRelays } from './measured-relays.ts';
import { commandsSection, firewallSection, ingressSection, relaySection, selfSection } from './own-sections.ts';
import type { RoutesOf } from './routes-of.ts';
import type { WholeSection } from './sections.ts';

const NO_RELAYS: readonly object[] = [];

type Content = object | readonly object[] | null;

/** Most nodes have the same host rules, and measure the same relays, which are one object then. */
const digestsOfShared = new WeakMap<object, number>();

/** The sections that a node is sent whole, as text and as digest. */
export class WholeSections {
  readonly #view: View;
  readonly #routes: RoutesOf;
  readonly #ingresses: KeptSets<NodeId, IngressId>;
  readonly #operations: KeptSets<NodeId, OperationRunId>;
  readonly #measured: MeasuredRelays;
  #networks: { readonly settings: Settings; readonly text: readonly string[] } | undefined;

  constructor(parts: {
    readonly view: View;
    readonly routes: RoutesOf;
    readonly ingresses: KeptSets<NodeId, IngressId>;
    readonly operations: KeptSets<NodeId, OperationRunId>;
  }) {
    this.#view = parts.view;
    this.#routes = parts.routes;
    this.#ingresses = parts.ingresses;
    this.#operations = parts.operations;
    this.#measured = new MeasuredRelays(parts.view);
  }

  /** Relays are others than they were. */
  relaysChanged(): void {
    this.#measured.clear();
  }

  /** With its name, as a member of the answer. */
  json(node: Stored<'node'>, section: WholeSection): string {
    return `"${section}":${JSON.stringify(this.#content(node, section))}`;
  }

  digests(node: Stored<'node'>): Record<WholeSection, number> {
    return {
      self: this.digest(node, 'self'),
      firewall: this.digest(node, 'firewall'),
      relay: this.digest(node, 'relay'),
      ingress: this.digest(node, 'ingress'),
      relays: this.digest(node, 'relays'),
      commands: this.digest(node, 'commands'),
    };
  }

  /** Ingresses are the sum of their records, whatever their order; of host rules the order matters. */
  digest(node: Stored<'node'>, section: WholeSection): number {
    const content = this.#content(node, section);
    if (section === 'ingress') {
      return (content as readonly object[]).reduce<number>((sum, item) => withItem(sum, digestOf(item)), EMPTY_DIGEST);
    }
    if ((section !== 'firewall' && section !== 'relays') || content === null) return digestOf(content);
    const digest = digestsOfShared.get(content) ?? digestOf(content);
    digestsOfShared.set(content, digest);
    return digest;
  }

  /** Everybody is told the same: written once for each change of the settings. */
  #ownNetworks(): readonly string[] {
    const settings = settingsOf(this.#view);
    if (this.#networks?.settings !== settings) {
      const { pool, prefix6 } = ownNetworks(this.#view);
      this.#networks = { settings, text: [formatNetwork(pool), formatNetwork(prefix6)] };
    }
    return this.#networks.text;
  }

  #content(node: Stored<'node'>, section: WholeSection): Content {
    const id = node.id as NodeId;
    switch (section) {
      case 'self':
        return selfSection({ view: this.#view, routes: this.#routes, networks: this.#ownNetworks() }, node);
      case 'firewall':
        return firewallSection(this.#view, node);
      case 'relay':
        return relaySection(this.#view, node);
      case 'ingress':
        return ingressSection(this.#view, id, this.#ingresses.of(id));
      case 'relays':
        return carries(this.#view, id, 'relays') && isMember(node.body) ? this.#measured.for(id) : NO_RELAYS;
      case 'commands':
        return commandsSection(this.#view, this.#operations.of(id));
    }
  }
}
