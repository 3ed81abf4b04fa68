import { arch, hostname, release, uptime } from 'node:os';
import type { LinkReport } from '@meshwork/contract';
import { APPLIED_SECTIONS } from '@meshwork/contract/vocabulary';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import type { Kept } from '../view/held-records.ts';
import type { View } from '../view/held-view.ts';
import { messageOf } from '../message-of.ts';
import { ENGINE_NAMES, type Engines } from './engines.ts';
import { networkPlan } from './node-plan.ts';

export interface DiagnosisSources {
  readonly engines: Engines;
  readonly view: View<Kept> | undefined;
  readonly links: ReadonlyMap<string, LinkReport>;
  readonly keptOut: () => readonly string[];
  readonly accept: AcceptRoutes;
}

/** Ours: links that are told of at most, so that the whole stays far below what a heartbeat may carry. */
const MAX_LINKS = 100;

/** What somebody wants to know who cannot log in to the node, as JSON. No key but public ones is in it. */
export async function diagnosis({ engines, view, links, keptOut, accept }: DiagnosisSources): Promise<string> {
  const drift: Record<string, string | null> = {};
  for (const name of ENGINE_NAMES) drift[name] = await orReason(() => engines[name].drift());
  const troubled = [...links.values()].filter(({ path }) => path === 'none');
  return JSON.stringify({
    host: { name: hostname(), kernel: release(), arch: arch(), uptime_s: Math.floor(uptime()), node: process.version },
    self: view?.sections.self ?? null,
    sections: view === undefined ? {} : sectionsOf(view),
    /** Null: as it should be. */
    drift,
    accept_routes: accept,
    network: view === undefined ? null : (networkPlan(view, { kept_out: keptOut(), accept }) ?? null),
    host_rules: view?.sections.firewall?.length ?? 0,
    denied: await orReason(() => engines.firewall.denied()),
    links: {
      all: links.size,
      without_handshake: troubled.length,
      shown: [...troubled, ...links.values()].slice(0, MAX_LINKS),
    },
  });
}

function sectionsOf(view: View<Kept>) {
  return Object.fromEntries(
    APPLIED_SECTIONS.map((name) => [name, { revision: view.revisionOf(name), digest: view.digestOf(name) }]),
  );
}

/** What cannot be found out is a finding too. */
async function orReason<T>(ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask();
  } catch (error) {
    return `not known: ${messageOf(error)}`;
  }
}
