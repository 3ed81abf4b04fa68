import { arch, hostname, release, uptime } from 'node:os';
import { APPLIED_SECTIONS } from '@meshwork/contract/vocabulary';
import type { OpenEngine, PlanInput } from '../engines/engine.ts';
import { messageOf } from '../message-of.ts';
import type { HeldView } from '../view/held-view.ts';

/** What a person wants to know who cannot log in to the node, as JSON. No key but public ones is in it. */
export async function diagnosis(engines: readonly OpenEngine[], input: PlanInput | undefined): Promise<string> {
  const drift: Record<string, string | null> = {};
  const found: Record<string, unknown> = {};
  for (const engine of engines) {
    drift[engine.traits.name] = await orReason(() => engine.drift());
    const more = await orReason(async () => (await engine.diagnose?.(input)) ?? {});
    Object.assign(found, typeof more === 'string' ? { [engine.traits.name]: more } : more);
  }
  const view = input?.view;
  return JSON.stringify({
    host: { name: hostname(), kernel: release(), arch: arch(), uptime_s: Math.floor(uptime()), node: process.version },
    self: view?.sections.self ?? null,
    sections: view === undefined ? {} : sectionsOf(view),
    /** Null: as it should be. */
    drift,
    ...found,
  });
}

function sectionsOf(view: HeldView) {
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
