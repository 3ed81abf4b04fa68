/** The command that enrols a machine as the requested node, ready to be pasted there. */

interface WantedEnrolment {
  /** What nodes can reach the coordinator by. */
  readonly coordinator: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** The secret of a token for this one purpose. */
  readonly secret: string;
}

/**
 * The token goes by the environment, never by a flag: those show in the process list. That is also why the command is for a
 * root shell and not for `sudo`, which would have the variable among its arguments.
 */
export function enrolCommand({ coordinator, name, tags, secret }: WantedEnrolment): string {
  const parts = [`MESH_ENROLL_TOKEN=${quoted(secret)}`, 'mesh agent enroll', `--coordinator ${quoted(coordinator)}`];
  if (needsInsecure(coordinator)) parts.push('--insecure-http');
  parts.push(`--name ${quoted(name)}`);
  if (tags.length > 0) parts.push(`--tag ${tags.map(quoted).join(' ')}`);
  return parts.join(' ');
}

/**
 * The same node without a machine: a simulated one, run from a clone of the repository, where the program is not on the path.
 * `--no --` keeps npx from looking for a stranger's package of that name, which would be handed the token.
 */
export function simulateCommand({ coordinator, name, tags, secret }: WantedEnrolment): string {
  const parts = [`MESH_TOKEN=${quoted(secret)}`, `npx --no -- mesh --url ${quoted(coordinator)}`];
  parts.push(`fleet --name ${quoted(name)}`);
  if (tags.length > 0) parts.push(`--tag ${tags.map(quoted).join(' ')}`);
  return parts.join(' ');
}

/** Plain http is taken for loopback addresses only, unless one says that one means it. */
export function needsInsecure(coordinator: string): boolean {
  const { protocol } = new URL(coordinator);
  return protocol === 'http:' && !isThisMachine(coordinator);
}

/** An address that no other machine can reach. */
export function isThisMachine(coordinator: string): boolean {
  const { hostname } = new URL(coordinator);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
