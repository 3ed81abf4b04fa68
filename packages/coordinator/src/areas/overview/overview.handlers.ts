/**
 * The mesh at a glance, for a dashboard. `show-overview.ts` counts; `attention.ts` is the table of what needs a person, and
 * each rule of it stands beside others about the same kind of thing.
 */

import type { Mesh } from '../../mesh/mesh.ts';
import type { Fleet } from '../fleet.ts';
import type { AreaHandlers } from '../handler.ts';
import { showOverview } from './show-overview.ts';

export function overviewHandlers(mesh: Mesh, fleet: Fleet): AreaHandlers<'overview'> {
  return { 'overview.show': (call) => ({ body: showOverview({ mesh, fleet, call }) }) };
}
