import type { JoinRequest, Trust } from '@meshwork/agent';
import type { Service } from '@meshwork/contract';
import { SERVICE_NAME_PATTERN } from '@meshwork/contract/vocabulary';
import { InvalidArgumentError } from 'commander';
import { type Environment, type GlobalFlags, openToOthers } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { readSource } from '../../read-source.ts';
import { nameOfHost, VERSION } from './join.ts';

/** What the flags of `mesh agent enroll` say; without flags, a machine is enrolled by its environment alone. */
export interface WantedNode {
  readonly coordinator?: string;
  readonly name?: string;
  readonly tag?: string[];
  readonly service?: Service[];
  readonly route?: string[];
  readonly accept_routes?: JoinRequest['wish']['accept_routes'];
  readonly pin?: string[];
  readonly caFile?: string;
  readonly insecureHttp?: boolean;
}

const SERVICE = new RegExp(`^(${SERVICE_NAME_PATTERN.slice(1, -1)}):(tcp|udp):(\\d{1,5})$`);

/** `name:proto:port`, and those before it. */
export function service(text: string, before: Service[] = []): Service[] {
  const [, name, protocol, port] = SERVICE.exec(text) ?? [];
  const number = Number(port);
  if (name === undefined || number < 1 || number > 65_535) {
    throw new InvalidArgumentError('A service looks like git-ssh:tcp:22.');
  }
  return [...before, { name, protocol: protocol as Service['protocol'], port: number }];
}

/** Everything that enrolment needs, checked here: what is wrong never reaches a coordinator. */
export async function joinRequest(
  wanted: WantedNode,
  {
    environment,
    flags,
    signal,
  }: { environment: Environment; flags: Pick<GlobalFlags, 'tokenFile'>; signal: AbortSignal },
): Promise<JoinRequest> {
  const trust = await trustOf(wanted);
  const [first, ...rest] = await addresses(wanted.coordinator ?? environment.MESH_COORDINATOR ?? '', trust);
  if (first === undefined) throw usage('--coordinator or MESH_COORDINATOR must say where the coordinator is');
  return {
    coordinators: [first, ...rest],
    trust,
    wish: {
      name: wanted.name ?? nameOfHost(),
      tags: wanted.tag ?? [],
      services: wanted.service ?? [],
      routes: wanted.route ?? [],
      ...(wanted.accept_routes === undefined ? {} : { accept_routes: wanted.accept_routes }),
    },
    token: () => enrolmentToken(flags.tokenFile, environment),
    agent_version: VERSION,
    signal,
  };
}

async function addresses(text: string, trust: Trust): Promise<string[]> {
  const { addressProblem } = await import('@meshwork/agent');
  const urls = text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
  for (const url of urls) {
    const problem = addressProblem(url, trust);
    // One with credentials in it is not repeated.
    if (problem !== undefined) throw usage(`the coordinator ${url.includes('@') ? '' : `${url} `}${problem}`);
  }
  return urls.map((url) => url.replace(/\/+$/, ''));
}

async function trustOf({ pin: pins, caFile, insecureHttp = false }: WantedNode): Promise<Trust> {
  const { PIN_PATTERN } = await import('@meshwork/agent');
  if (pins !== undefined && caFile !== undefined) throw usage('--pin and --ca-file are two ways to trust: give one');
  const wrong = pins?.find((pin) => !PIN_PATTERN.test(pin));
  if (wrong !== undefined) throw usage(`${wrong} is not a pin; one is sha256: and 43 letters, digits, - or _`);
  if (pins !== undefined) return { kind: 'pins', pins, insecure_http: insecureHttp };
  if (caFile === undefined) return { kind: 'system', insecure_http: insecureHttp };
  const { text: pem } = await readSource(caFile);
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw usage(`--ca-file names ${caFile}, which has no certificate in PEM`);
  return { kind: 'ca', pem, insecure_http: insecureHttp };
}

/** Never a flag: those show in the process list. */
async function enrolmentToken(file: string | undefined, { MESH_ENROLL_TOKEN }: Environment): Promise<string> {
  const token = (file === undefined ? MESH_ENROLL_TOKEN : (await readSource(file)).text)?.trim() ?? '';
  const warning = file === undefined || file === '-' ? undefined : await openToOthers(file);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  if (token !== '') return token;
  throw new Failure('an enrolment token is needed, in --token-file or MESH_ENROLL_TOKEN', {
    exit: 'usage',
    code: 'credentials_missing',
    hint: 'create one with `mesh token create NAME --role enroller --uses 1 …`',
  });
}

function usage(message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage' });
}
