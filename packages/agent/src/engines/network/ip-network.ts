import { FAMILIES, type Family, familyOf } from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { InTurn } from '../../host/in-turn.ts';
import { MESH_MTU, ROUTE_PROTOCOL, ROUTE_TABLE } from '../../host/own-numbers.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { HostSettings } from './host-settings.ts';
import type { MeshNetwork, NetworkPlan } from './mesh-network.ts';
import { lookAtNetwork, type SeenLink, type SeenNetwork } from './seen-network.ts';
import { narrowRoute, withoutMtu } from './sized-routes.ts';
import { type WantedNetwork, wantedNetwork } from './wanted-network.ts';
import { wantedSettings } from './wanted-settings.ts';

const NOTHING: WantedNetwork = {
  addresses: { 4: [], 6: [] },
  routes: { 4: [], 6: [] },
  rules: { 4: [], 6: [] },
};

/**
 * The host’s network through `ip`. Routes into the mesh stand in a table of their own, which rules of ours lead to: see
 * `host/own-numbers.ts`. The host’s own table is never written, and only what bears our numbers is ever taken away.
 */
export class IpNetwork implements MeshNetwork {
  readonly #run: RunCommand;
  readonly #host: HostSettings;
  readonly #turns = new InTurn();
  #plan: NetworkPlan | undefined;
  #mtus: ReadonlyMap<string, number> = new Map();

  /** `folder` keeps what the host’s settings were before. */
  constructor({ folder, run = runCommand }: { readonly folder: string; readonly run?: RunCommand }) {
    this.#host = new HostSettings(folder);
    this.#run = run;
  }

  /** The link goes up when all else about it is right; only then can it have routes. Rules that lead to them come last. */
  apply(plan: NetworkPlan): Promise<void> {
    return this.#turns.take(async () => {
      this.#plan = plan;
      const seen = await lookAtNetwork(this.#run);
      if (seen.mesh === undefined) throw new Error(`${MESH_INTERFACE} is not there: WireGuard has to make it first.`);
      const wanted = wantedNetwork(plan, seen, this.#mtus);
      const { settings, problems } = await wantedSettings(plan, this.#question(seen));
      await this.#host.apply(settings);
      await this.#setAddresses(wanted, seen.mesh);
      await this.#batch(4, linkLines(seen));
      for (const family of seen.families) await this.#batch(family, routingLines(wanted, seen, family));
      if (problems.length > 0) throw new Error(`${problems.join('; ')}.`);
    });
  }

  narrow(mtus: ReadonlyMap<string, number>): Promise<void> {
    return this.#turns.take(async () => {
      this.#mtus = mtus;
      if (this.#plan === undefined) return;
      const seen = await lookAtNetwork(this.#run);
      if (seen.mesh?.up !== true) return; // it has no routes now, and is put right with them
      const wanted = wantedNetwork(this.#plan, seen, mtus);
      for (const family of seen.families) await this.#batch(family, routingLines(wanted, seen, family));
    });
  }

  narrowed(): Promise<ReadonlyMap<string, number>> {
    return this.#turns.take(async () => {
      const { routes } = await lookAtNetwork(this.#run);
      const all = FAMILIES.flatMap((family) => routes[family].map(narrowRoute));
      return new Map(all.filter((route) => route !== undefined));
    });
  }

  drift(): Promise<string | null> {
    return this.#turns.take(async () => {
      if (this.#plan === undefined) return null;
      const seen = await lookAtNetwork(this.#run);
      if (seen.mesh === undefined) return `${MESH_INTERFACE} is not there`;
      const { settings } = await wantedSettings(this.#plan, this.#question(seen));
      const differences = [
        ...differencesIn(wantedNetwork(this.#plan, seen, this.#mtus), seen, seen.mesh),
        ...(await this.#host.differences(settings)),
      ];
      return differences.length === 0 ? null : differences.join('; ');
    });
  }

  remove(): Promise<void> {
    return this.#turns.take(async () => {
      const seen = await lookAtNetwork(this.#run);
      for (const family of seen.families) await this.#batch(family, routingLines(NOTHING, seen, family));
      if (seen.mesh !== undefined) {
        await this.#setAddresses(NOTHING, seen.mesh);
        await this.#batch(4, [`link set ${MESH_INTERFACE} down`]);
      }
      await this.#host.apply(new Map());
      this.#plan = undefined;
    });
  }

  #question({ families }: SeenNetwork) {
    return { run: this.#run, host: this.#host, families };
  }

  /** Every address of the mesh’s interface is ours. New ones come before old ones go. */
  async #setAddresses({ addresses }: WantedNetwork, mesh: SeenLink): Promise<void> {
    for (const family of FAMILIES) {
      const seen = mesh.addresses.filter((text) => familyOf(text) === family);
      // The mesh has no neighbours that could object to an address, so there is none to wait for.
      const suffix = family === 6 ? ' nodad' : '';
      await this.#batch(family, [
        ...without(addresses[family], seen).map((address) => `address add ${address} dev ${MESH_INTERFACE}${suffix}`),
        ...without(seen, addresses[family]).map((address) => `address delete ${address} dev ${MESH_INTERFACE}`),
      ]);
    }
  }

  async #batch(family: Family, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#run('ip', [`-${family}`, '-batch', '-'], { input: `${lines.join('\n')}\n` });
  }
}

