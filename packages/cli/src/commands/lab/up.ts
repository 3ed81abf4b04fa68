import type { Node } from '@meshwork/contract';
import type { Lab } from '@meshwork/lab';
import { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { type Connection, type GlobalFlags, readConnection } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { hintFor } from '../../hints.ts';
import type { Output } from '../../output.ts';
import { ProgressLine } from '../../progress-line.ts';
import { openSession } from '../../session.ts';
import { abortOnSignal } from '../../signals.ts';
import { table } from '../../table.ts';
import { DEFAULT_LAB, ensureNoWords, inLab, NAME_FLAG, type NameOption, outsideText, thisProgram } from './in-lab.ts';
import { type SpecFlags, specOf } from './lab-spec-flags.ts';

export function labUp(): Command {
  return new Command('up')
    .description('Bring up a mesh on this machine: every node in a network namespace of its own. Needs root.')
    .option('--nodes <count>', 'how many; they are called lab-1, lab-2 and so on, after the lab', wholeNumber, 3)
    .option(...NAME_FLAG)
    .option('--tag <node=tag...>', 'a tag of a node, such as lab-1=role:git')
    .option('--nat <nodes...>', 'nodes behind a router that translates addresses')
    .option('--site <site=router:nodes...>', 'nodes behind a router of some kind: home=symmetric:lab-1,lab-2')
    .option('--subnet <cidr=nodes...>', 'a network behind nodes, with a host in it: 10.50.0.0/24=lab-1,lab-2')
    .addHelpText('after', UP_HELP)
    .allowExcessArguments()
    .action(async ({ name = DEFAULT_LAB, ...flags }: SpecFlags & NameOption, command: Command) => {
      ensureNoWords(command);
      const { url, token } = await connectionWithToken(command);
      const { client, out } = await openSession(command);
      const spec = specOf(name, flags);
      const signal = abortOnSignal();
      // A coordinator that is away, or does not know the token, says so better here than to a node inside the lab.
      await client.call('self.whoami', { signal });
      await inLab(async ({ Lab, approveSubnets, untilHeard }) => {
        using progress = new ProgressLine(out);
        const lab = await Lab.up({
          ...spec,
          coordinator: url,
          token,
          program: thisProgram(),
          stays: true,
          signal,
          onNode: counted((up) => progress.show(`${up} of ${flags.nodes} nodes enrolled`)),
        }).catch((error) => {
          throw signal.aborted ? signal.reason : error; // what is interrupted fails in its own words
        });
        try {
          progress.show('waiting for their first heartbeats');
          await approveSubnets(lab, client);
          const nodes = await untilHeard(lab, { client, signal });
          progress[Symbol.dispose]();
          await out.result(nodes, () => upText(lab, nodes, out));
        } catch (error) {
          out.notice(
            `the lab stays as it is: mesh lab status --name ${name} shows it, mesh lab down --name ${name} ends it`,
          );
          throw error;
        }
      });
    });
}

function counted(tell: (count: number) => void): () => void {
  let count = 0;
  return () => {
    count += 1;
    tell(count);
  };
}

const UP_HELP = `
A router of --site is full-cone, address-restricted, port-restricted, symmetric, masquerade,
masquerade-random or masquerade-fully-random; also, after a comma, hairpin, tcp-only, tcp-443-only,
dual-stack, ipv6-only or behind=SITE. With --site, nodes in no site have public addresses.

The nodes enrol at the coordinator that mesh talks to, with the token that it uses. Nothing of this
machine's own network is touched. The lab lives until mesh lab down, or until the machine ends.`;

async function connectionWithToken(command: Command): Promise<Connection & { readonly token: string }> {
  const connection = await readConnection(command.optsWithGlobals<GlobalFlags>());
  const { token } = connection;
  if (token !== undefined) return { ...connection, token };
  const hint = hintFor('credentials_missing');
  const message = 'a token that may enrol nodes is needed';
  throw new Failure(message, { exit: 'refused', code: 'credentials_missing', ...(hint && { hint }) });
}

function upText(lab: Lab, nodes: readonly Node[], out: Output): string {
  const rows = nodes.map(({ name, address, state, id }) => {
    return [name, address.replace('/32', ''), outsideText(lab.node(name).planned), state, id];
  });
  const [one = '', other = one] = nodes.map(({ name }) => name);
  return [
    table(['NAME', 'IN THE MESH', 'OUTSIDE', 'STATE', 'ID'], rows, (text) => out.strong(text)),
    '',
    `try: mesh lab exec ${one} ping ${other}`,
  ].join('\n');
}
