import type { Address } from '@meshwork/addresses';
import { checkApplied } from './check-applied.ts';
import { checkEnd } from './check-end.ts';
import { checkHolder } from './check-holder.ts';
import { checkHostOutside } from './check-host.ts';
import { cutFinding, cutOutside } from './check-outside.ts';
import type { Explanation } from './explanation.ts';
import { combineFixes } from './fixes.ts';
import { type Finding, pass, type Way } from './way.ts';
import { capital } from './wording.ts';

/** The network, and how the source is part of it: `gw-1 forwards to 10.1.0.0/16 itself`. */
interface OwnNetwork {
  readonly address: string;
  readonly parsed: Address;
  readonly how: string;
  /** It is everything (`0.0.0.0/0`), and not a network that a host is in. */
  readonly isEverything: boolean;
  /** The address is one of the source's own. */
  readonly isItself: boolean;
}

/** A network that a node is in, it gets to by its own interfaces: of the mesh, only its host rules stand between. */
export function explainOwnNetwork(way: Way, network: OwnNetwork): Explanation {
  const { source } = way;
  const findings = [
    checkEnd(way, 'source', source),
    routeOf(network),
    firewallOf(way, network),
    network.isItself ? undefined : (checkHostOutside(source, network.address, way.wanted) ?? checkHolder(way)),
    checkApplied(way),
  ].filter((finding) => finding !== undefined);
  const { id, name } = source.node;
  const { verdict, reason } = judgeOwn(findings, `${network.how}, ${NOTHING_BETWEEN}`);
  return {
    verdict,
    reason: reason.startsWith(`${name} `) ? `${reason}.` : `${capital(reason)}.`,
    from: { id, name },
    to: { id, name },
    port: way.port,
    grant: null,
    steps: findings.map(({ check, outcome, detail }) => ({ check, outcome, detail })),
    fix: verdict === 'allowed' ? [] : combineFixes(findings),
    families: [],
    conditions: [],
  };
}

const NOTHING_BETWEEN = 'so nothing of the mesh is between them; whether the host there answers is not known';

function judgeOwn(findings: readonly Finding[], otherwise: string): Pick<Explanation, 'verdict' | 'reason'> {
  const isOf = (...checks: readonly Finding['check'][]) =>
    findings.find(({ check, outcome }) => outcome !== 'pass' && checks.includes(check));
  const uncertain = isOf('source', 'applied');
  const failed = findings.find(({ outcome }) => outcome === 'fail');
  if (uncertain !== undefined) return { verdict: 'unknown', reason: uncertain.clause };
  if (failed !== undefined) return { verdict: 'denied', reason: failed.clause };
  const open = isOf('route', 'firewall', 'host');
  return open === undefined ? { verdict: 'allowed', reason: otherwise } : { verdict: 'unknown', reason: open.clause };
}

function routeOf({ how, isEverything }: OwnNetwork): Finding {
  if (!isEverything) return pass('route', `${how}, ${NOTHING_BETWEEN}.`);
  const clause = `${how}, so the mesh does not decide this; the routes and firewalls of its host do`;
  const fix = ['Check the routes and the firewall of that host.'];
  return { check: 'route', outcome: 'unknown', detail: `${clause}.`, clause, fix };
}

function firewallOf({ source, wanted }: Way, { address, parsed, isItself }: OwnNetwork): Finding {
  const cut = isItself ? undefined : cutOutside(source.node, { address, family: parsed.family, wanted });
  return cut === undefined ? pass('firewall', 'No firewall rule drops it.') : cutFinding(cut, source.name);
}