function linkLines({ mesh, families }: SeenNetwork): readonly string[] {
  const set = `link set ${MESH_INTERFACE}`;
  return [
    ...(families.includes(6) && mesh?.generation !== 'none' ? [`${set} addrgenmode none`] : []),
    ...(mesh?.mtu === MESH_MTU ? [] : [`${set} mtu ${MESH_MTU}`]),
    ...(mesh?.up ? [] : [`${set} up`]),
  ];
}

/** Ways in come before the rules that lead to them, and rules go before what they led to. */
function routingLines(wanted: WantedNetwork, seen: SeenNetwork, family: Family): readonly string[] {
  const [routes, rules] = [wanted.routes[family], wanted.rules[family]];
  const [seenRoutes, seenRules] = [seen.routes[family], seen.rules[family]];
  const [there, replaced] = [new Set(seenRoutes.map(withoutMtu)), new Set(routes.map(withoutMtu))];
  const gone = without(seenRoutes, routes).filter((route) => !replaced.has(withoutMtu(route)));
  return [
    ...without(routes, seenRoutes).map(
      (route) => `route ${there.has(withoutMtu(route)) ? 'replace' : 'add'} ${inTable(route)} proto ${ROUTE_PROTOCOL}`,
    ),
    ...without(rules, seenRules).map((rule) => `rule add ${rule} protocol ${ROUTE_PROTOCOL}`),
    ...without(seenRules, rules).map((rule) => `rule delete ${rule} protocol ${ROUTE_PROTOCOL}`),
    ...gone.map((route) => `route delete ${inTable(route)}`),
  ];
}

function inTable(route: string): string {
  return route.includes(' table ') ? route : `${route} table ${ROUTE_TABLE}`;
}

function differencesIn(wanted: WantedNetwork, seen: SeenNetwork, mesh: SeenLink): readonly string[] {
  const report = (what: string, should: readonly string[], is: readonly string[]) => [
    ...without(should, is).map((one) => `${what} ${one} is missing`),
    ...without(is, should).map((one) => `${what} ${one} should not be there`),
  ];
  return [
    ...(mesh.up ? [] : [`${MESH_INTERFACE} is down`]),
    ...(mesh.mtu === MESH_MTU ? [] : [`${MESH_INTERFACE} has MTU ${mesh.mtu} instead of ${MESH_MTU}`]),
    ...report('address', Object.values(wanted.addresses).flat(), mesh.addresses),
    ...FAMILIES.flatMap((family) => report('route', wanted.routes[family], seen.routes[family])),
    ...FAMILIES.flatMap((family) => report('rule', wanted.rules[family], seen.rules[family])),
  ];
}

function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}
