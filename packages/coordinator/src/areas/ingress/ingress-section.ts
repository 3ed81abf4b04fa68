import { isDeepStrictEqual } from 'node:util';
import type { IngressAssignment, NodeId } from '@meshwork/contract';
import { chainOf, spiffePrefixOf } from '../../issuing/authorities.ts';
import type { ReportDocument } from '../../kinds/nodes.ts';
import { PANEL_ID } from '../../kinds/sign-in.ts';
import { carries, hasFeature, lackingFeature } from '../../mesh/abilities.ts';
import { deadlineOn } from '../../mesh/drain-deadline.ts';
import { entryEnds } from '../../mesh/entry-ends.ts';
import { shownFor } from '../../mesh/gateway-certificates.ts';
import { authorityOf, givenBy } from '../../mesh/given-certificates.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { View } from '../../mesh/model.ts';
import type { Passes } from '../../mesh/passes.ts';
import { canInspect } from '../../mesh/waf-policies.ts';
import { wholeIngress } from '../../mesh/whole-ingress.ts';
import type { SectionSource, SectionTouch } from '../../views/section-source.ts';
import { routesFor, type TargetSources } from './ingress-targets.ts';

interface Sources extends TargetSources {
  readonly view: View;
  readonly passes: Pick<Passes, 'publicKeys'>;
  /** Ingresses by the gateways that they are placed on. */
  readonly served: IdIndex;
  /** Ingresses by the services that they lead to. */
  readonly leading: IdIndex;
  /** Ingresses by the WAF policies that they name. */
  readonly guarded: IdIndex;
}

/** What a node serves as a gateway. A change wakes only the gateways of ingresses that lead to what changed. */
export function ingressSection(sources: Sources): SectionSource<'ingress'> {
  const { view, served, leading, guarded } = sources;
  const touchGateways = (ingress: string, touch: SectionTouch) => {
    for (const { node } of view.get('placement', ingress)?.body.gateways ?? []) touch.node(node);
  };
  const touchServices = (report: ReportDocument | undefined, touch: SectionTouch) => {
    for (const { name } of report?.services ?? []) {
      for (const ingress of leading.of(name)) touchGateways(ingress, touch);
    }
  };
  /** Gateways of ingresses that ask people to sign in. */
  const touchAsking = (touch: SectionTouch) => {
    for (const { id, body } of view.all('ingress')) if ((body.sign_in ?? null) !== null) touchGateways(id, touch);
  };
  /** A node as a gateway, and as one that gateways send requests to. */
  const touchNode = (id: string, touch: SectionTouch) => {
    touch.node(id);
    touchServices(view.get('report', id)?.body, touch);
  };
  return {
    content: ({ id }) =>
      carries(view, id, 'ingress')
        ? [...served.of(id)].sort().flatMap((ingress) => assigned(sources, id, ingress))
        : [],
    touchedBy: {
      node: ({ id }, touch) => touchNode(id, touch),
      liveness: ({ id }, touch) => touchNode(id, touch),
      report: ({ id, before, after }, touch) => {
        touch.node(id);
        if (isDeepStrictEqual(offered(before?.body), offered(after?.body))) return;
        touchServices(before?.body, touch);
        touchServices(after?.body, touch);
      },
      policy: (_, touch) => {
        for (const gateway of served.keys()) touch.node(gateway);
      },
      placement: ({ before, after }, touch) => {
        for (const placement of [before, after])
          for (const { node } of placement?.body.gateways ?? []) touch.node(node);
      },
      ingress: ({ id }, touch) => touchGateways(id, touch),
      waf: ({ id, before, after }, touch) => {
        if ((before === undefined) === (after === undefined)) return;
        for (const ingress of guarded.of(id)) touchGateways(ingress, touch);
      },
      authority: ({ before, after }, touch) => {
        if (before !== undefined && after !== undefined && before.body.state === after.body.state) return;
        for (const gateway of served.keys()) touch.node(gateway);
      },
      gateway_certificate: ({ id }, touch) => touch.node(id),
      outside_authority: ({ id, before, after }, touch) => {
        if (before?.body.challenge === after?.body.challenge) return;
        for (const { id: ingress, body } of view.all('ingress'))
          if (authorityOf(body) === id) touchGateways(ingress, touch);
      },
      panel: (_, touch) => touchAsking(touch),
      entry_end: (_, touch) => touchAsking(touch),
      installation: (_, touch) => touchAsking(touch), // the keys of passes follow from it
    },
  };
}

/** What of a report decides whether its node gets requests: the policy may ask for a version. */
function offered(report: ReportDocument | undefined) {
  return [report?.services ?? [], (report?.boots.length ?? 0) > 0, report?.agent_version ?? null];
}

/** What is the same for all that ask people to sign in. */
function signInOf({ view, passes }: Sources) {
  return { panel: view.get('panel', PANEL_ID)?.body.url ?? null, keys: passes.publicKeys(), ...entryEnds(view) };
}

function assigned(sources: Sources, node: string, id: string): IngressAssignment[] {
  const { view } = sources;
  const ingress = view.get('ingress', id)?.body;
  const gateway = node as NodeId;
  const place = view.get('placement', id)?.body.gateways.find((one) => one.node === gateway);
  if (ingress === undefined || place === undefined) return [];
  // Not served is better than served without what was asked for.
  if (!canInspect(view, node, ingress) || lackingFeature(view, node, ingress) !== undefined) return [];
  const whole = wholeIngress(ingress);
  const { hostname, kind, port, redirects, maintenance, proxies, mesh_identity, counted, sign_in, tls } = whole;
  const given = givenBy(ingress);
  const authority = authorityOf(ingress);
  const challenge = authority && view.get('outside_authority', authority)?.body.challenge;
  const certificate = shownFor(view, gateway, id);
  const deadline = deadlineOn(view, gateway, id);
  return [
    {
      id,
      hostname,
      kind,
      port,
      draining: place.draining || ingress.draining,
      ...(deadline === null ? {} : { deadline }),
      routes: routesFor(view, sources, { gateway, ingress }),
      redirects,
      maintenance,
      proxies,
      ...(counted && hasFeature(view, node, 'traffic_counts') ? { counted: true as const } : {}),
      ...(mesh_identity ? { mesh_identity: { spiffe_prefix: spiffePrefixOf(view) } } : {}),
      ...(sign_in === null ? {} : { sign_in: { ...sign_in, ...signInOf(sources) } }),
      tls:
        tls.certificate === 'none'
          ? null
          : {
              ...(given === undefined ? {} : { given }),
              ...(challenge === undefined ? {} : { challenge }),
              chain: certificate === undefined || given !== undefined ? null : chainOf(view, certificate),
              redirect: tls.redirect,
              ...(tls.clients === 'none' ? {} : { clients: tls.clients }),
              ...(tls.client_names.length === 0 ? {} : { client_names: tls.client_names }),
            },
    },
  ];
}
