import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { BARE_ENVIRONMENT } from './bare-environment.ts';

/** `route`: links, addresses, routes and routing rules. `netfilter`: tables of nftables. */
export type NetlinkProtocol = 'route' | 'netfilter';

export interface NetlinkListener {
  /** It listens from now on. What happened before was not heard. */
  ready(): void;
  /** One datagram of the kernel: some messages, one after the other. See `netlink-message.ts`. */
  heard(protocol: NetlinkProtocol, datagram: Buffer): void;
  /** The kernel had more to say than could be kept, and dropped some of it. */
  missed(): void;
}

const PROTOCOLS: readonly NetlinkProtocol[] = ['route', 'netfilter'];
const READY = 0xff;
const HEADER_BYTES = 5;

/**
 * Listens on two netlink sockets, which Node cannot open, and passes on what comes, as `length, which, datagram`. Perl is on
 * every Debian (`perl-base` is essential). Not `nft monitor`: see decision 0052. It ends when its input does, so it cannot
 * outlive the agent, however that ends.
 *
 * The groups are those of linux/rtnetlink.h (links; addresses, routes and rules of both families) and linux/nfnetlink.h (nftables).
 */
const PROGRAM = `
  use strict;
  my @sockets;
  my @groups = ([0, 0x1 | 0x10 | 0x40 | 0x80 | 0x100 | 0x400 | 0x40000], [12, 0x40]);
  for my $one (@groups) {
    socket(my $socket, 16, 3, $one->[0]) or die "netlink: $!\\n";
    setsockopt($socket, 1, 33, pack("l", 8 << 20));
    bind($socket, pack("SSLL", 16, 0, 0, $one->[1])) or die "netlink: $!\\n";
    push @sockets, $socket;
  }
  binmode STDOUT;
  $| = 1;
  print pack("NC", 0, 255);
  while (1) {
    my $ready = "";
    vec($ready, fileno($_), 1) = 1 for @sockets, \\*STDIN;
    next if select($ready, undef, undef, undef) < 1;
    exit 0 if vec($ready, fileno(STDIN), 1) && !sysread(STDIN, my $ignored, 4096);
    for my $which (0, 1) {
      next unless vec($ready, fileno($sockets[$which]), 1);
      my $heard = defined recv($sockets[$which], my $datagram, 1 << 20, 0);
      print pack("NC", $heard ? length $datagram : 0, $which), $heard ? $datagram : "";
    }
  }
`;

/** What goes before the program, so that it listens in another namespace. */
type Prefix = readonly string[];

/** One run of the program. Resolves when the signal aborts; rejects with the reason when it ends by itself. */
export async function listenOnce(listener: NetlinkListener, signal: AbortSignal, prefix: Prefix = []): Promise<void> {
  if (signal.aborted) return;
  const [command = '', ...args] = [...prefix, 'perl', '-e', PROGRAM];
  const child = spawn(command, args, { cwd: '/', env: BARE_ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'] });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const said = await outcomeOf(child, listener);
    if (!signal.aborted) throw new Error(`the listener for changes of the network ended: ${said}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function outcomeOf(child: ChildProcess, listener: NetlinkListener): Promise<string> {
  let complaint = '';
  const frames = new Frames(listener);
  child.stdout?.on('data', (chunk: Buffer) => frames.take(chunk));
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(0, 300);
  });
  try {
    const [code, name] = (await once(child, 'close')) as [number | null, string | null];
    return complaint.trim() || `exit ${code ?? name}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'perl is not installed' : String(error);
  }
}

/** A stream of bytes back into the datagrams that it was made of. */
class Frames {
  readonly #listener: NetlinkListener;
  #rest: Buffer = Buffer.alloc(0);

  constructor(listener: NetlinkListener) {
    this.#listener = listener;
  }

  take(chunk: Buffer): void {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUInt32BE(0);
      if (rest.length < end) break;
      this.#pass(rest.readUInt8(4), rest.subarray(HEADER_BYTES, end));
      rest = rest.subarray(end);
    }
    this.#rest = rest;
  }

  #pass(which: number, datagram: Buffer): void {
    const protocol = PROTOCOLS[which];
    if (which === READY) this.#listener.ready();
    else if (protocol === undefined || datagram.length === 0) this.#listener.missed();
    else this.#listener.heard(protocol, datagram);
  }
}
