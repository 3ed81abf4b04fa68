import type { Mesh } from '../../mesh/mesh.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { WAF_LOG } from './event-log.ts';

const DAY_MS = 86_400_000;

/** Removes events past the retention that the settings give. */
export async function pruneEvents(mesh: Mesh): Promise<void> {
  const { events_days, events_most } = settingsOf(mesh.model).waf;
  await mesh.journal.prune(WAF_LOG, { before_ms: mesh.clock.now() - events_days * DAY_MS, most: events_most });
}
