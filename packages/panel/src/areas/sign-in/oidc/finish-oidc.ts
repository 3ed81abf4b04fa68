import { MeshError } from '@meshwork/contract';
import type { Seal } from '../../../seal.ts';
import type { Call, Reply } from '../../handler.ts';
import type { PanelParts } from '../../parts.ts';
import { finishSignIn } from '../finish-sign-in.ts';
import { admitPerson, turnAway } from './admit-person.ts';
import { askWho } from './ask-who.ts';
import { type Journey, journeyOf, NO_JOURNEY } from './journey.ts';
import { OidcProblem, reasonOf } from './oidc-problem.ts';
import type { OidcProvider } from './provider.ts';
import type { ProviderPerson } from './provider-person.ts';

export type OidcParts = PanelParts & {
  readonly provider: OidcProvider;
  readonly seal: Seal;
};
type CallbackCall = Call<'auth.oidc_callback'>;

/** Back from the provider. Whatever happens, the browser ends on a page of the panel, and the journey is over. */
export async function finishOidc(parts: OidcParts, call: CallbackCall): Promise<Reply<'auth.oidc_callback'>> {
  const { provider, seal, site, log } = parts;
  const kept = [NO_JOURNEY];
  try {
    const journey = journeyOf(seal, call);
    if (journey === undefined) throw new OidcProblem('provider_answer_invalid');
    const person = await askWho(provider, journey, { panel: site.url, search: call.search });
    const session_secret = await signIn(parts, call, { person, journey });
    return { location: journey.return_to, session_secret, kept };
  } catch (error) {
    const problem = asProblem(error);
    if (problem === undefined) throw error;
    log.warn({ problem: problem.code, reason: reasonOf(problem) }, 'signing in by the provider failed');
    await recordUnlessDone(parts, call, problem);
    return { location: `/sign-in?problem=${problem.code}`, kept };
  }
}

interface Arrived {
  readonly person: ProviderPerson;
  readonly journey: Journey;
}

async function signIn(parts: OidcParts, call: CallbackCall, { person, journey }: Arrived): Promise<string> {
  const { roles } = parts.provider.settings;
  try {
    const finished = await finishSignIn(parts, call, (tx) => {
      const user = admitPerson(tx, person, roles);
      const { replaces } = journey;
      if (replaces !== null && tx.get('session', replaces) !== undefined) parts.sessions.end(tx, { id: replaces });
      // A browser with a session at the provider gets here without a prompt. Only a forced prompt proves who is there.
      return { user, method: 'oidc', vouched: replaces === null };
    });
    return finished.session_secret;
  } catch (error) {
    if (error instanceof OidcProblem) {
      await parts.ledger.transact(call.cause, (tx) =>
        turnAway(tx, person, { problem: error, sessions: parts.sessions }),
      );
      error.recorded = true;
    }
    throw error;
  }
}

/** A store that is unavailable is no bug either: the sign-in page shows it too. */
function asProblem(error: unknown): OidcProblem | undefined {
  if (error instanceof OidcProblem) return error;
  return error instanceof MeshError ? new OidcProblem('panel_unavailable', { cause: error }) : undefined;
}

async function recordUnlessDone({ refusals }: OidcParts, call: CallbackCall, problem: OidcProblem): Promise<void> {
  if (problem.recorded || problem.code === 'panel_unavailable') return;
  await refusals.record({ cause: call.cause, code: 'sign_in_failed', target: null });
}
