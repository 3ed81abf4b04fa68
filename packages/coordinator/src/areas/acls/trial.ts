/** What is asked of the thread that tries policies out, and what it answers. Both cross a thread, so they are plain data. */
import type { FailedTest, FieldError, PolicyWarning } from '@meshwork/contract';
import type { Flow, PolicyNode } from '@meshwork/policy';

/** A member of the mesh with the addresses that a test may name. */
export interface TrialNode extends PolicyNode {
  readonly address: string;
  readonly address6: string;
}

export interface TrialRequest {
  readonly text: string;
  readonly now_ms: number;
  /** Undefined: those of the last request. */
  readonly nodes: readonly TrialNode[] | undefined;
  /** The policy in effect. */
  readonly before: { readonly text: string; readonly lapsed: readonly number[] };
  /** Whether to say what would open and close. */
  readonly compared: boolean;
}

export type Trial =
  | { readonly ok: false; readonly problems: readonly FieldError[]; readonly more: number }
  | {
      readonly ok: true;
      readonly failed_tests: readonly FailedTest[];
      /** Tags that get a meaning, and are set already where they could not be set then. */
      readonly warnings: readonly PolicyWarning[];
      /** Undefined: it was not requested. */
      readonly difference: Difference | undefined;
    };

export interface Difference {
  readonly opens: readonly Flow[];
  readonly closes: readonly Flow[];
  readonly touched: readonly { readonly id: string; readonly name: string }[];
}
