import type { Explanation } from '@meshwork/contract';
import { Argument, type Command } from 'commander';
import { COMPLETES } from '../../derived/flags.ts';
import { describedCommand } from '../../derived/operations.ts';
import { EXIT_CODES, type Exit } from '../../exit-codes.ts';
import { openSession } from '../../session.ts';
import { explanationText } from './explanation-text.ts';
import { type Wanted, wanted } from './wanted.ts';

const EXIT_OF_VERDICT: Readonly<Record<Explanation['verdict'], Exit>> = {
  allowed: 'done',
  denied: 'denied',
  unknown: 'unknown',
};

export function explain(): Command {
  const from = new Argument('<from>', 'source node, by id or name');
  const to = new Argument('<to[:port]>', 'destination and port').argParser(wanted);
  for (const argument of [from, to]) COMPLETES.set(argument, 'node');
  return describedCommand('explain', 'acls.explain')
    .addArgument(from)
    .addArgument(to)
    .addHelpText('after', EXPLAIN_HELP)
    .action(async (from: string, { to, port }: Wanted, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('acls.explain', { query: { from, to, port } });
      await out.result(body, () => explanationText(body, (tint, text) => out.tinted(tint, text)));
      process.exitCode = EXIT_CODES[EXIT_OF_VERDICT[body.verdict]].code;
    });
}

const EXPLAIN_HELP = `
Examples:
  mesh explain laptop-3 git-1:22            a number alone is a port of TCP
  mesh explain laptop-3 git-1:udp:53
  mesh explain laptop-3 git-1               without a port: ICMP, as ping does
  mesh explain laptop-3 service:git-ssh     a service knows its own port
  mesh explain laptop-3 10.20.1.1:443       an address behind the mesh, or in it
  mesh explain laptop-3 '[fd00::1]:443'

Exits with ${EXIT_CODES.done.code} when it can be reached, with ${EXIT_CODES.denied.code} when it
cannot, and with ${EXIT_CODES.unknown.code} when it is not known.`;
