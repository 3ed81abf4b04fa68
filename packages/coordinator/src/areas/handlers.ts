import type { Mesh } from '../mesh/mesh.ts';
import { auditHandlers } from './audit/audit.handlers.ts';
import type { Handlers } from './handler.ts';
import { type MetaSources, metaHandlers } from './meta/meta.handlers.ts';
import { roleHandlers } from './roles/roles.handlers.ts';
import { selfHandlers } from './self/self.handlers.ts';
import { settingsHandlers } from './settings/settings.handlers.ts';
import { tokenHandlers } from './tokens/tokens.handlers.ts';

/** The one list of areas. The compiler holds it to the table of operations: none missing, none too many. */
export function allHandlers(mesh: Mesh, sources: MetaSources): Handlers {
  return {
    ...tokenHandlers(mesh),
    ...roleHandlers(mesh),
    ...selfHandlers(),
    ...auditHandlers(mesh),
    ...settingsHandlers(mesh),
    ...metaHandlers(sources),
  };
}
