import { DEFAULT_URL, type Environment, isThisMachine, programName } from '../config.ts';
import { panelFields } from '../panel-fields.ts';
import { fields } from '../table.ts';

/** Where a demo runs. */
interface DemoPlace {
  readonly url: string;
  readonly panel_url: string;
  /** Makes the first person of the panel. */
  readonly setup_code: string | null;
  readonly data_dir: string;
  readonly token_file: string;
  readonly nodes: number;
}

interface Guide extends DemoPlace {
  /** `NAME=value`, quoted for a shell: what the commands need to find the demo. */
  readonly environment: readonly string[];
  readonly commands: readonly { readonly command: string; readonly shows: string }[];
}

type Role =
  | 'server'
  | 'laptop'
  | 'gateway'
  | 'database'
  | 'other_laptop'
  | 'pending'
  | 'quarantined'
  | 'silent'
  | 'drifting';
/** The names of nodes worth a look. */
type Cast = Readonly<Record<Role, string>>;

/** `environment` is that of the shell, which the next shell probably has too: it must not lead the commands elsewhere. */
export function guideOf(place: DemoPlace, cast: Cast, environment: Environment): Guide {
  const mesh = programName();
  return {
    ...place,
    environment: exportsFor(place, environment),
    commands: [
      { command: `${mesh} node list`, shows: 'all nodes, with state and tags' },
      { command: `${mesh} node show ${cast.laptop}`, shows: 'one node, with relay and routes' },
      { command: `${mesh} node posture ${cast.drifting}`, shows: 'desired and applied configuration' },
      { command: `${mesh} peer list ${cast.server}`, shows: 'the links of a node' },
      { command: `${mesh} explain ${cast.laptop} ${cast.server}:22`, shows: 'why it has access' },
      { command: `${mesh} explain ${cast.other_laptop} ${cast.database}:5432`, shows: 'why it has no access' },
      { command: `${mesh} acl show`, shows: 'who may reach what' },
      { command: `${mesh} node drain ${cast.gateway} --wait`, shows: 'another gateway takes over for it' },
      { command: `${mesh} audit list --action nodes.drain`, shows: 'who requested it' },
      { command: `${mesh} events`, shows: 'events as they happen' },
    ],
  };
}

export function guideText(guide: Guide, cast: Cast, stale_after_s: number): string {
  const { url, panel_url, setup_code, nodes, environment, commands } = guide;
  const places = fields([
    ...panelFields({ url: panel_url, setup_code, recovery_url: null }),
    ['  API', `${url}/v1`],
    ['  Reference', `${url}/docs`],
  ]);
  const troubles = fields([
    [`  ${cast.pending}`, 'waits for approval'],
    [`  ${cast.quarantined}`, 'is quarantined'],
    [`  ${cast.silent}`, `is offline, and stale after ${stale_after_s} s`],
    [`  ${cast.drifting}`, 'drifts from its configuration'],
  ]);
  const tries = fields(commands.map(({ command, shows }) => [`  ${command}`, shows]));
  return `
The demo runs a mesh of ${nodes} simulated nodes: real agents with real
heartbeats, without a network.

${places}

Some of them have problems on purpose:

${troubles}

In another terminal:

  export ${environment.join(' ')}

${tries}

Ctrl-C stops the demo and deletes its data.
`;
}

/** Towards this machine a command finds the token in the data folder, unless another one is named. */
function exportsFor({ url, data_dir, token_file }: DemoPlace, environment: Environment): string[] {
  const reachable = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const exported = [`MESH_DATA_DIR=${quoted(data_dir)}`];
  if (reachable !== (environment.MESH_URL || DEFAULT_URL)) exported.push(`MESH_URL=${reachable}`);
  if (!isThisMachine(reachable)) return [...exported, `MESH_TOKEN="$(cat ${quoted(token_file)})"`];
  const misleading = ['MESH_TOKEN', 'MESH_BOOTSTRAP_TOKEN_FILE'].filter((name) => environment[name]);
  return [...exported, ...misleading.map((name) => `${name}=`)];
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
