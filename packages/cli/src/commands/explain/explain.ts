import type { Explanation, ProbeReport } from '@meshwork/contract';
import { Argument, type Command } from 'commander';
import { COMPLETES } from '../../derived/flags.ts';
import { describedCommand } from '../../derived/operations.ts';
import { EXIT_CODES, type Exit } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { openSession } from '../../session.ts';
import { explanationText } from './explanation-text.ts';
import { probeText } from './probe-text.ts';
import { type Wanted, wanted, wantedPort } from './wanted.ts';

const EXIT_OF_VERDICT: Readonly<Record<Explanation['verdict'], Exit>> = {
  allowed: 'done',
  denied: 'denied',
  unknown: 'unknown',
};

/** What happened counts for more than what was explained. Where it does not show, the explanation is what is known. */
function exitOfProbe({ reality, explanation }: ProbeReport): Exit {
  if (reality === 'unknown') return EXIT_OF_VERDICT[explanation.verdict];
  return reality === 'passed' ? 'done' : 'denied';
}

export function explain(): Command {
  const from = new Argument('<from>', 'source node, by id or name');
  const to = new Argument('<to[:port]>', 'destination and port').argParser(wanted);
  const port = new Argument('[port]', 'port, unless it is given with the destination').argParser(wantedPort);
  for (const argument of [from, to]) COMPLETES.set(argument, 'node');
  return describedCommand('explain', 'acls.explain')
    .addArgument(from)
    .addArgument(to)
    .addArgument(port)
    .option('--live', 'also make a real attempt, and compare it with the explanation')
    .addHelpText('after', EXPLAIN_HELP)
    .action(async (from: string, wants: Wanted, port: string | undefined, options: Options, command: Command) => {
      const question = { from, to: wants.to, port: oneOf(wants.port, port) };
      const { client, out } = await openSession(command);
      const tinted: Parameters<typeof explanationText>[1] = (tint, text) => out.tinted(tint, text);
      if (options.live === true) {
        const { body } = await client.call('acls.probe', { body: question });
        await out.result(body, () => probeText(body, tinted));
        process.exitCode = EXIT_CODES[exitOfProbe(body)].code;
        return;
      }
      const { body } = await client.call('acls.explain', { query: question });
      await out.result(body, () => explanationText(body, tinted));
      process.exitCode = EXIT_CODES[EXIT_OF_VERDICT[body.verdict]].code;
    });
}

interface Options {
  readonly live?: true;
}

function oneOf(withDestination: string | undefined, alone: string | undefined): string | undefined {
  if (withDestination === undefined || alone === undefined) return withDestination ?? alone;
  throw new Failure('the port is given twice', {
    exit: 'usage',
    code: 'usage',
    hint: 'mesh explain laptop-3 git-1:22',
  });
}

const EXPLAIN_HELP = `
Examples:
  mesh explain laptop-3 git-1:22            a number alone is a port of TCP
  mesh explain laptop-3 git-1:udp:53
  mesh explain laptop-3 git-1               without a port: ICMP, as ping does
  mesh explain laptop-3 service:git-ssh     a service knows its own port
  mesh explain laptop-3 10.20.1.1:443       an address behind the mesh, or in it
  mesh explain laptop-3 '[fd00::1]:443'     the same as: fd00::1 tcp:443
  mesh explain laptop-3 git-1:22 --live     try it as well

With --live, the agent of the source connects to the destination (TCP), sends a
packet (UDP) or pings (ICMP), and the agent of the destination reports what
arrived and which rule decided. It needs the permission acls:probe, is limited to
one attempt a second, and is recorded in the audit trail.

Exits with ${EXIT_CODES.done.code} when it can be reached, with ${EXIT_CODES.denied.code} when it
cannot, and with ${EXIT_CODES.unknown.code} when it is not known. With --live it is the outcome
of the attempt that counts, if it is known.`;
