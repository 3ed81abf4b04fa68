import { intersect, parseNetwork } from '@meshwork/addresses';
import { forbiddingTests } from './forbidding-tests.ts';
import { missFixes } from './miss-fixes.ts';
import { missWords, type Spoken } from './miss-words.ts';
import { type Classed, isSameBoundary, type Miss, nearestMiss } from './nearest-miss.ts';
import type { ReadGrant } from './policy-index.ts';
import { suggestGrant } from './suggest-grant.ts';
import { opens } from './wanted.ts';
import { beyond, type End, type Finding, pass, reaching, type Way } from './way.ts';
import { boundaryText, noted } from './wording.ts';

interface GrantFindings {
  readonly boundary: Finding | undefined;
  readonly grant: Finding;
  /** Undefined: none allows it. */
  readonly allowing: ReadGrant | undefined;
}

/**
 * Whether a grant allows it. The engine is asked, since it decides; only what it does not allow is looked for in the grants
 * themselves. Of a node that is no member the engine knows nothing: the answer then says what the grants would do.
 */
export function checkGrant(way: Way): GrantFindings {
  const allowing = allowingGrant(way);
  if (allowing !== undefined) {
    return { boundary: checkBoundary(way, undefined), grant: allowed(allowing, way), allowing };
  }
  const miss = nearestMissOf(way);
  if (miss?.defects.length === 0 && !areMembers(way)) {
    const would = pass(
      'grant',
      `${miss.read.name} would allow ${way.port}${way.whole_policy ? noted(miss.read.grant.note) : ''}.`,
    );
    return { boundary: checkBoundary(way, undefined), grant: would, allowing: miss.read };
  }
  return { boundary: checkBoundary(way, miss), grant: denied(way, miss), allowing: undefined };
}

/** The first grant in the document that lets the source do it. */
function allowingGrant(way: Way): ReadGrant | undefined {
  const { engine, index, source, target, wanted } = way;
  const behind = beyond(way);
  const from = engine.cohortOf(source.node.id);
  const to = target === undefined ? undefined : engine.cohortOf(target.node.id);
  if (from === undefined || to === undefined) return undefined;
  if (behind === undefined) {
    const place = engine.grantsFrom(from, to).find((at) => opens(index.grants[at]?.allows ?? [], wanted));
    return place === undefined ? undefined : index.grants[place];
  }
  const entry = engine.grantsBehind(from, to).find(({ grant, to: text }) => {
    const network = parseNetwork(text);
    const leadsThere = network !== undefined && intersect(network, behind.host) !== undefined;
    return leadsThere && opens(index.grants[grant]?.allows ?? [], wanted);
  });
  return entry === undefined ? undefined : index.grants[entry.grant];
}

export function nearestMissOf(way: Way): Miss | undefined {
  const { index, engine, source, target, wanted } = way;
  return nearestMiss(index, {
    source: classed(source, way),
    target: target === undefined ? undefined : classed(target, way),
    behind: beyond(way)?.host,
    wanted,
    lapsed: engine.lapsed,
    whole_policy: way.whole_policy,
  });
}

/** As the engine has it. A node in no cohort is taken as if it were online and a member. */
function classed({ node }: End, { engine }: Way): Classed {
  const known = engine.cohortOf(node.id) === undefined ? undefined : engine.nodeOf(node.id);
  if (known !== undefined) return known;
  const { name, tags, boundary, agent_version } = node;
  return { name, tags, boundary, agent_version, fresh: true, shares: engine.nodeOf(node.id)?.shares ?? [] };
}

function areMembers({ engine, source, target }: Way): boolean {
  return [source, target].every((end) => end !== undefined && engine.cohortOf(end.node.id) !== undefined);
}

function allowed({ name, grant }: ReadGrant, { port, whole_policy }: Way): Finding {
  const until = grant.expires === undefined ? '' : ` until ${grant.expires}`;
  return pass('grant', `${name} allows ${port}${until}${whole_policy ? noted(grant.note) : ''}.`);
}

