/** Puts the areas together: first what nodes are sent, then everything else. */
import { type NodeId, SECTIONS, WHOLE_SECTIONS } from '@meshwork/contract';
import type { Metrics } from '@meshwork/service';
import type { Duty } from '../duties/duty.ts';
import type { Vault } from '../mesh/mesh.ts';
import type { Model } from '../mesh/model.ts';
import { NodeViews } from '../views/node-views.ts';
import type { Reach } from '../views/reach.ts';
import type { SectionSources } from '../views/section-source.ts';
import type { OpenArea, ServedArea } from './area.ts';
import { AREAS } from './areas.ts';
import type { Handlers } from './handler.ts';
import type { Protocol } from './protocol.ts';
import type { Runtime } from './runtime.ts';
import { type SharedIndexes, sharedIndexes } from './shared-indexes.ts';

/** Any area: which operations it answers is checked where they are listed. */
type AnyOpenArea = OpenArea<never>;

export interface OpenAreas extends SharedIndexes {
  readonly areas: readonly AnyOpenArea[];
  readonly sections: SectionSources;
  readonly views: NodeViews;
}

/** Opens the areas, and the views that are made of their sections. */
export function openAreas(parts: {
  readonly model: Model;
  readonly vault: Vault;
  readonly reach: Reach;
  readonly wake: (node: NodeId) => void;
  /** Absent: as many as a change log usually keeps. */
  readonly log_lines?: number;
}): OpenAreas {
  const shared = sharedIndexes(parts.model);
  const areas: readonly AnyOpenArea[] = Object.values(AREAS).map((area) =>
    area.open({ ...shared, model: parts.model, vault: parts.vault, reach: parts.reach }),
  );
  const sections = sectionsOf(areas);
  return { ...shared, areas, sections, views: new NodeViews({ ...parts, routes: shared.routes, sections }) };
}

function sectionsOf(areas: readonly AnyOpenArea[]): SectionSources {
  const sources: Partial<SectionSources> = {};
  for (const { sections = {} } of areas) {
    for (const name of Object.keys(sections)) {
      if (Object.hasOwn(sources, name)) throw new Error(`Two areas send the section ${name}.`);
    }
    Object.assign(sources, sections);
  }
  const missing = WHOLE_SECTIONS.find((name) => sources[name] === undefined);
  if (missing !== undefined) throw new Error(`No area sends the section ${missing}.`);
  const complete = sources as SectionSources;
  const wrong = WHOLE_SECTIONS.find((name) => (complete[name].nextChangeAt !== undefined) !== SECTIONS[name].by_time);
  if (wrong !== undefined) throw new Error(`The table of sections is wrong about whether time changes ${wrong}.`);
  return complete;
}

export interface ServedAreas {
  readonly handlers: Handlers;
  readonly protocols: readonly Protocol[];
  readonly duties: readonly Duty[];
  readonly runtime: Runtime;
  addGauges(metrics: Metrics): void;
  /** Ends answers that wait, because the coordinator closes. */
  dismiss(): void;
  close(): Promise<void>;
}

export function serveAreas(
  areas: readonly AnyOpenArea[],
  parts: Omit<Runtime, 'onHeartbeat' | 'keep' | 'summaries'>,
): ServedAreas {
  const served: ServedArea<never>[] = [];
  const keepers: NonNullable<ServedArea<never>['keep']>[] = [];
  const listeners: NonNullable<ServedArea<never>['onHeartbeat']>[] = [];
  const runtime: Runtime = {
    ...parts,
    onHeartbeat: (node, heartbeat) => {
      for (const onHeartbeat of listeners) onHeartbeat(node, heartbeat);
    },
    keep: (node, heartbeat) => {
      const keeping = keepers.flatMap((keep) => keep(node, heartbeat) ?? []);
      return keeping.length === 0 ? undefined : Promise.all(keeping);
    },
    summaries: () => served.flatMap(({ overview }) => overview ?? []),
  };
  served.push(...areas.map((area) => area.serve(runtime)));
  keepers.push(...served.flatMap(({ keep }) => keep ?? []));
  listeners.push(...served.flatMap(({ onHeartbeat }) => onHeartbeat ?? []));
  return {
    handlers: Object.assign({}, ...served.map(({ handlers }) => handlers)) as Handlers,
    protocols: served.flatMap(({ protocol }) => protocol ?? []),
    duties: served.flatMap(({ duties }) => duties ?? []),
    runtime,
    addGauges: (metrics) => {
      for (const { gauges } of served) gauges?.(metrics);
    },
    dismiss: () => {
      for (const { dismiss } of served) dismiss?.();
    },
    close: async () => {
      for (const { close } of served) await close?.();
    },
  };
}
