/** The ACME clients of Debian, each as its users run it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface AcmeSetup {
  readonly directory: string;
  readonly key_id: string;
  readonly key: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Where a web server on port 80 serves challenges from, for those that have none of their own. */
  readonly webroot: string;
}

/** What a client is run with, and where it leaves the certificate. */
interface AcmeProgram {
  /** Whether it needs a web server beside it. */
  readonly needs_web: boolean;
  /** Whether it takes another nonce where one was refused. */
  readonly takes_hostility: boolean;
  /** Writes what it is configured with. */
  prepare(setup: AcmeSetup): Promise<void>;
  register?(setup: AcmeSetup): readonly string[];
  issue(setup: AcmeSetup, names: readonly string[]): readonly string[];
  renew(setup: AcmeSetup, names: readonly string[]): readonly string[];
  revoke(setup: AcmeSetup, names: readonly string[]): readonly string[];
  certificate(setup: AcmeSetup, names: readonly string[]): string;
}

const first = ([name = '']: readonly string[]) => name;
const domains = (names: readonly string[]) => names.flatMap((name) => ['-d', name]);

const certbot: AcmeProgram = {
  needs_web: false,
  takes_hostility: true,
  // In a file, so that the key is not in the process list.
  prepare: async ({ folder, directory, key_id, key }) => {
    const lines = [
      ...['config', 'work', 'logs'].map((name) => `${name}-dir = ${join(folder, name)}`),
      `server = ${directory}`,
      `eab-kid = ${key_id}`,
      `eab-hmac-key = ${key}`,
      'non-interactive = true',
      'agree-tos = true',
      'register-unsafely-without-email = true',
    ];
    await writeFile(join(folder, 'cli.ini'), `${lines.join('\n')}\n`);
  },
  issue: ({ folder }, names) => [
    ...['certbot', '-c', join(folder, 'cli.ini'), 'certonly', '--standalone', '--cert-name', first(names)],
    ...domains(names),
  ],
  renew: ({ folder }, names) => [
    ...['certbot', '-c', join(folder, 'cli.ini'), 'renew', '--force-renewal', '--no-random-sleep-on-renew'],
    ...['--cert-name', first(names)],
  ],
  revoke: ({ folder }, names) => [
    ...['certbot', '-c', join(folder, 'cli.ini'), 'revoke', '--cert-name', first(names)],
    ...['--no-delete-after-revoke', '--reason', 'superseded'],
  ],
  certificate: ({ folder }, names) => join(folder, 'config', 'live', first(names), 'fullchain.pem'),
};

function legoBy(challenge: '--http' | '--tls'): AcmeProgram {
  const run = ({ folder, directory, key_id, key }: AcmeSetup, names: readonly string[]) => [
    ...['lego', '--server', directory, '--accept-tos', '--email', 'git@example.org', '--path', folder],
    ...['--eab', '--kid', key_id, '--hmac', key, challenge, ...names.flatMap((name) => ['--domains', name])],
  ];
  return {
    needs_web: false,
    takes_hostility: true,
    prepare: async () => undefined,
    issue: (setup, names) => [...run(setup, names), 'run'],
    renew: (setup, names) => [...run(setup, names), 'renew', '--days', '1000', '--no-random-sleep'],
    revoke: (setup, names) => [...run(setup, names), 'revoke', '--keep'],
    certificate: ({ folder }, names) => join(folder, 'certificates', `${first(names)}.crt`),
  };
}

const dehydrated: AcmeProgram = {
  needs_web: true,
  takes_hostility: false, // it gives up, and is run again by its timer
  prepare: async ({ folder, directory, key_id, key, webroot }) => {
    const values = { CA: directory, EAB_KID: key_id, EAB_HMAC_KEY: key, WELLKNOWN: webroot, BASEDIR: folder };
    const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
    await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`);
  },
  register: ({ folder }) => ['dehydrated', '-f', join(folder, 'config'), '--register', '--accept-terms'],
  issue: ({ folder }, names) => ['dehydrated', '-f', join(folder, 'config'), '--cron', ...domains(names)],
  renew: ({ folder }, names) => ['dehydrated', '-f', join(folder, 'config'), '--cron', '--force', ...domains(names)],
  revoke: (setup, names) => [
    ...['dehydrated', '-f', join(setup.folder, 'config'), '--revoke'],
    join(setup.folder, 'certs', first(names), 'cert.pem'),
  ],
  certificate: ({ folder }, names) => join(folder, 'certs', first(names), 'fullchain.pem'),
};

const uacme: AcmeProgram = {
  needs_web: true,
  takes_hostility: true,
  prepare: async () => undefined,
  register: ({ folder, directory, key_id, key }) => [
    ...['uacme', '-c', folder, '-a', directory, '-e', `${key_id}:${key}`, '-y', 'new'],
  ],
  issue: ({ folder, directory }, names) => [
    ...['uacme', '-c', folder, '-a', directory, '-h', '/usr/share/uacme/uacme.sh', '--no-ocsp', 'issue', ...names],
  ],
  renew: ({ folder, directory }, names) => [
    ...[
      'uacme',
      '-c',
      folder,
      '-a',
      directory,
      '-h',
      '/usr/share/uacme/uacme.sh',
      '--no-ocsp',
      '-f',
      'issue',
      ...names,
    ],
  ],
  revoke: (setup, names) => [
    ...['uacme', '-c', setup.folder, '-a', setup.directory, 'revoke', uacme.certificate(setup, names)],
  ],
  certificate: ({ folder }, names) => join(folder, first(names), 'cert.pem'),
};

const PROGRAMS: Readonly<Record<string, AcmeProgram>> = {
  certbot,
  lego: legoBy('--http'),
  'lego by tls-alpn-01': legoBy('--tls'),
  dehydrated,
  uacme,
};

export const ACME_PROGRAMS = Object.keys(PROGRAMS);

export async function prepared(name: string, setup: AcmeSetup): Promise<AcmeProgram> {
  const program = PROGRAMS[name];
  if (program === undefined) throw new Error(`there is no ${name}`);
  await mkdir(setup.folder, { recursive: true });
  await program.prepare(setup);
  return program;
}
