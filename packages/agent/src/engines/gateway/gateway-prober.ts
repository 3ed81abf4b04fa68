import type { IngressAssignment } from '@meshwork/contract';
import type { EngineProber } from '../engine.ts';
import type { ShownChallenges } from './challenges/shown-challenges.ts';
import type { GatewayProof } from './control.ts';

export interface ProberParts {
  /** The WAF's own. */
  readonly waf: EngineProber;
  /** Whether nginx is there. */
  readonly isAble: () => boolean;
  /** What nginx serves, and by which configuration. */
  readonly server: { readonly served: readonly IngressAssignment[]; readonly generation: string | undefined };
  readonly control: { putProof(proof: GatewayProof): Promise<void> };
  readonly challenges: Pick<ShownChallenges, 'show'>;
}

/** What a gateway answers by itself: the WAF's test bench, and what it is to show to those outside. */
export function gatewayProber({ waf, isAble, server, control, challenges }: ProberParts): EngineProber {
  return {
    get kinds() {
      return [...waf.kinds, ...(isAble() ? (['ingress_proof', 'show_challenge'] as const) : [])];
    },
    answer: async (probe, signal) => {
      const { ingress_proof: proof, show_challenge: challenge } = probe;
      if (proof !== undefined) return { ingress_proof: await showProof({ server, control }, proof) };
      if (challenge === undefined) return await waf.answer(probe, signal);
      await challenges.show(challenge);
      return { show_challenge: {} };
    },
  };
}

/** Has nginx show a proof of itself at the host name of an ingress. Answers with the configuration that serves there. */
export async function showProof(
  { server: { served, generation }, control }: Pick<ProberParts, 'server' | 'control'>,
  proof: GatewayProof,
): Promise<{ readonly generation: string }> {
  const isServed = served.some(({ id, kind }) => id === proof.ingress && kind === 'http');
  if (generation === undefined || !isServed) throw new Error('this gateway does not serve the ingress');
  await control.putProof(proof);
  return { generation };
}
