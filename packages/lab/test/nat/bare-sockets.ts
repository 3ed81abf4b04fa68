import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Place } from '../../src/namespaces/node/place.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A datagram that arrived, and who sent it as seen here. */
interface Received extends Endpoint {
  readonly text: string;
}

/**
 * A small program in a namespace that opens sockets and sends what it is asked to. It is Perl, which every Debian has: it
 * starts in a few milliseconds, and a test of routers needs it in twenty namespaces. Lines in: a number, a verb and its
 * words. Lines out: the number with the answer, or `got`, the socket, the sender and the text. It ends with its input.
 */
const PROGRAM = String.raw`
  use strict;
  use Socket qw(:all);
  $| = 1;
  my %sockets;
  sub packed {
    my ($host, $port) = @_;
    return $host =~ /:/ ? pack_sockaddr_in6($port, inet_pton(AF_INET6, $host)) : pack_sockaddr_in($port, inet_aton($host));
  }
  sub named {
    my $from = shift;
    my ($port, $host) = sockaddr_family($from) == AF_INET6 ? unpack_sockaddr_in6($from) : unpack_sockaddr_in($from);
    return inet_ntop(sockaddr_family($from), $host) . " " . $port;
  }
  sub udp {
    my ($id, $family, $port) = @_;
    my $six = $family == 6;
    socket(my $socket, $six ? AF_INET6 : AF_INET, SOCK_DGRAM, 0) or return "failed $!";
    setsockopt($socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) if $six;
    bind($socket, packed($six ? "::" : "0.0.0.0", $port)) or return "failed $!";
    $sockets{$id} = $socket;
    return "done";
  }
  sub greeting {
    my ($host, $port, $seconds) = @_;
    my $text = "";
    eval {
      local $SIG{ALRM} = sub { die "timed out\n" };
      alarm($seconds);
      socket(my $socket, $host =~ /:/ ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die "$!\n";
      connect($socket, packed($host, $port)) or die "$!\n";
      $text = <$socket>;
      alarm(0);
      1;
    } or do { alarm(0); return "failed $@" };
    return "done " . ($text // "");
  }
  my $input = "";
  while (1) {
    my $ready = "";
    vec($ready, fileno($_), 1) = 1 for values %sockets, \*STDIN;
    next if select($ready, undef, undef, undef) < 1;
    for my $id (keys %sockets) {
      next unless vec($ready, fileno($sockets{$id}), 1);
      my $from = recv($sockets{$id}, my $text, 2048, 0);
      print "got $id ", named($from), " $text\n" if defined $from;
    }
    next unless vec($ready, fileno(STDIN), 1);
    exit 0 unless sysread(STDIN, $input, 65536, length $input);
    while ($input =~ s/^(.*)\n//) {
      my ($number, $verb, @words) = split / /, $1;
      my $answer = $verb eq "udp" ? udp(@words)
        : $verb eq "greeting" ? greeting(@words)
        : send($sockets{$words[0]}, $words[3], 0, packed($words[1], $words[2])) ? "done" : "failed $!";
      chomp $answer;
      print "$number $answer\n";
    }
  }
`;

/** Datagrams from ports of one's choice, and connections, in one namespace. */
export class BareSockets implements AsyncDisposable {
  readonly #place: Place;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, PromiseWithResolvers<string>>();
  readonly #sockets: BareSocket[] = [];
  #asked = 0;

  constructor(place: Place) {
    this.#place = place;
    this.#child = place.spawn('perl', ['-e', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdin, stdout } = this.#child;
    if (stdin === null || stdout === null) throw new Error('the sockets have no input and output');
    stdin.on('error', () => undefined); // it has ended, which its exit says better
    createInterface({ input: stdout }).on('line', (line) => this.#heard(line));
    this.#child.on('exit', () => {
      for (const waiting of this.#waiting.values())
        waiting.reject(new Error(`the sockets in ${place.name} have ended`));
    });
  }

  /** Receives from now on. */
  async bind(port: number, family: 4 | 6 = 4): Promise<BareSocket> {
    const id = this.#sockets.length;
    const socket = new BareSocket((to, text) => this.#ask('send', id, to.host, to.port, text), this.#place.name);
    this.#sockets.push(socket);
    await this.#ask('udp', id, family, port);
    return socket;
  }

  /** The first line that a TCP server says. Rejects when it is not reached. */
  async greeting({ host, port }: Endpoint, timeout_s: number): Promise<string> {
    return await this.#ask('greeting', host, port, timeout_s);
  }

  async #ask(verb: string, ...words: readonly (string | number)[]): Promise<string> {
    this.#asked += 1;
    const waiting = Promise.withResolvers<string>();
    this.#waiting.set(String(this.#asked), waiting);
    this.#child.stdin?.write(`${[this.#asked, verb, ...words].join(' ')}\n`);
    return await waiting.promise;
  }

  #heard(line: string): void {
    const [number = '', outcome = '', ...rest] = line.split(' ');
    if (number === 'got') {
      const [host = '', port = '', text = ''] = rest;
      this.#sockets[Number(outcome)]?.receive({ host, port: Number(port), text });
      return;
    }
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (outcome === 'done') waiting?.resolve(rest.join(' '));
    else waiting?.reject(new Error(`in ${this.#place.name}: ${rest.join(' ')}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Ours: a datagram in a lab takes a fraction of a millisecond, or is lost. */
const ARRIVES_WITHIN_MS = 20_000;

export class BareSocket {
  readonly #received: Received[] = [];
  readonly #waiting = new Map<string, (from: Endpoint) => void>();
  readonly #send: (to: Endpoint, text: string) => Promise<unknown>;
  readonly #place: string;

  constructor(send: (to: Endpoint, text: string) => Promise<unknown>, place: string) {
    this.#send = send;
    this.#place = place;
  }

  async send(to: Endpoint, text: string): Promise<void> {
    await this.#send(to, text);
  }

  /** Called with what arrives. */
  receive(one: Received): void {
    this.#received.push(one);
    this.#waiting.get(one.text)?.(one);
  }

  /** Waits for a datagram with this text, and answers with where it came from. */
  async from(text: string): Promise<Endpoint> {
    const from = await this.#next(text, ARRIVES_WITHIN_MS);
    if (from === undefined) throw new Error(`"${text}" does not arrive in ${this.#place}`);
    return from;
  }

  /** Whether a datagram with this text arrives within the time. */
  async arrives(text: string, within_ms: number): Promise<boolean> {
    return (await this.#next(text, within_ms)) !== undefined;
  }

  async #next(text: string, within_ms: number): Promise<Endpoint | undefined> {
    const found = this.#received.find((each) => each.text === text);
    if (found !== undefined) return found;
    const { promise, resolve } = Promise.withResolvers<Endpoint | undefined>();
    const timer = setTimeout(() => resolve(undefined), within_ms);
    this.#waiting.set(text, resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(text);
    }
  }

  has(text: string): boolean {
    return this.#received.some((each) => each.text === text);
  }
}
