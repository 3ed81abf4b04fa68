import type { LinkReport, NodeFacts } from './facts.ts';
import type { End, Way } from './way.ts';
import { capital, duration } from './wording.ts';

/** How old what an end said may be, for a verdict to rest on it. */
const FRESH_S = 5;
/** An agent whose connection broke is back within this time, if it is well. */
const RECONNECTS_WITHIN_S = 2;

/** Why it is not known how a node is right now, in words that follow its name. Undefined: it is known. */
export function doubtOf({ looked, connection_lost_s_ago: lost, last_seen_s_ago: seen }: NodeFacts): string | undefined {
  const broke = lost === null ? '' : `its connection to the coordinator broke ${duration(lost)} ago`;
  if (looked !== null && !looked.answered) {
    return `did not answer when asked just now${broke === '' ? '' : `; ${broke}`}`;
  }
  if (looked !== null && looked.s_ago > FRESH_S) return `last answered ${duration(looked.s_ago)} ago`;
  const isLost = lost !== null && lost >= RECONNECTS_WITHIN_S && (seen === null || seen >= lost);
  return isLost ? `may be offline; ${broke}` : undefined;
}

/** What the last look of an end heard of the other. Undefined: it has not looked, or too long ago. */
export function heardBy(report: LinkReport | null): boolean | undefined {
  return report === null || report.heard === null || report.heard.s_ago > FRESH_S ? undefined : report.heard.came;
}

/** Whether packets came through in both directions just now. */
export function hasHeardBoth({ link }: Way): boolean {
  return heardBy(link.near) === true && heardBy(link.far) === true;
}

/** What is known of the host of an end whose agent is not there: sentences with a space before each. Empty: nothing. */
export function dataPlaneWords({ source, target, link }: Way, end: End): string {
  const [other, report] = end === source ? [target, link.far] : [source, link.near];
  const came = heardBy(report);
  if (other === undefined || came === undefined) return '';
  const isCurrent = Object.values(end.node.applied).every(({ in_sync }) => in_sync);
  const until = isCurrent ? ' Until then it had applied the current configuration.' : '';
  const who = other.hidden ? capital(other.name) : other.name;
  const ago = `${duration(report?.heard?.s_ago ?? 0)} ago`;
  return came
    ? `${until} ${who} heard its host ${ago}, so WireGuard still runs there.`
    : `${until} ${who} asked its host for a packet ${ago}, and none came.`;
}
