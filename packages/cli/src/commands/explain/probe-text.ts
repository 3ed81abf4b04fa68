/** What happened when it was tried, beside what was explained. */
import type { ProbeReport } from '@meshwork/contract';
import { hanging, padEnd } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';
import { explanationParts, headline, paragraphs, type Tinted, WIDTH } from './explanation-text.ts';

type Attempt = NonNullable<ProbeReport['attempt']>;
type Arrival = NonNullable<ProbeReport['arrival']>;

export function probeText(report: ProbeReport, tinted: Tinted): string {
  const { reality, reason, explanation } = report;
  const width = Math.max(reality.length, explanation.verdict.length);
  return paragraphs([
    [
      ...headline('explained  ', explanation.verdict, explanation.reason, tinted, width),
      ...headline('tried      ', reality, reason, tinted, width),
    ],
    comparisonLines(report, tinted),
    observed(report).flatMap(([name, text]) => hanging(`  ${padEnd(name, 'attempt'.length)}  `, text, WIDTH)),
    ...explanationParts(explanation, tinted),
  ]);
}

/** Whether the two agree, and why that cannot be said where it cannot. */
function comparisonLines({ agrees, reality, explanation: { verdict } }: ProbeReport, tinted: Tinted): string[] {
  if (agrees === false) {
    const start = 'DISAGREEMENT  ';
    const text = `Explain said ${verdict}, the attempt ${SAID[reality]}. This is a bug in Meshwork: please report it with this output.`;
    const [first = '', ...rest] = hanging(start, text, WIDTH);
    return [first.replace(start.trimEnd(), tinted('bad', start.trimEnd())), ...rest];
  }
  return hanging(
    '',
    agrees === true ? 'The attempt agrees with the explanation.' : withoutComparison(verdict, reality),
    WIDTH,
  );
}

const SAID: Readonly<Record<ProbeReport['reality'], string>> = {
  passed: 'passed',
  blocked: 'was blocked',
  unknown: 'shows nothing',
};

function withoutComparison(verdict: ProbeReport['explanation']['verdict'], reality: ProbeReport['reality']): string {
  if (reality === 'unknown') return 'There is no outcome to compare with the explanation.';
  if (verdict === 'unknown') return `Explain could not tell. The attempt ${SAID[reality]}.`;
  return 'The explanation holds up to a rate, which a single attempt does not show.';
}

/** What either end saw, a line each. */
function observed({ attempt, arrival, explanation, took_ms }: ProbeReport): [string, string][] {
  const lines: [string, string][] = [];
  if (attempt !== null) lines.push(['attempt', attemptText(attempt, explanation.port)]);
  if (arrival !== null) lines.push(['arrival', arrivalText(arrival)]);
  else if (attempt !== null) lines.push(['arrival', `${explanation.to.name} did not report what arrived.`]);
  if (arrival?.rule != null) lines.push(['rule', arrival.rule]);
  if (attempt !== null) lines.push(['took', `${took_ms} ms in all`]);
  return lines;
}

const OUTCOMES: Readonly<Record<Attempt['outcome'], (took: string) => string>> = {
  connected: (took) => `connected after ${took}`,
  answered: (took) => `answered after ${took}`,
  refused: (took) => `refused after ${took}; nothing listens there`,
  sent: () => 'sent, and no answer is expected',
  timed_out: (took) => `no answer within ${took}`,
  unreachable: (took) => `unreachable after ${took}`,
};

function attemptText({ node, address, outcome, took_ms, detail }: Attempt, port: string): string {
  const what = `${node} to ${address} on ${port}: ${OUTCOMES[outcome](`${took_ms} ms`)}`;
  return detail === null ? what : `${what} (${detail})`;
}

const PATHS: Readonly<Record<NonNullable<Arrival['path']>, string | undefined>> = {
  direct: 'directly',
  relay: 'through a relay',
  idle: undefined,
  none: undefined,
};

function arrivalText({ node, arrived, passed, path, interface: by }: Arrival): string {
  if (arrived === 0) return `Nothing arrived at ${node}.`;
  const way = [path === null ? undefined : PATHS[path], by === null ? undefined : `on ${by}`].filter(Boolean);
  const through = passed === 0 ? 'none passed' : passed === arrived ? 'all passed' : `${passed} passed`;
  return `${counted(arrived, 'packet')} arrived at ${node}${way.length === 0 ? '' : ` ${way.join(' ')}`}; ${through} its packet filters.`;
}