function denied(way: Way, miss: Miss | undefined): Finding {
  const spoken = spokenOf(way);
  const clause = `no grant lets ${way.source.name} ${reaching(way)}`;
  const found = (detail: string, fix: readonly string[]): Finding => {
    // What no node forwards does not stop at a grant: only if a node did, it would.
    const outcome = way.target === undefined ? 'unknown' : 'fail';
    return { check: 'grant', outcome, detail: `${detail}${turnedAway(way)}`, clause, fix };
  };
  if (miss !== undefined && miss.defects.length > 0) return found(missWords(miss, spoken), missFixes(miss, spoken));
  const fix = [suggestGrant(spoken)];
  if (isAllowedBack(way)) {
    const [there, here] = [spoken.targetName, way.source.name];
    return found(
      `${there} may open ${way.port} to ${here} and gets its answers; ${here} may not open it to ${there}.`,
      fix,
    );
  }
  const behind = beyond(way);
  const place = behind?.address ?? spoken.targetName;
  const anywhere = behind === undefined ? 'any node' : 'any network';
  // Grants of other sources were considered only if the caller may read the whole policy.
  const others = way.whole_policy ? `, or from any node to ${place}` : '';
  return found(`No grant allows ${way.port} from ${way.source.name} to ${anywhere}${others}.`, fix);
}

function spokenOf(way: Way): Spoken {
  const { index, source, target, port } = way;
  const behind = beyond(way);
  return {
    index,
    source: classed(source, way),
    target: target === undefined ? undefined : classed(target, way),
    targetName: target?.name ?? behind?.address ?? '',
    isTargetHidden: target?.hidden ?? false,
    address: behind?.address,
    host: behind?.host,
    network: behind?.network,
    port,
    whole_policy: way.whole_policy,
    tests: forbiddingTests(way),
  };
}

function isAllowedBack(way: Way): boolean {
  const { engine, source, target, wanted, index } = way;
  const [from, to] = [engine.cohortOf(source.node.id), target && engine.cohortOf(target.node.id)];
  if (from === undefined || to === undefined || beyond(way) !== undefined) return false;
  return engine.grantsFrom(to, from).some((at) => opens(index.grants[at]?.allows ?? [], wanted));
}

/** Not counted by source: it only hints that packets arrive. */
function turnedAway(way: Way): string {
  const { target } = way;
  const count = beyond(way) === undefined ? target?.node.denied?.in : target?.node.denied?.forward;
  if (target === undefined || target.hidden || count === undefined || count === 0) return '';
  return ` ${target.name} has dropped ${count} packets that no grant allows, from all sources.`;
}

function checkBoundary(way: Way, miss: Miss | undefined): Finding | undefined {
  const { source, target } = way;
  if (target === undefined || target.hidden) return undefined;
  if (isSameBoundary(source.node, target.node)) {
    const place = boundaryText(source.node.boundary);
    return pass(
      'boundary',
      place === '*/*/*' ? 'Neither has a team, surface or environment.' : `Both are in ${place}.`,
    );
  }
  const [here, there] = [boundaryText(source.node.boundary), boundaryText(target.node.boundary)];
  const places = `${source.name} is in ${here}, ${target.name} in ${there}`;
  if (beyond(way) !== undefined && miss?.read.grant.within === undefined) {
    const only = 'a grant names it by "via", or its network is approved for the whole mesh';
    return pass('boundary', `${places}. A provider in another boundary is used only if ${only}.`);
  }
  if (miss?.defects.length !== 1 || miss.defects[0] !== 'within') {
    return pass('boundary', `${places}. This matters only to grants within a boundary.`);
  }
  return {
    check: 'boundary',
    outcome: 'fail',
    detail: `${places}. ${miss.read.name} holds only within one.`,
    clause: `${source.name} and ${target.name} are in different boundaries, and ${miss.read.name} holds only within one`,
    fix: [],
  };
}
