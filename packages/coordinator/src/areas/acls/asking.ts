import type { Scope } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Fleet } from '../fleet.ts';

/** Who asks for an explanation, and when. */
export interface Asking {
  readonly mesh: Mesh;
  readonly fleet: Fleet;
  readonly scope: Scope;
  readonly now_ms: number;
}
