import type { LabNode } from '@meshwork/lab';
import { onAllCores } from '../all-cores.ts';
import { BenchLab, type Grant } from '../bench-lab.ts';
import { median, type Row } from '../measure.ts';
import { now, Pings } from '../traffic.ts';
import { until } from '../until.ts';

const NEWCOMERS = 5;
const CHANGES = 9;
/** No answer for this long, with a ping every few milliseconds: the traffic is blocked. */
const QUIET_MS = 700;
const PING_EVERY_S = 0.005;

const ICMP: Grant = { from: 'a', to: 'b', allow: ['icmp'] };
/** Keeps the two peers of each other, whatever else is allowed. */
const OTHER: Grant = { from: 'a', to: 'b', allow: ['tcp:9'] };

/** How long people wait: for a new node to join the mesh, and for a change of the policy to affect packets. */
export function meshSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    const newcomers = Array.from({ length: NEWCOMERS }, (_, index) => `new-${index + 1}`);
    await using mesh = await BenchLab.start(['a', 'b', ...newcomers]);
    await mesh.allow([{ from: 'everyone', to: 'everyone', allow: ['*'] }]);
    for (const name of ['a', 'b']) await mesh.join(name);
    return [...(await joining(mesh, newcomers)), ...(await changing(mesh))];
  });
}

async function joining(mesh: BenchLab, newcomers: readonly string[]): Promise<Row[]> {
  const target = await mesh.address('a');
  const times: { readonly enrolling: number; readonly all: number; readonly started: number }[] = [];
  for (const name of newcomers) {
    const node = mesh.node(name);
    await using pings = new Pings(node, target, PING_EVERY_S);
    const begun = now();
    await mesh.enrol(name);
    const enrolled = now();
    await node.agent.start();
    await until(() => pings.answered_ms.length > 0, `a ping from ${name} is answered`);
    const [first = Number.NaN] = pings.answered_ms;
    times.push({ enrolling: enrolled - begun, all: first - begun, started: first - enrolled });
  }
  return [
    ms('`mesh agent enroll`, the command', median(times.map(({ enrolling }) => enrolling))),
    ms('the agent’s start to the first ping answered', median(times.map(({ started }) => started))),
    ms('enrolment begun to the first ping answered', median(times.map(({ all }) => all))),
  ];
}

/** A write is begun with its answer: from there on an operator believes that it holds. */
async function changing(mesh: BenchLab): Promise<Row[]> {
  await mesh.allow([OTHER, ICMP]);
  await using pings = new Pings(mesh.node('a'), await mesh.address('b'), PING_EVERY_S);
  const [cuts, opens, peerOpens]: [Change[], Change[], Change[]] = [[], [], []];
  await opened(mesh, pings, [OTHER, ICMP]);
  for (let round = 0; round < CHANGES; round++) {
    cuts.push(await closed(mesh, pings, [OTHER]));
    opens.push(await opened(mesh, pings, [OTHER, ICMP]));
  }
  for (let round = 0; round < CHANGES; round++) {
    await closed(mesh, pings, []);
    peerOpens.push(await opened(mesh, pings, [OTHER, ICMP]));
  }
  return [
    ...rowsOf('a grant that goes: the answer to the last packet through', cuts, '< 2,000 ms'),
    ...rowsOf('a grant that comes: the answer to the first packet through', opens),
    ...rowsOf('the first grant of two nodes, with a handshake', peerOpens),
  ];
}

interface Change {
  readonly after_ms: number;
  readonly write_ms: number;
  readonly engines_ms: number;
}

function closed(mesh: BenchLab, pings: Pings, grants: readonly Grant[]): Promise<Change> {
  return changed(mesh, grants, async () => {
    await until(() => now() - pings.last_ms > QUIET_MS, 'silence');
    return pings.last_ms;
  });
}

function opened(mesh: BenchLab, pings: Pings, grants: readonly Grant[]): Promise<Change> {
  const before = now();
  return changed(mesh, grants, async () => {
    await until(() => pings.firstAfter(before) !== undefined, 'a ping is answered');
    return pings.firstAfter(before) ?? Number.NaN;
  });
}

async function changed(mesh: BenchLab, grants: readonly Grant[], seen: () => Promise<number>): Promise<Change> {
  const engines = await engineMs(mesh.node('b'));
  const begun = now();
  await mesh.allow(grants);
  const answered = now();
  const at = await seen();
  await mesh.untilInSync('b');
  return {
    after_ms: at - answered,
    write_ms: answered - begun,
    engines_ms: (await engineMs(mesh.node('b'))) - engines,
  };
}

function rowsOf(what: string, changes: readonly Change[], aim?: string): Row[] {
  const after = changes.map(({ after_ms }) => after_ms);
  return [
    ms(what, median(after), aim),
    ms('  … the longest of them', Math.max(...after)),
    ms('  … what the write itself took', median(changes.map(({ write_ms }) => write_ms))),
    ms('  … engines of the far node, read back included', median(changes.map(({ engines_ms }) => engines_ms))),
  ];
}

function ms(what: string, value: number, aim?: string): Row {
  return { what, value, unit: 'ms', ...(aim === undefined ? {} : { aim }) };
}

const METRICS = `fetch('http://127.0.0.1:8080/metrics').then(async (answer) => process.stdout.write(await answer.text()))`;

/** Milliseconds that an agent has spent so far on its engines, reading back included. */
async function engineMs(node: LabNode): Promise<number> {
  const text = await node.exec(process.execPath, ['-e', METRICS]);
  const seconds = /^mesh_node_reconcile_seconds_sum (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`${node.name} does not report the time of its engines`);
  return Number(seconds) * 1000;
}
