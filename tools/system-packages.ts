/**
 * The Debian packages that the tests need beyond npm. Present: silent and fast. Missing on Debian as root: installed.
 * Missing elsewhere: named, and the run fails. Nothing is ever skipped because a package is not there. A run of some
 * test files needs the packages of those files only.
 */
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages, type PackageManager, UNPACKED, unpackPackages } from './apt.ts';
import { matches } from './patterns.ts';

interface SystemPackage {
  readonly name: string;
  readonly why: string;
  /** The files that need it, as patterns of `patterns.ts`. */
  readonly neededBy: readonly string[];
  /** Commands that prove it is there: all of them, on the path or in one of `folders`. */
  readonly commands: readonly string[];
  /** Where the package keeps commands that it does not put on the path. Globs. */
  readonly folders?: readonly string[];
  /** Files that prove it is there, where it has no command. Globs, of each of which something must be found. */
  readonly files?: readonly string[];
  /** True: its files are unpacked below `UNPACKED`, and it is not installed: it would take over the machine, or remove another. */
  readonly unpacked?: true;
}

/** Tests that run nodes in network namespaces. */
const REAL_NODES = ['packages/agent/**', 'packages/cli/**', 'packages/lab/**', 'bench/**'];
/** Gateways with a WAF. */
const INSPECTING = ['packages/agent/src/engines/gateway/**', 'packages/lab/test/gateway/**', 'bench/**'];
const RULE_SETS = ['packages/policy/src/firewall/**', 'packages/coordinator/**'];
const IN_A_BROWSER = ['packages/dashboard/**'];
const ACME_CLIENTS = ['packages/lab/**'];
const ACME_SERVER = ['packages/coordinator/**', 'packages/lab/test/gateway/**'];
const SHELLS = ['packages/cli/test/completion.test.ts'];

