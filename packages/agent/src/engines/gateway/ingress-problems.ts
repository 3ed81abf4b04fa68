/** What is wrong with one ingress alone, in words. The others are served. */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';

export function problemIn(problems: ReadonlyMap<string, string>, id: string): { problem?: string } {
  const problem = problems.get(id);
  return problem === undefined ? {} : { problem };
}

/** Connections that nginx does not look into cannot be inspected, and so are not passed on where a policy is named. */
export function uninspectable(section: readonly IngressAssignment[]): Map<string, string> {
  const named = section.filter(
    ({ kind, routes }) => kind !== 'http' && routes.some(({ waf }) => waf !== undefined && waf !== null),
  );
  return new Map(named.map(({ id }) => [id, 'it is not served: a WAF inspects HTTP alone']));
}

/** Services that have to prove who they are, while it is not known to whom. */
export function spokenToBlindly(section: readonly IngressAssignment[], ca: string | undefined): Map<string, string> {
  const isSecure = ({ protocol }: AssignedRoute) => protocol === 'https' || protocol === 'grpcs';
  const secure = ca === undefined ? section.filter(({ routes }) => routes.some(isSecure)) : [];
  return new Map(
    secure.map(({ id }) => [id, 'its services are not spoken to by TLS: the roots of the mesh are not known yet']),
  );
}
