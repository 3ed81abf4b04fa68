/** Indexes over documents of one area that others need too. Each follows the model by itself. */
import { Directory } from '../mesh/directory.ts';
import { givenBy } from '../mesh/given-certificates.ts';
import { IdIndex } from '../mesh/id-index.ts';
import type { Model } from '../mesh/model.ts';
import { policiesNamedBy } from '../mesh/waf-policies.ts';
import { OpenOperations } from '../operations/open-operations.ts';
import { RoutesOf } from '../views/routes-of.ts';

export interface SharedIndexes {
  /** The networks that each node forwards to. */
  readonly routes: RoutesOf;
  readonly open: OpenOperations;
  /** Ingresses by the gateways that they are placed on. */
  readonly served: IdIndex;
  /** Ingresses by the WAF policies that they name. */
  readonly guarded: IdIndex;
  /** Ingresses by the given certificates that they show. */
  readonly showing: IdIndex;
  /** Finds nodes by address, service and network. */
  readonly directory: Directory;
}

export function sharedIndexes(model: Model): SharedIndexes {
  return {
    routes: new RoutesOf(model),
    open: new OpenOperations(model),
    served: new IdIndex(model, ['placement'], (id) =>
      (model.get('placement', id)?.body.gateways ?? []).map(({ node }) => node),
    ),
    guarded: new IdIndex(model, ['ingress'], (id) => {
      const ingress = model.get('ingress', id)?.body;
      return ingress === undefined ? [] : policiesNamedBy(ingress);
    }),
    showing: new IdIndex(model, ['ingress'], (id) => {
      const ingress = model.get('ingress', id)?.body;
      const given = ingress === undefined ? undefined : givenBy(ingress);
      return given === undefined ? [] : [given];
    }),
    directory: new Directory(model),
  };
}