export const SYSTEM_PACKAGES: readonly SystemPackage[] = [
  {
    name: 'postgresql',
    why: 'the store and several coordinators at once are tested on a real PostgreSQL',
    neededBy: ['packages/store/**', 'packages/coordinator/**', 'packages/panel/**', 'bench/**'],
    commands: ['initdb', 'postgres'],
    folders: ['/usr/lib/postgresql/*/bin'],
  },
  {
    name: 'prometheus',
    why: 'promtool judges the metrics that the services publish',
    neededBy: ['packages/agent/**', 'packages/coordinator/**'],
    commands: ['promtool'],
  },
  {
    name: 'nftables',
    why: 'the rule sets that nodes filter by are loaded into the kernel and tried with packets',
    neededBy: [...REAL_NODES, ...RULE_SETS],
    commands: ['nft'],
    folders: ['/usr/sbin'],
  },
  {
    name: 'iproute2',
    why: 'tests make network namespaces of their own',
    neededBy: [...REAL_NODES, ...RULE_SETS],
    commands: ['ip'],
    folders: ['/usr/sbin'],
  },
  {
    name: 'wireguard-go',
    why: 'nodes of the lab are joined by real WireGuard, also where the kernel has none',
    neededBy: REAL_NODES,
    commands: ['wireguard-go'],
  },
  {
    name: 'wireguard-tools',
    why: 'WireGuard of the kernel is driven by `wg`',
    neededBy: REAL_NODES,
    commands: ['wg'],
  },
  {
    name: 'iputils-ping',
    why: 'nodes of the lab ping each other',
    neededBy: REAL_NODES,
    commands: ['ping'],
  },
  {
    name: 'iperf3',
    why: 'the bench measures how much goes through a tunnel',
    neededBy: ['bench/**'],
    commands: ['iperf3'],
  },
  {
    name: 'coturn',
    why: 'nodes ask a real relay what address they are seen at, and speak through it',
    neededBy: ['packages/agent/**', 'packages/lab/test/nat/**', 'bench/**'],
    commands: ['turnserver'],
  },
  {
    name: 'miniupnpd-nftables',
    why: 'nodes ask a real router for a port by PCP, NAT-PMP and UPnP',
    neededBy: ['packages/lab/test/nat/**'],
    commands: ['miniupnpd'],
    folders: ['/usr/sbin'],
  },
  ...[
    ['systemd-resolved', 'lib/systemd/systemd-resolved'],
    ['resolvconf', 'sbin/resolvconf'],
    ['openresolv', 'sbin/resolvconf'],
    ['network-manager', 'usr/sbin/NetworkManager'],
    ['libnm0', 'usr/lib/*/libnm.so.0'],
    ['libndp0', 'usr/lib/*/libndp.so.0'],
  ].map(([name = '', program = '']) => ({
    name,
    why: 'names of the mesh are looked up through every resolver of Debian',
    neededBy: ['packages/agent/src/engines/names/**'],
    commands: [],
    files: [join(UNPACKED, name, program)],
    unpacked: true as const,
  })),
  {
    name: 'dnsmasq-base',
    why: 'the bench compares the DNS of agents with it',
    neededBy: ['bench/**'],
    commands: ['dnsmasq'],
    folders: ['/usr/sbin'],
  },
  {
    name: 'dbus-daemon',
    why: 'systemd-resolved is asked by D-Bus',
    neededBy: ['packages/agent/src/engines/names/**'],
    commands: ['dbus-daemon'],
  },
  {
    name: 'openssl',
    why: 'tests make certificates and requests with it, and have it judge those of the mesh CA',
    neededBy: [
      'packages/agent/**',
      'packages/cli/**',
      'packages/coordinator/**',
      'packages/pki/**',
      'packages/dashboard/**',
      'packages/lab/**',
      'bench/**',
    ],
    commands: ['openssl'],
  },
  {
    name: 'nginx',
    why: 'nodes of the lab serve TLS with the certificates of the mesh CA',
    neededBy: REAL_NODES,
    commands: ['nginx'],
    folders: ['/usr/sbin'],
  },
  {
    name: 'libnginx-mod-http-lua',
    why: 'gateways choose the nodes that requests go to inside nginx',
    neededBy: REAL_NODES,
    commands: [],
    files: ['/usr/lib/nginx/modules/ngx_http_lua_module.so', '/usr/share/lua/5.1/resty/core.lua'],
  },
  {
    name: 'libnginx-mod-stream',
    why: 'gateways pass on connections that they do not look into',
    neededBy: REAL_NODES,
    commands: [],
    files: ['/usr/lib/nginx/modules/ngx_stream_module.so'],
  },
  {
    name: 'libnginx-mod-stream-js',
    why: 'gateways choose the nodes that such connections go to inside nginx',
    neededBy: REAL_NODES,
    commands: [],
    files: ['/usr/lib/nginx/modules/ngx_stream_js_module.so'],
  },
  {
    name: 'libnginx-mod-http-modsecurity',
    why: 'gateways inspect requests with a real engine',
    neededBy: INSPECTING,
    commands: [],
    files: ['/usr/lib/nginx/modules/ngx_http_modsecurity_module.so'],
  },
  {
    name: 'modsecurity-crs',
    why: 'gateways inspect requests by the Core Rule Set',
    neededBy: INSPECTING,
    commands: [],
    files: ['/usr/share/modsecurity-crs/rules/REQUEST-901-INITIALIZATION.conf'],
  },
  {
    name: 'wrk',
    why: 'the bench measures how many requests go through a gateway',
    neededBy: ['bench/**'],
    commands: ['wrk'],
  },
  {
    name: 'curl',
    why: 'nodes of the lab call each other with their certificates',
    neededBy: REAL_NODES,
    commands: ['curl'],
  },
  {
    name: 'ssl-cert',
    why: 'an agent shares its private key with the group of this package',
    neededBy: ['packages/lab/**'],
    commands: ['make-ssl-cert'],
    folders: ['/usr/sbin'],
  },
  {
    name: 'ca-certificates',
    why: 'nodes of the lab trust the root of the mesh as Debian does',
    neededBy: ACME_CLIENTS,
    commands: ['update-ca-certificates'],
    folders: ['/usr/sbin'],
  },
  ...['certbot', 'lego', 'dehydrated', 'uacme'].map((name) => ({
    name,
    why: 'nodes of the lab get certificates by the ACME clients of Debian',
    neededBy: ACME_CLIENTS,
    commands: [name],
  })),
  {
    name: 'pebble',
    why: 'certificates for ingresses are ordered from a real outside authority',
    neededBy: ACME_SERVER,
    commands: ['pebble', 'pebble-challtestsrv'],
  },
  {
    name: 'chromium-headless-shell',
    why: 'the dashboard is tried in a real browser',
    neededBy: IN_A_BROWSER,
    commands: ['chromium-headless-shell'],
  },
  {
    name: 'fonts-dejavu-core',
    why: 'what the browser is asked to photograph has letters',
    neededBy: IN_A_BROWSER,
    commands: [],
    files: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'],
  },
  {
    name: 'zsh',
    why: 'completion is tried in the shells themselves',
    neededBy: SHELLS,
    commands: ['zsh'],
  },
  {
    name: 'fish',
    why: 'completion is tried in the shells themselves',
    neededBy: SHELLS,
    commands: ['fish'],
  },
  {
    name: 'mmdebstrap',
    why: 'the commands of the README are tried on a Debian with nothing but Node and npm',
    neededBy: ['deploy/test/fresh-machine-*.test.ts'],
    commands: ['mmdebstrap'],
  },
];

