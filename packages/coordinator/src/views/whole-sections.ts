import {
  type IngressId,
  type NodeId,
  type OperationRunId,
  type SectionContent,
  type Settings,
  WHOLE_SECTIONS,
  type WholeSection,
} from '@meshwork/contract';
import { digestOfSection } from '@meshwork/contract/section-digest';
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

const NO_RELAYS: SectionContent<'relays'> = [];

/** Most nodes have the same host rules, and measure the same relays, which are one object then. */
const digestsOfShared = new WeakMap<object, number>();

/** The sections that a node is sent whole, as text and as digest. */
export class WholeSections {
  readonly #view: View;
  readonly #routes: RoutesOf;
  readonly #ingresses: KeptSets<NodeId, IngressId>;
  readonly #operations: KeptSets<NodeId, OperationRunId>;
  readonly #measured: MeasuredRelays;
  readonly #contents: Contents = {
    self: (node) => selfSection({ view: this.#view, routes: this.#routes, networks: this.#ownNetworks() }, node),
    firewall: (node) => firewallSection(this.#view, node),
    relay: (node) => relaySection(this.#view, node),
    ingress: (_, id) => ingressSection(this.#view, id, this.#ingresses.of(id)),
    relays: (node, id) => {
      const measures = carries(this.#view, id, 'relays') && isMember(node.body);
      return measures ? this.#measured.for(id) : NO_RELAYS;
    },
    commands: (_, id) => commandsSection(this.#view, this.#operations.of(id)),
  };
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
    const digests = WHOLE_SECTIONS.map((section) => [section, this.digest(node, section)]);
    return Object.fromEntries(digests) as Record<WholeSection, number>;
  }

  digest<S extends WholeSection>(node: Stored<'node'>, section: S): number {
    const content = this.#content(node, section);
    if (content === null || !isShared(section)) return digestOfSection(section, content);
    const digest = digestsOfShared.get(content) ?? digestOfSection(section, content);
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

  #content<S extends WholeSection>(node: Stored<'node'>, section: S): SectionContent<S> {
    return this.#contents[section](node, node.id as NodeId);
  }
}

type Contents = { readonly [S in WholeSection]: (node: Stored<'node'>, id: NodeId) => SectionContent<S> };

function isShared(section: WholeSection): boolean {
  return section === 'firewall' || section === 'relays';
}
