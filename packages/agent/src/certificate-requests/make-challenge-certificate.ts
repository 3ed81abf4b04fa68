import type { ChallengeAnswer, makeChallengeCertificate as madeBy } from '@meshwork/pki/challenge';
import { madeOnThread } from './x509-thread.ts';

export type MadeChallengeCertificate = Awaited<ReturnType<typeof madeBy>>;

/** What a gateway shows for `tls-alpn-01`, with a key of its own. */
export function makeChallengeCertificate(answer: ChallengeAnswer): Promise<MadeChallengeCertificate> {
  return madeOnThread('certificate for a challenge', answer);
}
