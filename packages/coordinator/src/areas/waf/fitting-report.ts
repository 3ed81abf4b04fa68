import type { WafReport } from '@meshwork/contract';

/** Ours: what is kept of one request, as JSON. Far below what the store takes, so that a gateway can fill no more than its events. */
const MOST_CHARACTERS = 16_000;
/** What its origin adds. */
const ROOM = 1_000;

/** The report with as many matches as fit, the gravest first. The others are counted. */
export function fittingReport(report: WafReport): WafReport {
  let fitted = report;
  while (JSON.stringify(fitted).length > MOST_CHARACTERS - ROOM && fitted.matches.length > 0) {
    fitted = { ...fitted, matches: fitted.matches.slice(0, -1), matches_left_out: fitted.matches_left_out + 1 };
  }
  return fitted;
}
