/** Refusals in the panel's trail: who was refused what, and how often. */
import type { AuditTarget, ErrorCode } from '@meshwork/contract';
import { addressPrefixOf, FoldedRefusals } from '@meshwork/service';
import type { Ledger } from './ledger.ts';
import type { Cause } from './transaction.ts';

const WINDOW_MS = 10_000;
const LIMITS = { per_source: 32, per_caller: 32, anonymous: 500 };

interface Refusal {
  readonly cause: Cause;
  readonly code: ErrorCode | 'outside_scope';
  readonly target: AuditTarget | null;
}

export type Refusals = FoldedRefusals<Refusal>;

/**
 * A kind is a caller, an operation, a code and a target. All requests of an anonymous source are one kind, so that a scan of
 * all paths is one entry.
 */
export function openRefusals(ledger: Ledger, failed: (error: unknown) => void): Refusals {
  return new FoldedRefusals<Refusal>({
    clock: ledger.clock,
    window_ms: WINDOW_MS,
    limits: LIMITS,
    kindOf: ({ cause, code, target }) => ({
      source: cause.actor.id ?? addressPrefixOf(cause.address ?? ''),
      what: [code === 'sign_in_required' ? code : cause.action, code, target?.id].join('\n'),
      is_anonymous: cause.actor.id === null,
    }),
    fold: ({ cause, code }, of) => ({
      refusal: {
        cause: { ...cause, request_id: null, address: of === 'one source' ? cause.address : null },
        code,
        target: null,
      },
      what: code,
    }),
    write: ({ cause, code, target }, { count, is_first }) => {
      const repeats = is_first ? count - 1 : count;
      const detail = repeats === 0 ? {} : { detail: `${repeats} more within ${WINDOW_MS / 1000} s` };
      return ledger.transact(cause, (tx) => tx.record({ code, ...(target === null ? {} : { target }), ...detail }));
    },
    failed,
    folded: () => undefined,
  });
}
