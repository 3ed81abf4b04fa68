import type { Applied, AppliedSection } from '@meshwork/contract';
import { APPLIED_SECTIONS } from '@meshwork/contract/vocabulary';
import type { Agent } from '../conversation/agent.ts';
import type { HostDataPlane } from '../data-plane/host-data-plane.ts';
import type { EndpointFinder } from '../endpoints/endpoint-finder.ts';
import { ConversationRecord } from './conversation-record.ts';
import type { HealthSnapshot, HealthSource, SectionHealth } from './health-source.ts';

interface Parts {
  readonly agent: Agent;
  readonly plane: HostDataPlane;
  readonly finder: EndpointFinder;
}

interface About {
  readonly node: string;
  readonly name: string;
  readonly version: string;
  /** Sections that the agent puts into effect. Others do not count against the node. */
  readonly carried: () => readonly string[];
}

/** How an agent of this host stands, put together from its parts. */
export class AgentHealth extends ConversationRecord implements HealthSource {
  readonly #about: About;
  readonly #applied = new Map<AppliedSection, Applied>();
  #parts: Parts | undefined;

  constructor(about: About, now: () => number) {
    super(now);
    this.#about = about;
  }

  /** Known only once they have been made, and they are made with this as their observer. */
  of(parts: Parts): void {
    this.#parts = parts;
  }

  applied(_node: string, section: AppliedSection, applied: Applied): void {
    this.#applied.set(section, applied);
  }

  look(): HealthSnapshot {
    const { carried: _, ...about } = this.#about;
    const view = this.#parts?.agent.view;
    const engines = this.#parts?.plane.health;
    return {
      ...about,
      addresses: view?.sections.self === undefined ? [] : [view.sections.self.address, view.sections.self.address6],
      status: this.current,
      status_since_ms: this.status_since_ms,
      answered_ms: this.answered_ms,
      heartbeats: { ...this.heartbeats },
      revision: view?.revision ?? 0,
      sections: this.#sections(),
      engine: together(engines?.checks ?? []),
      links: engines?.links ?? [],
      rx_bytes: engines?.rx_bytes ?? 0,
      tx_bytes: engines?.tx_bytes ?? 0,
      relays: this.#parts?.finder.relays ?? [],
      denied: engines?.denied ?? { in: 0, forward: 0 },
      certificate_ends_ms: engines?.certificate_ends_ms ?? null,
      requests: engines?.requests ?? [],
    };
  }

  #sections(): ReadonlyMap<AppliedSection, SectionHealth> {
    const view = this.#parts?.agent.view;
    const carried = this.#about.carried();
    const sections = new Map<AppliedSection, SectionHealth>();
    for (const section of APPLIED_SECTIONS) {
      if (!carried.includes(section)) continue;
      const wanted = view?.revisionOf(section) ?? 0;
      const applied = this.#applied.get(section);
      if (wanted > 0) sections.set(section, { wanted, in_effect: applied?.revision ?? 0, error: applied?.error });
    }
    return sections;
  }
}

/** One check for all engines that have something to say. */
function together(checks: readonly HealthSnapshot['engine'][]): HealthSnapshot['engine'] {
  if (checks.length === 0) return { ok: false, detail: 'no engine runs yet' };
  return { ok: checks.every(({ ok }) => ok), detail: checks.map(({ detail }) => detail).join('; ') };
}
