/** What of a heartbeat has lasting meaning, and becomes durable before the heartbeat is answered. */
import { isDeepStrictEqual } from 'node:util';
import { type HeartbeatRequest, invalid, type Report, utc } from '@meshwork/contract';
import type { ReportDocument } from '../../kinds/nodes.ts';
import {
  checkEndpoints,
  checkKey,
  checkRelayed,
  checkServices,
  sortEndpoints,
  sortRelayed,
} from '../../mesh/check-report.ts';
import { sortOffers } from '../../mesh/check-routes.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { claim, unclaim } from '../../mesh/node-claims.ts';
import { aboutNode, nodeState } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** Boots of an agent that are remembered, so that a heartbeat of an older one is known as such. */
const BOOTS_KEPT = 4;

const NOTHING: ReportDocument = { endpoints: [], services: [], routes_offered: [], agent_version: null, boots: [] };

/** The schema has seen its form; this is the rest. */
export function checkReport({ report, sent_at, observed }: HeartbeatRequest): void {
  checkMoment('/sent_at', sent_at);
  for (const [index, { at }] of observed?.repairs?.entries() ?? []) checkMoment(`/observed/repairs/${index}/at`, at);
  for (const [index, { upstreams = [] }] of observed?.ingress?.entries() ?? []) {
    for (const [place, { since }] of upstreams.entries()) {
      checkMoment(`/observed/ingress/${index}/upstreams/${place}/since`, since);
    }
  }
  if (report === undefined) return;
  if (report.wireguard_key !== undefined) checkKey('/report/wireguard_key', report.wireguard_key);
  if (report.endpoints !== undefined) checkEndpoints('/report/endpoints', report.endpoints);
  if (report.relayed !== undefined) checkRelayed('/report/relayed', report.relayed);
  if (report.services !== undefined) checkServices('/report/services', report.services);
}

function checkMoment(pointer: string, text: string | undefined): void {
  if (text !== undefined && Number.isNaN(Date.parse(text))) throw invalid(pointer, 'is no moment that exists');
}

/** Endpoints of a report that no peer can have, so that they go no further. */
export function leftOut(view: View, { endpoints = [], relayed = [] }: Report): readonly string[] {
  return [...sortEndpoints(endpoints).left_out, ...sortRelayed(relayed, anyAddress(view)).left_out];
}

function anyAddress(view: View): boolean {
  return settingsOf(view).relays.allow_special_addresses;
}

/** What the node's report becomes by this heartbeat; undefined when it stays as it is. */
export function newReport(view: View, node: Stored<'node'>, body: HeartbeatRequest): ReportDocument | undefined {
  const old = view.get('report', node.id)?.body ?? NOTHING;
  if (body.report === undefined && old.boots[0] === body.boot_id) return undefined;
  const next = merged(view, old, body);
  return isDeepStrictEqual(next, old) ? undefined : next;
}

function merged(view: View, old: ReportDocument, body: HeartbeatRequest): ReportDocument {
  const { report: said = {}, boot_id, complete } = body;
  const boots = old.boots[0] === boot_id ? old.boots : [boot_id, ...old.boots].slice(0, BOOTS_KEPT);
  const routes = said.routes === undefined ? undefined : sortOffers(view, said.routes);
  const refused = routes === undefined ? (old.routes_refused ?? []) : routes.refused;
  const places = said.relayed === undefined ? undefined : sortRelayed(said.relayed, anyAddress(view)).usable;
  // An agent that says everything and not this is one of an older version, whatever the one before it said.
  const before: Partial<ReportDocument> = complete === true ? {} : old;
  const { accept_routes = before.accept_routes, abilities = before.abilities } = said;
  const { nat = before.nat, names = before.names, gateway_front = before.gateway_front } = said;
  const relayed = places ?? before.relayed;
  return {
    endpoints: said.endpoints === undefined ? old.endpoints : sortEndpoints(said.endpoints).usable,
    ...(relayed === undefined ? {} : { relayed }),
    ...(nat === undefined ? {} : { nat }),
    ...(names === undefined ? {} : { names }),
    services: said.services ?? old.services,
    routes_offered: routes?.offered ?? old.routes_offered,
    ...(refused.length === 0 ? {} : { routes_refused: refused }),
    ...(accept_routes === undefined ? {} : { accept_routes }),
    agent_version: said.agent_version ?? old.agent_version,
    ...(abilities === undefined ? {} : { abilities }),
    ...(gateway_front === undefined ? {} : { gateway_front }),
    boots,
  };
}

/** The key that it changes to, for which the node document itself is written. Undefined: it stays. */
export function newKey(node: Stored<'node'>, { report }: HeartbeatRequest): string | undefined {
  return report?.wireguard_key === node.body.wireguard_key ? undefined : report?.wireguard_key;
}

export function writeReport(tx: Transaction, node: Stored<'node'>, report: ReportDocument): void {
  const old = tx.get('report', node.id)?.body ?? NOTHING;
  tx.put('report', node.id, report);
  const fields = [
    'endpoints',
    'relayed',
    'nat',
    'names',
    'services',
    'routes_offered',
    'routes_refused',
    'accept_routes',
    'agent_version',
    'abilities',
  ] as const;
  const changed = fields.filter((field) => !isDeepStrictEqual(report[field], old[field]));
  if (changed.length === 0) return;
  tx.emit({ ...aboutNode(node), type: 'node.reported', data: { name: node.body.name, changed: [...changed] } });
}

/**
 * A new key ends the session that brought it: the node proves itself anew, which an attacker who stole the session
 * cannot.
 */
export function writeKey(tx: Transaction, node: Stored<'node'>, wireguard_key: string): Stored<'node'> {
  claim(tx, node.id, { wireguard_key });
  unclaim(tx, { wireguard_key: node.body.wireguard_key });
  const { name, session_epoch } = node.body;
  tx.emit({ ...aboutNode(node), type: 'node.rekeyed', data: { name, wireguard_key } });
  return tx.put('node', node.id, { ...node.body, wireguard_key, session_epoch: session_epoch + 1 });
}

export function writeRecovery(tx: Transaction, node: Stored<'node'>): void {
  if (tx.get('liveness', node.id) === undefined) return;
  tx.delete('liveness', node.id);
  const data = { name: node.body.name, state: nodeState(tx, node), heartbeat: utc(tx.now_ms) };
  tx.emit({ ...aboutNode(node), type: 'node.recovered', data });
}
