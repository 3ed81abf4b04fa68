import type { HostRule } from './host-rules.ts';
import { coversTraffic, EVERYWHERE, type Places, type Traffic, trafficOverlaps } from './traffic.ts';

/** A flow, of which some members are one value that we do not know. */
export interface PartlyKnownFlow {
  readonly traffic: Omit<Traffic, 'interface'>;
  /** Undefined: unknown, and any but the mesh. Several: one of them. */
  readonly interfaces: readonly string[] | undefined;
  readonly unknown: readonly ('from' | 'to')[];
}

/** The rules that drop such a flow. `certain` false: it depends on what we do not know, or on a rate. */
export interface Cut {
  readonly rules: readonly string[];
  readonly certain: boolean;
}

/** Where the interface is one of several, a drop on one of them may be enough, and it takes all of them to be certain. */
export function findCut(rules: readonly HostRule[], way: PartlyKnownFlow): Cut | undefined {
  // No interface has this name, so only a rule about any interface is sure to cover it.
  const names = way.interfaces ?? [''];
  const cuts = names.map((name) => findCutOn(rules, { ...way.traffic, interface: name }, way));
  const cutting = cuts.flatMap((cut) => cut?.rules ?? []);
  return cutting.length === 0 ? undefined : { rules: cutting, certain: cuts.every((cut) => cut?.certain) };
}

/** The rule that drops it. One that may is kept while the search for one that does goes on. */
function findCutOn(rules: readonly HostRule[], flow: Traffic, way: PartlyKnownFlow): Cut | undefined {
  let doubtful: Cut | undefined;
  let maySave = false;
  for (const { rule, traffic } of rules) {
    const certain = coversTraffic(traffic, flow);
    if (rule.action === 'log' || !(certain || mayCover(traffic, flow, way))) continue;
    if (rule.action === 'drop') {
      if (certain) return { rules: [rule.id], certain: !maySave };
      doubtful ??= { rules: [rule.id], certain: false };
    } else if (certain && rule.rate === undefined) {
      return doubtful;
    } else {
      maySave = true;
    }
  }
  return doubtful;
}

/** Whether it would cover the flow if the parts that we do not know were the right ones. */
function mayCover(traffic: Traffic, flow: Traffic, { interfaces, unknown }: PartlyKnownFlow): boolean {
  const isUnknown = interfaces === undefined;
  if (isUnknown && traffic.interface === 'mesh') return false;
  const there: Traffic = { ...traffic, interface: isUnknown ? 'any' : traffic.interface };
  const widened: Traffic = {
    ...there,
    from: unknown.includes('from') ? EVERYWHERE : traffic.from,
    to: unknown.includes('to') ? EVERYWHERE : traffic.to,
  };
  return coversTraffic(widened, flow) && trafficOverlaps(there, flow);
}

export function wholeFamily(family: 4 | 6): Places {
  return { 4: [], 6: [], [family]: EVERYWHERE[family] };
}

export function onePort(port: number): Traffic['ports'] {
  return [{ first: BigInt(port), last: BigInt(port) }];
}