export interface Host extends PackageManager {
  /** The search path for commands. */
  readonly path: string;
  readonly isRoot: boolean;
  /** The text of `/etc/os-release`. Absent: there is none. */
  readonly osRelease: string | undefined;
}

const OS_RELEASE = '/etc/os-release';

export function thisMachine(): Host {
  return {
    path: process.env.PATH ?? '',
    isRoot: process.getuid?.() === 0,
    osRelease: existsSync(OS_RELEASE) ? readFileSync(OS_RELEASE, 'utf8') : undefined,
    aptGet: 'apt-get',
    servicePolicy: '/usr/sbin/policy-rc.d',
    write: (text) => void process.stderr.write(text),
  };
}

/** What has to be there for these files to run. */
export function packagesFor(files: readonly string[]): readonly SystemPackage[] {
  return SYSTEM_PACKAGES.filter(({ neededBy }) => files.some((file) => matches(neededBy, file)));
}

/** Returns whether everything is there, having said what is not. */
export async function ensurePackages(packages: readonly SystemPackage[], host: Host): Promise<boolean> {
  const missing = missingPackages(packages, host.path);
  if (missing.length === 0) return true;
  for (const { name, why } of missing) host.write(`missing system package ${name}: ${why}\n`);

  if (!isDebian(host.osRelease) || !host.isRoot) {
    host.write('install them and run this again; on Debian as root they are installed by themselves\n');
    return false;
  }
  const namesOf = (packages: readonly SystemPackage[]) => packages.map(({ name }) => name);
  const installed = missing.filter(({ unpacked }) => unpacked !== true);
  const unpacked = missing.filter((one) => one.unpacked === true);
  if (installed.length > 0 && !(await installPackages(namesOf(installed), host))) return false;
  if (unpacked.length > 0 && !(await unpackPackages(namesOf(unpacked), host))) return false;

  const still = missingPackages(missing, host.path);
  for (const { name, commands, files = [] } of still)
    host.write(`${name} is installed, but one of these is not: ${[...commands, ...files].join(', ')}\n`);
  return still.length === 0;
}

export function missingPackages(packages: readonly SystemPackage[], path: string): readonly SystemPackage[] {
  return packages.filter(({ commands, folders = [], files = [] }) => {
    if (!files.every((file) => globSync(file).length > 0)) return true;
    const places = [...path.split(delimiter).filter((place) => place !== ''), ...globSync([...folders])];
    return !commands.every((command) => places.some((place) => isExecutable(join(place, command))));
  });
}

function isDebian(osRelease: string | undefined): boolean {
  const ids = osRelease?.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm) ?? [];
  return [...ids].some(([, id]) => id?.split(/\s+/).includes('debian'));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `tools/node tools/system-packages.ts bench/src/main.ts`: what that file needs. Without files: everything. */
if (import.meta.main) {
  const files = process.argv.slice(2);
  const packages = files.length === 0 ? SYSTEM_PACKAGES : packagesFor(files);
  process.exitCode = (await ensurePackages(packages, thisMachine())) ? 0 : 1;
}
