import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Place } from '../../src/namespaces/node/place.ts';

/** Of packets that are long enough to be a part of a stream. */
interface Captured {
  readonly packets: number;
  /** Of these, those that have the text in them. */
  readonly readable: number;
}

/**
 * Sees every packet on every interface of a machine, as `tcpdump` does, and counts. It is Perl, which every Debian has, since Node
 * has no such sockets: AF_PACKET, SOCK_RAW, ETH_P_ALL. It ends with its input.
 */
const PROGRAM = String.raw`
  use strict;
  $| = 1;
  my ($text, $bytes) = @ARGV;
  socket(my $socket, 17, 3, unpack("S", pack("n", 3))) or die "no capture: $!\n";
  print "ready\n";
  my ($packets, $readable) = (0, 0);
  while (1) {
    my $ready = "";
    vec($ready, fileno($_), 1) = 1 for $socket, \*STDIN;
    next if select($ready, undef, undef, undef) < 1;
    if (vec($ready, fileno(STDIN), 1)) {
      print "$packets $readable\n";
      exit 0;
    }
    next unless defined recv($socket, my $packet, 65536, 0);
    next if length($packet) < $bytes;
    $packets++;
    $readable++ if index($packet, $text) >= 0;
  }
`;

export class Capture implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess) {
    const { stdout } = child;
    if (stdout === null) throw new Error('the capture has no output');
    this.#child = child;
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Counts from now on what is `bytes` long or longer. */
  static async start(
    place: Place,
    { text, bytes }: { readonly text: string; readonly bytes: number },
  ): Promise<Capture> {
    const child = place.spawn('perl', ['-e', PROGRAM, text, String(bytes)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const capture = new Capture(child);
    await capture.#line();
    return capture;
  }

  async end(): Promise<Captured> {
    this.#child.stdin?.end();
    const [packets, readable] = (await this.#line()).split(' ').map(Number);
    return { packets: packets ?? 0, readable: readable ?? 0 };
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the capture has ended');
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
