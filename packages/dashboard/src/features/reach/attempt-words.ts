/** What came of an attempt, in words. */
import type { ProbeReport } from '@meshwork/contract';
import { plural } from '../../ui/plural.ts';

type Attempt = NonNullable<ProbeReport['attempt']>;
type Arrival = NonNullable<ProbeReport['arrival']>;

interface Comparison {
  readonly tone: 'agrees' | 'disagrees' | 'open';
  readonly text: string;
}

const OUTCOME: Readonly<Record<ProbeReport['reality'], string>> = {
  passed: 'passed',
  blocked: 'was blocked',
  unknown: 'has no known outcome',
};

/** Whether the explanation says what happened, and if that is not known, why. */
export function comparison({ agrees, reality, explanation: { verdict } }: ProbeReport): Comparison {
  if (agrees === true) return { tone: 'agrees', text: 'The attempt agrees with the explanation.' };
  if (agrees === false) {
    const text = `Explained as ${verdict}, but the attempt ${OUTCOME[reality]}. This is a bug in Meshwork: please report it.`;
    return { tone: 'disagrees', text };
  }
  if (reality === 'unknown') return { tone: 'open', text: 'There is no outcome to compare with the explanation.' };
  if (verdict === 'unknown')
    return { tone: 'open', text: `The explanation could not tell. The attempt ${OUTCOME[reality]}.` };
  return { tone: 'open', text: 'The explanation holds up to a rate, which a single attempt does not show.' };
}

const OUTCOMES: Readonly<Record<Attempt['outcome'], (took: string) => string>> = {
  connected: (took) => `connected after ${took}`,
  answered: (took) => `answered after ${took}`,
  refused: (took) => `refused after ${took}: nothing listens there`,
  sent: () => 'sent, and no answer is expected',
  timed_out: (took) => `no answer within ${took}`,
  unreachable: (took) => `unreachable after ${took}`,
};

export function attemptText({ outcome, took_ms, detail }: Attempt): string {
  const text = OUTCOMES[outcome](`${took_ms.toLocaleString()} ms`);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return detail === null ? sentence : `${sentence} (${detail})`;
}

export function arrivalText({ node, arrived, passed, interface: by }: Arrival): string {
  if (arrived === 0) return `Nothing arrived at ${node}`;
  const through = passed === 0 ? 'none' : passed === arrived ? 'all' : passed.toLocaleString();
  const where = by === null ? '' : ` on ${by}`;
  return `${plural(arrived, 'packet')} arrived at ${node}${where}; ${through} passed its packet filters`;
}
