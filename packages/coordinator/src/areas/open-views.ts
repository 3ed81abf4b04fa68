/** What nodes are told, wired: the one list of where each section comes from. */
import type { NodeId } from '@meshwork/contract';
import type { IdIndex } from '../mesh/id-index.ts';
import type { Model } from '../mesh/model.ts';
import { NodeViews } from '../views/node-views.ts';
import type { Reach } from '../views/reach.ts';
import { RoutesOf } from '../views/routes-of.ts';
import type { SectionSources } from '../views/section-source.ts';
import { firewallSection } from './firewall/firewall-section.ts';
import { openOperations, servedIngresses } from './indexes-by-node.ts';
import { ingressSection } from './ingress/ingress-section.ts';
import { selfSection } from './nodes/self-section.ts';
import { commandsSection } from './operations/commands-section.ts';
import { relaySection, relaysSection } from './relays/relay-sections.ts';

export interface OpenViews {
  readonly views: NodeViews;
  /** Who forwards to what. */
  readonly routes: RoutesOf;
  /** Operations that are under way, by node. */
  readonly open: IdIndex;
  /** Ingresses by gateway. */
  readonly served: IdIndex;
}

export function openViews(parts: {
  readonly model: Model;
  readonly reach: Reach;
  readonly wake: (node: NodeId) => void;
  /** Absent: as many as a change log usually keeps. */
  readonly log_lines?: number;
}): OpenViews {
  const { model } = parts;
  // Before the views watch the model: an index follows a change before the views ask what it concerns.
  const routes = new RoutesOf(model);
  const open = openOperations(model);
  const served = servedIngresses(model);
  const sections: SectionSources = {
    self: selfSection(model, routes),
    firewall: firewallSection(model),
    relay: relaySection(model),
    relays: relaysSection(model),
    ingress: ingressSection(model, served),
    commands: commandsSection(model, open),
  };
  return { views: new NodeViews({ ...parts, routes, sections }), routes, open, served };
}
