import { type BodyOf, covers, invalid, type Operations, type Scope } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { View } from '../../mesh/model.ts';

type Change = BodyOf<Operations['ingress.update']>;

interface Asked {
  readonly actor: TokenActor;
  /** Of the ingress. */
  readonly scope: Scope;
  /** Policies that it names already: they may be named again, also where the caller does not see them. */
  readonly known: readonly string[];
}

/** The change with ids of WAF policies in place of what the caller wrote. Read in the transaction: it cannot be deleted meanwhile. */
export function namedPolicies<C extends Pick<Change, 'waf' | 'routes'>>(view: View, change: C, asked: Asked): C {
  const idOf = (pointer: string, ref: string | null) => (ref === null ? null : policyFor(view, pointer, ref, asked));
  return {
    ...change,
    ...(change.waf === undefined ? {} : { waf: idOf('/waf', change.waf) }),
    ...(change.routes === undefined
      ? {}
      : {
          routes: change.routes.map((route, index) =>
            route.waf === undefined ? route : { ...route, waf: idOf(`/routes/${index}/waf`, route.waf) },
          ),
        }),
  };
}

/** A policy whose scope covers that of the ingress, and that the caller sees. */
function policyFor(view: View, pointer: string, ref: string, { actor, scope, known }: Asked): string {
  if (known.includes(ref)) return ref;
  const may = (other: Scope) => covers(other, scope) && (covers(actor.scope, other) || covers(other, actor.scope));
  const byId = view.get('waf', ref);
  if (byId !== undefined && may(byId.body.scope)) return byId.id;
  const named = [...view.all('waf')].filter(({ body }) => body.name === ref && may(body.scope));
  const [found] = named;
  if (found === undefined) {
    throw invalid(pointer, `"${ref}" is no WAF policy whose scope covers that of the ingress`);
  }
  if (named.length > 1) throw invalid(pointer, `${named.length} WAF policies are named "${ref}": use the id of one`);
  return found.id;
}
