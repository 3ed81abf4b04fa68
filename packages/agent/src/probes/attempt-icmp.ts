import { execFile } from 'node:child_process';
import { BARE_ENVIRONMENT } from '../host/bare-environment.ts';
import { codeOf } from '../host/lack.ts';
import type { Attempt, Outcome } from './outcome.ts';

/**
 * One echo request, and what comes back: `answered`, `timed_out`, `unreachable WHY` or `denied WHY`.
 *
 * Node has no sockets for ICMP. Not `ping`: it has the capability to open raw sockets in its file, and the kernel does not start it
 * in a service that lacks that one. A datagram socket for ICMP needs none; Debian allows it to all (`net.ipv4.ping_group_range`).
 */
const PROGRAM = `
  use strict;
  use Socket;
  my ($from, $to, $within_ms) = @ARGV;
  my $six = index($to, ":") >= 0;
  my $family = $six ? Socket::AF_INET6 : AF_INET;
  sub say_it { print "$_[0]\\n"; exit 0 }
  sub place {
    my $address = Socket::inet_pton($family, $_[0]);
    return $six ? Socket::pack_sockaddr_in6(0, $address) : Socket::pack_sockaddr_in(0, $address);
  }
  socket(my $socket, $family, SOCK_DGRAM, $six ? 58 : 1) or say_it("denied $!");
  bind($socket, place($from)) or say_it("unreachable $!");
  connect($socket, place($to)) or say_it("unreachable $!");
  defined send($socket, pack("CCnnna*", $six ? 128 : 8, 0, 0, 0, 1, "meshwork"), 0) or say_it("unreachable $!");
  my $ready = "";
  vec($ready, fileno($socket), 1) = 1;
  say_it("timed_out") if select($ready, undef, undef, $within_ms / 1000) < 1;
  say_it(defined recv($socket, my $answer, 1500, 0) ? "answered" : "unreachable $!");
`;

/** Ours: to start it on a busy machine. */
const STARTS_WITHIN_MS = 2_000;
const DENIED =
  'this host lets no program send echo requests: sysctl -w net.ipv4.ping_group_range="0 2147483647" allows it';

export async function tryEcho({ flow, within_ms }: Attempt, signal: AbortSignal): Promise<Outcome> {
  const said = await run([flow.from, flow.to, String(within_ms)], { timeout: within_ms + STARTS_WITHIN_MS, signal });
  const [outcome = '', ...words] = said.trim().split(' ');
  const detail = words.join(' ').slice(0, 200);
  switch (outcome) {
    case 'answered':
    case 'timed_out':
      return { outcome };
    case 'unreachable':
      return { outcome, detail };
    case 'denied':
      throw new Error(DENIED);
    default:
      throw new Error('perl ended without an outcome');
  }
}

function run(args: readonly string[], options: { timeout: number; signal: AbortSignal }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const given = { ...options, cwd: '/', env: BARE_ENVIRONMENT, killSignal: 'SIGKILL' } as const;
  execFile('perl', ['-e', PROGRAM, '--', ...args], given, (error, stdout, stderr) => {
    if (error === null) resolve(stdout);
    else if (codeOf(error) === 'ENOENT') reject(new Error('perl is not installed'));
    else reject(new Error(`no echo request was sent: ${stderr.trim().slice(0, 200) || error.message}`));
  });
  return promise;
}
