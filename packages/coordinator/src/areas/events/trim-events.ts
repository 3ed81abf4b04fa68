import { EVENTS_LOG } from '../../mesh/event-entry.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { settingsOf } from '../../mesh/settings-of.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Removes events past their retention. The trail does not record it: an event is news, not evidence. */
export async function trimEvents(mesh: Mesh): Promise<void> {
  const { retention_days } = settingsOf(mesh.model).events;
  await mesh.journal.trim(EVENTS_LOG, mesh.clock.now() - retention_days * DAY_MS);
}
