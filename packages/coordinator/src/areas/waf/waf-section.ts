import type { WafAssignment } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { policiesOf } from '../../mesh/waf-policies.ts';
import type { SectionSource, SectionTouch } from '../../views/section-source.ts';

interface Sources {
  readonly view: View;
  /** Ingresses by the gateways that they are placed on. */
  readonly served: IdIndex;
  /** Ingresses by the WAF policies that they name. */
  readonly guarded: IdIndex;
}

/** The policies that ingresses of a node use. A change wakes only the gateways of ingresses that use it. */
export function wafSection({ view, served, guarded }: Sources): SectionSource<'waf'> {
  const touchGateways = (ingress: string, touch: SectionTouch) => {
    for (const { node } of view.get('placement', ingress)?.body.gateways ?? []) touch.node(node);
  };
  return {
    content: ({ id }) => {
      if (!carries(view, id, 'waf')) return [];
      const ingresses = [...served.of(id)].flatMap((ingress) => view.get('ingress', ingress) ?? []);
      const policies = [...new Set(ingresses.flatMap(({ body }) => policiesOf(body)))].sort();
      return policies.flatMap((policy) => view.get('waf', policy) ?? []).map(assignmentOf);
    },
    touchedBy: {
      waf: ({ id }, touch) => {
        for (const ingress of guarded.of(id)) touchGateways(ingress, touch);
      },
      ingress: ({ id }, touch) => touchGateways(id, touch),
      placement: ({ before, after }, touch) => {
        for (const placement of [before, after])
          for (const { node } of placement?.body.gateways ?? []) touch.node(node);
      },
      report: ({ id }, touch) => touch.node(id),
    },
  };
}

/** What gateways know of a policy: what it makes of a request, and nothing of who wrote it. */
export function assignmentOf({ id, body }: Stored<'waf'>): WafAssignment {
  const { mode, early_blocking, sampling_percent, inspect_responses } = body;
  const { paranoia, thresholds, requests, clients, rules } = body;
  return {
    id,
    rules: {
      mode,
      early_blocking,
      sampling_percent,
      inspect_responses,
      paranoia,
      thresholds,
      requests,
      clients,
      rules,
    },
    exclusions: body.exclusions
      .filter(({ draft }) => !draft)
      .map(({ rule, tag, host, path, below, parameter }) => ({ rule, tag, host, path, below, parameter })),
  };
}
