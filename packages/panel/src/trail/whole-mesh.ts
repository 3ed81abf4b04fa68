import { isWholeMesh, MeshError, type PanelOperationId } from '@meshwork/contract';
import type { Call } from '../http/handler.ts';

/** The trail tells of everybody who signs in, so it is for those whose scope has no boundary. */
export function ensureWholeMesh({ person }: Pick<Call<PanelOperationId>, 'person'>): void {
  if (person !== null && isWholeMesh(person.scope)) return;
  throw new MeshError('mesh_scope_required', 'The trail of the panel is for people whose scope is the whole mesh.');
}
