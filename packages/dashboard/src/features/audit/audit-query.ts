/** What the address bar asks of the trail, as the coordinator takes it. */
import { momentOf } from './time-range.ts';

export interface AuditQuery {
  readonly actor?: string | undefined;
  readonly token?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Filters = Readonly<Partial<Record<keyof AuditQuery, string>>>;

export function auditQuery({ actor, token, action, target, outcome, from, to }: Filters): AuditQuery {
  return {
    actor,
    token,
    action,
    target,
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
    from: momentOf(from),
    to: momentOf(to),
  };
}
