/** Certificates as public authorities and companies issue them: made by OpenSSL, in a folder of its own. */

import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DAY_MS = 86_400_000;

interface Issued {
  readonly certificate: string;
  readonly key: string;
}

interface Wanted {
  readonly by?: Issued;
  readonly names?: readonly string[];
  readonly ca?: boolean;
  /** As `openssl genpkey` takes it. */
  readonly key?: readonly string[];
  readonly from_ms?: number;
  readonly to_ms?: number;
  readonly usage?: string;
  readonly key_usage?: string;
  readonly digest?: string;
  readonly subject?: string;
}

const P256_KEY = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

export async function issueGiven(wanted: Wanted): Promise<Issued> {
  const {
    by,
    names = [],
    ca = false,
    key = P256_KEY,
    usage,
    key_usage,
    digest = 'sha256',
    subject = '/CN=given',
  } = wanted;
  const { from_ms = Date.now() - DAY_MS, to_ms = Date.now() + 90 * DAY_MS } = wanted;
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-given-'));
  const file = (name: string) => join(folder.path, name);
  const openssl = (args: readonly string[]) => run('openssl', args, { cwd: folder.path });
  await openssl(['genpkey', ...key, '-out', 'key.pem']);
  await openssl(['req', '-new', '-key', 'key.pem', '-subj', subject, '-out', 'request.pem']);
  const extensions = [
    `basicConstraints=critical,CA:${ca ? 'TRUE' : 'FALSE'}`,
    'subjectKeyIdentifier=hash',
    ...(by === undefined ? [] : ['authorityKeyIdentifier=keyid']),
    ...(key_usage === undefined
      ? ca
        ? ['keyUsage=critical,keyCertSign,cRLSign']
        : []
      : [`keyUsage=critical,${key_usage}`]),
    ...(usage === undefined ? [] : [`extendedKeyUsage=${usage}`]),
    ...(names.length === 0 ? [] : [`subjectAltName=${names.join(',')}`]),
  ];
  await writeFile(
    file('ca.cnf'),
    [
      '[ca]',
      'default_ca=one',
      '[one]',
      'database=index.txt',
      'serial=serial',
      'new_certs_dir=.',
      'policy=any',
      'unique_subject=no',
      'rand_serial=yes',
      '[any]',
      'commonName=optional',
      'organizationName=optional',
      '[given]',
      ...extensions,
    ].join('\n'),
  );
  await writeFile(file('index.txt'), '');
  if (by !== undefined) {
    await writeFile(file('by.pem'), by.certificate);
    await writeFile(file('by.key'), by.key);
  }
  const signer = by === undefined ? ['-selfsign', '-keyfile', 'key.pem'] : ['-cert', 'by.pem', '-keyfile', 'by.key'];
  const dates = ['-startdate', asn1(from_ms), '-enddate', asn1(to_ms)];
  const how = ['-config', 'ca.cnf', '-extensions', 'given', '-md', digest, '-batch', '-notext', ...dates];
  await openssl(['ca', ...how, ...signer, '-in', 'request.pem', '-out', 'made.pem']);
  return { certificate: await readFile(file('made.pem'), 'utf8'), key: await readFile(file('key.pem'), 'utf8') };
}

/** A root, an intermediate, and what that issues: the chain as clients need it. `now_ms`: by whose clock. */
export async function givenAuthority(name = 'Test Authority', now_ms = Date.now()) {
  const dates = (days: number) => ({ from_ms: now_ms - DAY_MS, to_ms: now_ms + days * DAY_MS });
  const root = await issueGiven({ ca: true, subject: `/O=${name}/CN=Root`, ...dates(3650) });
  const about = { ca: true, by: root, subject: `/O=${name}/CN=Intermediate` };
  const intermediate = await issueGiven({ ...about, ...dates(1825) });
  return {
    root,
    intermediate,
    issue: async (wanted: Omit<Wanted, 'by'>) => {
      const issued = await issueGiven({ usage: 'serverAuth', ...dates(90), ...wanted, by: intermediate });
      return { chain: issued.certificate + intermediate.certificate, private_key: issued.key, ...issued };
    },
  };
}

/** `20261119120000Z`. */
function asn1(ms: number): string {
  return `${new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '')}Z`;
}
