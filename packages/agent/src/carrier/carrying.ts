/** What a carrier does, all of it: its sockets, its allocations and its links, as the agent's commands have them. */
import { ownAddresses } from '../host/own-addresses.ts';
import { Allocations } from './allocations/allocations.ts';
import type { KeptAllocation } from './allocations/kept-allocation.ts';
import type { Handlers } from './control/control-server.ts';
import type { Answer, CarrierEvent, Command, EventName, WantedWay } from './control/messages.ts';
import { Echo } from './echo/echo.ts';
import { CarriedLinks } from './links/carried-links.ts';
import type { Way } from './links/link.ts';
import { LoopbackSocket } from './links/loopback-socket.ts';
import { DirectWay } from './shared-port/direct-way.ts';
import { SharedPort } from './shared-port/shared-port.ts';

interface CarryingOptions {
  readonly report: <N extends EventName>(event: N, facts: CarrierEvent<N>) => void;
  readonly droppedEvents: () => number;
  /** Asked for by the agent. */
  readonly end: () => void;
}

interface Sockets {
  readonly node: string;
  readonly loopback: LoopbackSocket;
  readonly shared: SharedPort;
}

export class Carrying {
  readonly #options: CarryingOptions;
  readonly #allocations = new Allocations({
    received: (packet) => this.#links.arrived(packet),
    lost: (allocation) => this.#lost(allocation),
  });
  readonly #links = new CarriedLinks({
    report: (event, facts) => this.#options.report(event, facts),
    wayOf: (wanted) => this.#wayOf(wanted),
    isKept: (allocation) => this.#allocations.find(allocation.wanted.allocation) === allocation,
    deliver: (data, address) => this.#sockets?.loopback.deliver(data, address),
  });
  #sockets: Sockets | undefined;
  #opening: Promise<Sockets> | undefined;
  #echo: Echo | undefined;

  readonly handlers: Handlers = {
    open: (wanted) => this.#open(wanted),
    state: () => this.#state(),
    traffic: ({ within_ms }) => this.#links.traffic(within_ms),
    links: (change) => this.#links.change(change),
    allocate: (wanted) => this.#allocations.make(wanted),
    permit: async ({ allocation, addresses }) => ({ refused: await this.#allocations.permit(allocation, addresses) }),
    check: () => {
      this.#allocations.checkAll(new Set(ownAddresses()));
      return {};
    },
    release: async ({ allocation }) => {
      this.#links.withoutWaysVia(allocation);
      await this.#allocations.release(allocation);
      return {};
    },
    ask: ({ to, peer }) => ({ transaction: this.#opened().shared.ask(to, peer) }),
    listen_for_echoes: async ({ echo }) => {
      this.#echo?.close();
      this.#echo = undefined;
      if (echo === undefined) return {};
      const opened = await Echo.open(echo, {
        echoed: (facts) => this.#options.report('echoed', facts),
        messaged: (facts) => this.#options.report('messaged', facts),
      });
      (this.#echo as Echo | undefined)?.close(); // another command was faster
      this.#echo = opened;
      return {};
    },
    echo: ({ to, bytes }) => ({ transaction: this.#listening().ask(to, bytes) }),
    message: ({ to, text }) => {
      this.#listening().send(to, text);
      return {};
    },
    end: () => {
      setImmediate(this.#options.end);
      return {};
    },
  };

  constructor(options: CarryingOptions) {
    this.#options = options;
  }

  /** Gives back what relays hold for us. */
  async close(): Promise<void> {
    this.#links.close();
    await this.#allocations.releaseAll();
    this.#sockets?.loopback.close();
    this.#sockets?.shared.close();
    this.#echo?.close();
  }

  #opened(): Sockets {
    if (this.#sockets === undefined) throw new Error('the sockets are not open');
    return this.#sockets;
  }

  #listening(): Echo {
    if (this.#echo === undefined) throw new Error('there is nowhere to ask from');
    return this.#echo;
  }

  async #open({ node, wireguard_port, loopback_port }: Command<'open'>): Promise<Answer<'open'>> {
    this.#opening ??= this.#openSockets(node, wireguard_port, loopback_port);
    try {
      this.#sockets = await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    if (this.#sockets.node !== node) throw new Error(`this is the carrier of ${this.#sockets.node}`);
    this.#sockets.loopback.wireguard_port = wireguard_port;
    return socketsState(this.#sockets);
  }

  async #openSockets(node: string, wireguard_port: number, port: number | undefined): Promise<Sockets> {
    const received = (data: Buffer, address: string) => this.#links.sent(data, address);
    const loopback = await LoopbackSocket.open({ wireguard_port, port, received });
    try {
      const shared = await SharedPort.open({
        node,
        keyOf: (peer) => this.#links.keyOf(peer),
        answered: (facts) => this.#options.report('answered', facts),
        asked: (facts) => this.#options.report('asked', facts),
      });
      return { node, loopback, shared };
    } catch (error) {
      loopback.close();
      throw error;
    }
  }

  #lost({ wanted: { allocation }, lost = '' }: KeptAllocation): void {
    this.#links.withoutWaysVia(allocation);
    this.#options.report('allocation_lost', { allocation, reason: lost.slice(0, 1000) });
  }

  #wayOf(wanted: WantedWay): Way {
    if ('direct' in wanted) return new DirectWay(this.#opened().shared, wanted.direct);
    const allocation = this.#allocations.find(wanted.via);
    if (allocation === undefined) throw new Error(`there is no allocation ${wanted.via}`);
    return allocation.wayTo(wanted.to);
  }

  #state(): Answer<'state'> {
    return {
      ...(this.#sockets === undefined ? {} : { sockets: socketsState(this.#sockets) }),
      allocations: this.#allocations.list(),
      ...this.#links.state(),
      ...(this.#echo === undefined ? {} : { echo: this.#echo.places }),
      dropped_events: this.#options.droppedEvents(),
    };
  }
}

function socketsState({ node, loopback, shared }: Sockets): Answer<'open'> {
  const { wireguard_port, port } = loopback;
  return { node, wireguard_port, loopback_port: port, shared_ports: shared.ports };
}
