import { type Attention, type SelfCheck, utc } from '@meshwork/contract';
import { POLICY_ID, policyInEffect } from '../../mesh/policy-in-effect.ts';
import type { Facts, Figures, Summarizes } from '../summary.ts';

export function policySummary(checks: { readonly all: SelfCheck }): Summarizes {
  return {
    permitted_by: 'acls.show',
    summarize: (facts) => {
      const { total, disagreed, unknown, disagreements } = checks.all;
      return {
        figures: { policy: describePolicy(facts), explain: { checked: total, disagreed, unknown } },
        attention: [...expiringGrants(facts), ...lately(disagreements, facts.now_ms)],
      };
    },
  };
}

/** Ours: how long a disagreement needs attention. */
const LATELY_MS = 24 * 3600 * 1000;

/** The last one stands for all of them. */
function* lately([last]: SelfCheck['disagreements'], now_ms: number): Generator<Attention> {
  if (last === undefined || now_ms - Date.parse(last.at) > LATELY_MS) return;
  const { at, from, to, port, report } = last;
  yield {
    kind: 'explain_disagreed',
    severity: 'critical',
    subject: { kind: 'policy', id: POLICY_ID, name: `${from} -> ${to} ${port}` },
    title: 'An explanation was not what happened',
    detail: `${from} to ${to} on ${port} was explained as ${report.explanation.verdict}. ${report.reason}`,
    since: at,
    fix: `Try it again: ${last.command}`,
  };
}

function describePolicy({ model }: Facts): Figures['policy'] {
  const { stored, document } = policyInEffect(model);
  const { groups, grants, tests, stale } = document;
  const counts = { groups: Object.keys(groups).length, grants: grants.length, tests: tests.length };
  return { version: stored?.version ?? 0, ...counts, stale };
}

const AHEAD_MS = 7 * 24 * 3600 * 1000;

function* expiringGrants({ model, now_ms }: Facts): Generator<Attention> {
  const { document, lapsed } = policyInEffect(model);
  for (const [place, { from, to, expires }] of document.grants.entries()) {
    if (expires === undefined || lapsed.has(place)) continue;
    const left_ms = Date.parse(expires) - now_ms;
    if (left_ms <= 0 || left_ms > AHEAD_MS) continue;
    yield {
      kind: 'grant_expiring',
      severity: 'warning',
      subject: { kind: 'policy', id: POLICY_ID, name: `${from} -> ${to}` },
      title: `Grant ${from} -> ${to} expires soon`,
      detail: `What it allows is denied from ${expires} on, unless another grant allows it.`,
      since: utc(Date.parse(expires)),
      fix: 'If it is still needed, set a later expiry in the policy.',
    };
  }
}
