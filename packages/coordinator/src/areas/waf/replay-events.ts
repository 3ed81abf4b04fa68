import { utc, type WafEvent, type WafExclusionRules, type WafReplay } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { mayHear } from './event-filters.ts';
import { walkEvents } from './event-log.ts';
import { isRefused, leavesOut } from './judge-event.ts';
import type { JudgedPolicy } from './propose-exclusions.ts';

/** Ours: what one replay looks at: events of other policies too, for the log has no order by policy. */
const LOOKED_AT = 20_000;
const MOST_EXAMPLES = 20;

/** What one set of exclusions would have done. */
class Tally {
  readonly #policy: JudgedPolicy;
  readonly #tried: readonly WafExclusionRules[];
  #concerned = 0;
  #letThrough = 0;
  readonly #examples: WafEvent[] = [];

  constructor(policy: JudgedPolicy, tried: readonly WafExclusionRules[]) {
    this.#policy = policy;
    this.#tried = tried;
  }

  add(event: WafEvent): void {
    const isConcerned = event.matches.some((match) => this.#tried.some((one) => leavesOut(one, event, match)));
    if (!isConcerned) return;
    this.#concerned++;
    const { exclusions } = this.#policy;
    if (!isRefused(this.#policy, event, exclusions)) return;
    if (isRefused(this.#policy, event, [...exclusions, ...this.#tried])) return;
    this.#letThrough++;
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push(event);
  }

  replay(about: Pick<WafReplay, 'events' | 'from' | 'whole'>): WafReplay {
    return { ...about, concerned: this.#concerned, let_through: this.#letThrough, examples: this.#examples };
  }
}

interface Asked {
  /** Only what the caller may see is looked at. */
  readonly actor: TokenActor;
  readonly id: string;
  readonly policy: JudgedPolicy;
}

/** Tries several sets of exclusions on the recorded events of a policy, the newest first. Events are read once for all of them. */
export async function replayEvents(
  mesh: Mesh,
  { actor, id, policy }: Asked,
  sets: readonly (readonly WafExclusionRules[])[],
): Promise<WafReplay[]> {
  const tallies = sets.map((tried) => new Tally(policy, tried));
  let events = 0;
  let from: string | null = null;
  let looked = 0;
  let whole = true;
  for await (const recorded of walkEvents(mesh.journal, {})) {
    if (++looked > LOOKED_AT) {
      whole = false;
      break;
    }
    const { event } = recorded;
    if (event?.policy !== id || !mayHear(mesh.model, actor.scope, recorded)) continue;
    events++;
    from = utc(recorded.place.at_ms);
    for (const tally of tallies) tally.add(event);
  }
  return tallies.map((tally) => tally.replay({ events, from, whole }));
}
