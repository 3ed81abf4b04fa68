import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchNames } from '../bench-names.ts';
import { interleaved, type Row } from '../measure.ts';
import { canPin, startPinned } from '../pinned.ts';
import { until } from '../until.ts';

const NAMES = 10_000;
const SECONDS = 2;
const ROUNDS = 5;
/** Queries on their way at once, as of a host with many programs. */
const OUTSTANDING = 64;
const PORT = 15_353;

/** DNS of the agent against dnsmasq with the same names, each on one core in the same run. */
export async function namesSuite(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-names-'));
  const ours = await startPinned(new URL('../dns-server.ts', import.meta.url), [String(NAMES)]);
  const theirs = await startDnsmasq(folder);
  try {
    const port = ours.ready.port as number;
    const empty = await startPinned(new URL('../dns-server.ts', import.meta.url), ['0']);
    const [full, bare] = [await ours.measure('tidy'), await empty.measure('tidy')];
    await empty.end();
    const rates = await interleaved(
      ROUNDS,
      () => answers(port),
      () => answers(PORT),
    );
    const against = { what: 'dnsmasq', value: rates.theirs };
    return [
      { what: `${NAMES.toLocaleString('en')} names, A by UDP`, value: rates.ours, unit: 'answers/s', against },
      { what: '  memory for each name', value: (full.rss - bare.rss) / NAMES, unit: 'bytes' },
    ];
  } finally {
    await ours.end();
    const ended = once(theirs, 'exit');
    theirs.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  }
}

async function startDnsmasq(folder: string): Promise<ChildProcess> {
  const hosts = join(folder, 'hosts');
  const lines = Array.from(benchNames(NAMES), ({ name, address, address6 }) =>
    [address, address6].map((one) => `${one} ${name}.mesh\n`).join(''),
  );
  await writeFile(hosts, lines.join(''));
  const listen = ['--listen-address=127.0.0.1', '--bind-interfaces', `--port=${PORT}`];
  const only = ['--no-resolv', '--no-hosts', `--addn-hosts=${hosts}`, '--local=/mesh/', '--conf-file=/dev/null'];
  const life = ['--keep-in-foreground', '--user=root', '--pid-file=', '--local-ttl=5', '--dns-forward-max=1000'];
  const command = ['dnsmasq', ...listen, ...only, ...life];
  const [program = '', ...args] = canPin ? ['taskset', '-c', '0', ...command] : command;
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await until(async () => (await answers(PORT, 0.05)) > 0, 'dnsmasq answers');
  return child;
}

/** How many queries are answered in a second. */
async function answers(port: number, seconds = SECONDS): Promise<number> {
  const socket = createSocket('udp4');
  const end = performance.now() + seconds * 1000;
  let [sent, got] = [0, 0];
  const ask = () => socket.send(queryFor(sent++));
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined); // one that is not there yet
  socket.on('message', () => {
    got++;
    if (performance.now() < end) ask();
  });
  const from = performance.now();
  for (let count = 0; count < OUTSTANDING; count++) ask();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  socket.close();
  return got / ((performance.now() - from) / 1000);
}

function queryFor(index: number): Buffer {
  const name = `node-${(index * 7919) % NAMES}`;
  const header = Buffer.from([(index >> 8) & 255, index & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([
    header,
    Buffer.from(`${String.fromCharCode(name.length)}${name}\x04mesh\0\0\x01\0\x01`, 'latin1'),
  ]);
}
