import type { Scope } from '@meshwork/contract';
import type { Runtime } from '../runtime.ts';

/** Who requests an explanation, and when. */
export interface Asking {
  readonly runtime: Runtime;
  readonly scope: Scope;
  readonly now_ms: number;
}
