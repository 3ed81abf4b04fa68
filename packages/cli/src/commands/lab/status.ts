import type { Cut, Lab } from '@meshwork/lab';
import { Command } from 'commander';
import type { Output } from '../../output.ts';
import { outputOf } from '../../session.ts';
import { table } from '../../table.ts';
import { ensureNoWords, inLab, meantLab, NAME_FLAG, type NameOption, outsideText, thisProgram } from './in-lab.ts';

export function labStatus(): Command {
  return new Command('status')
    .description(
      'The nodes of a lab, whether their agents run, its sites and subnets, and which links are cut. Needs root.',
    )
    .option(...NAME_FLAG)
    .allowExcessArguments()
    .action(async (option: NameOption, command: Command) => {
      ensureNoWords(command);
      const out = outputOf(command);
      await inLab(async (labs) => {
        const lab = await labs.Lab.open(await meantLab(labs, option), thisProgram());
        const status = await statusOf(lab);
        await out.result(status, () => statusText(status, out));
      });
    });
}

interface LabStatus {
  readonly nodes: readonly {
    readonly name: string;
    readonly id: string | null;
    readonly agent: 'runs' | 'ended' | 'not enrolled';
    readonly address: string;
    readonly nat: boolean;
    readonly site: string | null;
  }[];
  readonly sites: readonly {
    readonly name: string;
    readonly nat: string;
    readonly egress: string;
    readonly behind: string | null;
  }[];
  readonly subnets: readonly { readonly cidr: string; readonly nodes: readonly string[]; readonly host: string }[];
  readonly cut: readonly Cut[];
}

async function statusOf(lab: Lab): Promise<LabStatus> {
  const nodes = [...lab.nodes.values()].map(async ({ name, address, planned, agent }) => {
    const id = (await lab.node(name).id()) ?? null;
    const runs = (await agent.isRunning()) ? 'runs' : 'ended';
    const { site } = planned;
    const agentIs = id === null ? 'not enrolled' : runs;
    return { name, id, agent: agentIs, address, nat: site !== null, site: site === name ? null : site } as const;
  });
  const subnets = lab.plan.subnets.map(({ cidr, providers, host }) => ({
    cidr,
    nodes: providers.map(({ node }) => node),
    host: `${host.name} (${host.address})`,
  }));
  const own = new Set(lab.nodes.keys()); // routers of single nodes are no sites to an operator
  const sites = lab.plan.sites
    .filter(({ name }) => !own.has(name))
    .map(({ name, nat, egress, behind }) => ({ name, nat, egress, behind }));
  return { nodes: await Promise.all(nodes), sites, subnets, cut: await lab.cuts() };
}

function statusText({ nodes, sites, subnets, cut }: LabStatus, out: Output): string {
  const rows = nodes.map(({ name, agent, address, nat, site, id }) => [
    name,
    agent,
    outsideText({ name, address, site: nat ? (site ?? name) : null }),
    id ?? '-',
  ]);
  return [
    table(['NAME', 'AGENT', 'OUTSIDE', 'ID'], rows, (text) => out.strong(text)),
    ...sites.map(siteText),
    ...subnets.map(({ cidr, nodes: via, host }) => `subnet ${cidr}: ${host}, behind ${via.join(', ')}`),
    ...cut.map(([one, other]) => `cut: ${one} and ${other}`),
  ].join('\n');
}

function siteText({ name, nat, egress, behind }: LabStatus['sites'][number]): string {
  const more = [...(egress === 'everything' ? [] : [egress]), ...(behind === null ? [] : [`behind ${behind}`])];
  return `site ${name}: ${[nat, ...more].join(', ')}`;
}
