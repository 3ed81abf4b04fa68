/** Says what this process lacks to be an agent, as JSON. Arguments: a UDP port, a TCP port, and programs that are not there. */
import { writeSync } from 'node:fs';
import { preflight } from '../src/data-plane/preflight.ts';
import { runCommand } from '../src/host/run-command.ts';

const [, , udp, tcp, ...missing] = process.argv;
const lacks = await preflight({
  config: { wireguard_port: Number(udp), health_listen: { host: '127.0.0.1', port: Number(tcp) } },
  run: (command, args, options) =>
    runCommand(missing.includes(command) ? `${command}-not-there` : command, args, options),
});
writeSync(1, JSON.stringify(lacks));
