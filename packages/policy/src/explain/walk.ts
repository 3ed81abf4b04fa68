import { checkApplied } from './check-applied.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkEnd } from './check-end.ts';
import { checkFirewall } from './check-firewall.ts';
import { checkGrant } from './check-grant.ts';
import { checkHolder } from './check-holder.ts';
import { checkHost } from './check-host.ts';
import { checkLink } from './check-link.ts';
import { checkName } from './check-name.ts';
import { checkOutside } from './check-outside.ts';
import { checkPath } from './check-path.ts';
import { checkRelay } from './check-relay.ts';
import { checkRoute } from './check-route.ts';
import { checkService } from './check-service.ts';
import { checkUnderlay } from './check-underlay.ts';
import type { Explanation } from './explanation.ts';
import { judge } from './verdict.ts';
import { type Finding, pass, type Way } from './way.ts';

/** Goes one way to its end, also past the first obstacle, so that the answer names all of them. */
export function walk(way: Way): Explanation {
  const { source, target, behind } = way;
  const { boundary, grant, allowing } = checkGrant(way);
  const destination =
    target === undefined
      ? pass('destination', `${behind?.address} is no address of the mesh.`)
      : checkEnd(way, 'destination', target);
  const { firewall, conditions } = checkFirewall(way);
  const link = checkLink(way);
  const findings: readonly (Finding | undefined)[] = [
    checkEnd(way, 'source', source),
    destination,
    checkName(way),
    boundary,
    grant,
    checkRoute(way, allowing !== undefined),
    target === undefined ? checkOutside(way) : firewall,
    checkUnderlay(way),
    checkHost(way) ?? checkHolder(way),
    checkService(way),
    checkApplied(way),
    checkPath(way, link),
    checkRelay(way, link),
    link,
    checkCertificate(way),
  ];
  return {
    ...judge(
      way,
      findings.filter((finding) => finding !== undefined),
      conditions,
    ),
    from: { id: source.node.id, name: source.node.name },
    to: endOf(way),
    port: way.port,
    grant: allowing?.name ?? null,
    families: [],
  };
}

function endOf({ target, behind }: Way): Explanation['to'] {
  if (target === undefined || target.hidden) return { id: null, name: behind?.address ?? '' };
  return { id: target.node.id, name: target.node.name };
}
