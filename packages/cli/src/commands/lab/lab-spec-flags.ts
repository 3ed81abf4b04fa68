import type { LabSpec, NodeSpec, SubnetSpec } from '@meshwork/lab';
import { Failure } from '../../failure.ts';
import { siteOf } from './site-flag.ts';

/** What the flags of `mesh lab up` say of the lab. */
export interface SpecFlags {
  readonly nodes: number;
  readonly subnet?: readonly string[];
  readonly nat?: readonly string[];
  readonly site?: readonly string[];
  readonly tag?: readonly string[];
}

/** More are not even named: the lab itself says how many it can have, and a slip of the finger must not fill the memory. */
const FAR_TOO_MANY = 10_000;

/** Nodes are called after their lab, so that two labs fit into one mesh: `lab-1`, `lab-2` and so on. */
export function specOf(lab: string, flags: SpecFlags): LabSpec {
  const { nodes: count, subnet = [], nat = [], site = [], tag = [] } = flags;
  const names = Array.from({ length: Math.min(count, FAR_TOO_MANY) }, (_, index) => `${lab}-${index + 1}`);
  const tags = tag.map((text) => pair(text, '--tag', `${lab}-1=role:git`));
  const sites = site.map((text) => siteOf(text, lab));
  const inSites = sites.flatMap(({ spec, nodes }) => nodes.map((node) => [node, spec.name] as const));
  for (const name of [...nat, ...inSites.map(([node]) => node), ...tags.map(([node]) => node)]) {
    if (!names.includes(name)) throw usage(`there is no node "${name}"; they are ${names[0]} to ${names.at(-1)}`);
  }
  const nodes = names.map((name): NodeSpec => {
    const own = tags.filter(([node]) => node === name).map(([, text]) => text);
    const [in_site, other] = inSites.filter(([node]) => node === name).map(([, text]) => text);
    if (other !== undefined) throw usage(`${name} cannot be in ${in_site} and in ${other}`);
    return { name, nat: nat.includes(name), tags: own, ...(in_site === undefined ? {} : { site: in_site }) };
  });
  const subnets = subnet.map((text) => subnetOf(text, lab));
  return { name: lab, nodes, subnets, ...(sites.length === 0 ? {} : { sites: sites.map(({ spec }) => spec) }) };
}

function subnetOf(text: string, lab: string): SubnetSpec {
  const [cidr, nodes] = pair(text, '--subnet', `10.50.0.0/24=${lab}-1,${lab}-2`);
  return { cidr, providers: nodes.split(',') };
}

function pair(text: string, flag: string, example: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw usage(`${flag} looks like ${example}, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function usage(message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage' });
}
