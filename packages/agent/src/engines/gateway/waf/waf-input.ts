/** What the configuration of nginx needs to know of the WAF. */
import type { AssignedRoute, WafAssignment } from '@meshwork/contract';

/** Debian's. */
export const WAF_MODULE = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so';

export interface WafInput {
  /** Path of the rules. Undefined: no policy inspects anything. */
  readonly rules: string | undefined;
  /** Those that can be served, by id. A route whose policy is not among them is answered with 503. */
  readonly policies: ReadonlyMap<string, WafAssignment>;
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
