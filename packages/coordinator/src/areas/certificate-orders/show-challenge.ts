/**
 * Has the gateways of a host name show the answer to a challenge. The authority may come to any of them, so all that are there have to
 * prove it first, by fetching it from themselves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type IngressId, MAX_SHOWN_S, type NodeId, type Probe } from '@meshwork/contract';
import { AcmeFailure, plain } from '../../acme-client/acme-failure.ts';
import { answersProbes } from '../../mesh/abilities.ts';
import { isFresh } from '../../mesh/node-state.ts';
import type { Runtime } from '../runtime.ts';

/** Ours: a gateway that was just given the ingress, or loads its configuration, gets another chance. */
const TRIES = 5;
const APART_MS = 1000;
/** The agent waits for nginx. */
const ANSWERED_WITHIN_MS = 8000;

export type ShowParts = Pick<Runtime, 'mesh' | 'probes' | 'showing'>;
type Asked = Omit<NonNullable<Probe['show_challenge']>, 'ingress' | 'for_s'>;

interface Gateway {
  readonly node: NodeId;
  readonly ingress: IngressId;
  readonly name: string;
}

/** Resolves once every gateway of the order's ingresses that is there shows it. */
export async function showOnGateways(
  parts: ShowParts,
  order: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<void> {
  const fresh = await freshGateways(parts, order, asked.hostname, signal);
  const faults = await Promise.all(fresh.map((gateway) => faultOf(parts, gateway, asked, signal)));
  const named = faults.flatMap((fault, index) => (fault === null ? [] : [`${fresh[index]?.name}: ${fault}`]));
  if (named.length > 0) throw new AcmeFailure(plain(named.join('; '), 1000));
}

/** Those that are there. An ingress that is new gets its gateways in a moment. */
async function freshGateways(
  parts: ShowParts,
  order: string,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly Gateway[]> {
  let gateways: readonly Gateway[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await pause(APART_MS, undefined, { signal });
    gateways = gatewaysOf(parts, order);
    const fresh = gateways.filter(({ node }) => isFresh(parts.mesh.model, node));
    if (fresh.length > 0) return fresh;
  }
  const names = [...new Set(gateways.map(({ name }) => name))].join(', ');
  const why =
    names === '' ? `no gateway is placed for ${hostname}` : `no gateway of ${hostname} sends heartbeats: ${names}`;
  throw new AcmeFailure(why);
}

function gatewaysOf({ mesh: { model }, showing }: ShowParts, order: string): readonly Gateway[] {
  return [...showing.of(order)].flatMap((ingress) => {
    const placed = model.get('placement', ingress)?.body.gateways ?? [];
    return placed.flatMap(({ node }) => {
      const name = model.get('node', node)?.body.name;
      return name === undefined ? [] : [{ node, ingress: ingress as IngressId, name }];
    });
  });
}

/** Null: the gateway shows it. */
async function faultOf(
  { mesh, probes }: ShowParts,
  { node, ingress }: Gateway,
  asked: Asked,
  signal: AbortSignal,
): Promise<string | null> {
  let fault = '';
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await pause(APART_MS, undefined, { signal });
    signal.throwIfAborted();
    if (!answersProbes(mesh.model, node, 'show_challenge')) {
      return 'its agent is too old to answer for a host name, or runs no gateway';
    }
    const probe = { show_challenge: { ...asked, ingress, for_s: MAX_SHOWN_S } };
    const said = await probes.ask(node, probe, ANSWERED_WITHIN_MS);
    if (said?.show_challenge !== undefined) return null;
    fault = said?.error ?? 'it did not answer in time';
  }
  return plain(fault);
}
