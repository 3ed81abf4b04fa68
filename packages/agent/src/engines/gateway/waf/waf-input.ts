/** What the configuration of nginx needs to know of the WAF. */
import type { AssignedRoute, WafAssignment } from '@meshwork/contract';

/** Debian's. */
export const WAF_MODULE = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so';

export type WafInput = (InspectingInput | IdleInput) & {
  /** Those that can be served, by id. A route whose policy is not among them is answered with 503. */
  readonly policies: ReadonlyMap<string, WafAssignment>;
};

interface InspectingInput {
  /** Path of the rules. */
  readonly rules: string;
  /** Where the engine writes what it finds, in the folder of the gateway. */
  readonly log: string;
}

/** No policy inspects anything. */
interface IdleInput {
  readonly rules: undefined;
}

type InspectedBy =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'policy'; readonly policy: WafAssignment };

/** Never uninspected, where a policy is named. */
export function inspectedBy({ waf: id }: Pick<AssignedRoute, 'waf'>, input: WafInput | undefined): InspectedBy {
  if (id === undefined || id === null) return { kind: 'none' };
  const policy = input?.policies.get(id);
  if (policy === undefined) return { kind: 'refused' };
  return policy.rules.mode === 'off' ? { kind: 'none' } : { kind: 'policy', policy };
}
