import type { EngineProber } from '../engine.ts';
import type { GatewayProof } from './control.ts';

interface ProberParts {
  /** The WAF's own. */
  readonly waf: EngineProber;
  /** Whether nginx is there. */
  readonly isAble: () => boolean;
  readonly show: (proof: GatewayProof) => Promise<{ readonly generation: string }>;
}

/** What a gateway answers by itself: the WAF's test bench, and proofs for those who try an ingress from outside. */
export function gatewayProber({ waf, isAble, show }: ProberParts): EngineProber {
  return {
    get kinds() {
      return [...waf.kinds, ...(isAble() ? (['ingress_proof'] as const) : [])];
    },
    answer: async (probe, signal) => {
      const { ingress_proof: proof } = probe;
      return proof === undefined ? await waf.answer(probe, signal) : { ingress_proof: await show(proof) };
    },
  };
}
