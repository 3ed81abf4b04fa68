import { hostname } from 'node:os';
import type { Joined, JoinRequest, StateFolder } from '@meshwork/agent';
import { ApiError, UnreachableError } from '@meshwork/client';
import packageJson from '../../../package.json' with { type: 'json' };
import { exitOfStatus } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { hintFor } from '../../hints.ts';

export const VERSION: string = packageJson.version;

/** Makes this machine a node, or says why it is none, and what to do about that. */
export async function join(folder: StateFolder, request: JoinRequest): Promise<Joined> {
  const { joinMesh, OtherMeshError } = await import('@meshwork/agent');
  try {
    return await joinMesh(folder, request);
  } catch (error) {
    if (error instanceof ApiError) throw refused(error);
    if (error instanceof UnreachableError) throw await unreached(error);
    if (!(error instanceof OtherMeshError)) throw error;
    const hint = 'to make it a node of another mesh: mesh agent reset --forget, then enrol again';
    throw new Failure(error.message, { exit: 'conflict', code: 'other_mesh', hint, cause: error });
  }
}

const TOKEN_HINT =
  'create one with `mesh token create NAME --role enroller --uses 1 …`, and give it in --token-file or MESH_ENROLL_TOKEN';
const HINTS: Readonly<Record<string, string>> = {
  credentials_invalid: TOKEN_HINT,
  token_expired: TOKEN_HINT,
  token_revoked: TOKEN_HINT,
  token_retired: TOKEN_HINT,
  token_used_up: TOKEN_HINT,
  permission_denied: TOKEN_HINT,
  already_exists: 'choose another one with --name, or remove the node that has it: mesh node remove NAME',
  clock_skewed: 'set the clock of this machine, for example with: timedatectl set-ntp true',
};

function refused(error: ApiError): Failure {
  const { code, detail, status, retryable, errors, request_id } = error;
  const hint = HINTS[code] ?? hintFor(code);
  const where = request_id === null ? '' : ` (request id ${request_id})`;
  return new Failure(`the coordinator refused to enrol this machine: ${detail}${where}`, {
    exit: exitOfStatus(status, retryable),
    code,
    errors,
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

/** The pin of a server that is not trusted is shown: a person can compare it with the one that the coordinator has. */
async function unreached(error: UnreachableError): Promise<Failure> {
  const { message, address, reason } = error;
  const { presentedPin } = await import('@meshwork/agent');
  const pin = reason === 'tls' ? await presentedPin(address) : undefined;
  if (pin === undefined) {
    const hint = reason === 'tls' ? 'check that --coordinator has the right scheme and port' : UNREACHED_HINT;
    return new Failure(message, { exit: 'temporary', code: 'unreachable', hint, cause: error });
  }
  const about = `the server there has the key ${pin}, which is not trusted; nothing was sent to it`;
  return new Failure(`${message}\n${about}`, {
    exit: 'refused',
    code: 'untrusted_certificate',
    hint: `compare it with the pin of the coordinator; when they are the same, add --pin ${pin}`,
    cause: error,
  });
}

const UNREACHED_HINT = 'is it running, is that its address (--coordinator), and is a firewall in between?';

/** The host's name, made fit for the mesh. */
export function nameOfHost(text: string = hostname()): string {
  const fit = (text.split('.', 1)[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63);
  return fit.replaceAll(/^-+|-+$/g, '') || 'node';
}
