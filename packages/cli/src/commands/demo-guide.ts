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
      { command: `${mesh} node list`, shows: 'everybody, with state and tags' },
      { command: `${mesh} node show ${cast.laptop}`, shows: 'one of them, relay and routes' },
      { command: `${mesh} node posture ${cast.drifting}`, shows: 'what it should be beside what it is' },
      { command: `${mesh} peer list ${cast.server}`, shows: 'the links of a node' },
      { command: `${mesh} explain ${cast.laptop} ${cast.server}:22`, shows: 'why it can' },
      { command: `${mesh} explain ${cast.other_laptop} ${cast.database}:5432`, shows: 'why it cannot' },
      { command: `${mesh} acl show`, shows: 'who may reach what' },
      { command: `${mesh} node drain ${cast.gateway} --wait`, shows: 'another gateway takes over for it' },
      { command: `${mesh} audit list --action nodes.drain`, shows: 'who asked for that' },
      { command: `${mesh} events`, shows: 'what happens, as it happens' },
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
    [`  ${cast.silent}`, `has gone silent, and is stale after ${stale_after_s} s`],
    [`  ${cast.drifting}`, 'drifts: it is not what it should be'],
  ]);
  const tries = fields(commands.map(({ command, shows }) => [`  ${command}`, shows]));
  return `
Here is a mesh of ${nodes} nodes. They are simulated: real agents with real
heartbeats, and no network beneath them.

${places}

Not all is well with them, so that there is something to see:

${troubles}

In another terminal:

  export ${environment.join(' ')}

${tries}

Ctrl-C ends it, and nothing of it stays.
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
