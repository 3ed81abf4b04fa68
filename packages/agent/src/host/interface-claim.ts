import { once } from 'node:events';
import { createServer } from 'node:net';
import { isCode } from './atomic-file.ts';
import { StateError } from './state-error.ts';

interface InterfaceClaim {
  release(): Promise<void>;
}

/**
 * One agent at a time drives an interface, whatever folder it keeps itself in: two would undo each other's work for ever. A
 * socket with a name that is in no folder belongs to a network and not to a file system, as interfaces do: agents in other
 * namespaces have their own, and it is gone when the process is, however that ends. No request on it is answered. A local
 * user could take the name before us, as they could take our UDP port; that is reported, too.
 */
export async function claimInterface(name: string): Promise<InterfaceClaim> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ path: `\0mesh-agent/${name}` });
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!isCode(error, 'EADDRINUSE')) throw error;
    const message = `another agent drives ${name} on this machine, with another state folder: only one can`;
    throw new StateError('in_use', message, error);
  }
  server.unref();
  return {
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}
