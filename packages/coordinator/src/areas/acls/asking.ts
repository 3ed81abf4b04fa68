import type { Scope } from '@meshwork/contract';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Mesh } from '../../mesh/mesh.ts';

/** Who asks for an explanation, and when. */
export interface Asking {
  readonly mesh: Mesh;
  readonly fleet: Fleet;
  readonly scope: Scope;
  readonly now_ms: number;
}
