/** How the holder of a token uses it: lines to paste, none of which has the secret among the arguments of a process. */
import type { TokenWithSecret } from '@meshwork/contract';

interface WayToUse {
  readonly label: string;
  readonly text: string;
}

export function waysToUse(
  token: Pick<TokenWithSecret, 'name' | 'secret' | 'permissions'>,
  url: string,
): readonly WayToUse[] {
  const file = fileName(token.name);
  const example = exampleFor(token.permissions);
  const ways = [
    // Two pieces: pasted as one, the second line would end up in the file.
    {
      label: 'Store it in a file: run this, paste the secret, then press Enter and Ctrl-D',
      text: `(umask 077; cat > ${file})`,
    },
    { label: 'Use it from that file', text: `mesh --url ${quoted(url)} --token-file ${file} ${example}` },
    {
      label: 'As environment variables. The leading space keeps it out of most shell histories',
      text: ` export MESH_URL=${quoted(url)} MESH_TOKEN=${quoted(token.secret)}\nmesh ${example}`,
    },
    {
      label: 'With curl, which reads the header from standard input',
      text: `printf 'Authorization: Bearer %s\\n' "$MESH_TOKEN" | curl -sS -H @- ${quoted(`${url}/v1/auth/whoami`)}`,
    },
  ];
  return token.permissions.includes('nodes:enroll') && isOnlyForEnrolment(token.permissions)
    ? [enrolling(token.secret, url), ...ways.slice(0, 2)]
    : ways;
}

function enrolling(secret: string, url: string): WayToUse {
  return {
    label: 'On the machine to enrol, as root',
    text: ` MESH_ENROLL_TOKEN=${quoted(secret)} mesh agent enroll --coordinator ${quoted(url)} --name NAME`,
  };
}

function isOnlyForEnrolment(permissions: readonly string[]): boolean {
  return permissions.every((one) => one === 'nodes:enroll' || one.endsWith(':read'));
}

/** Something that the token may do, and that changes nothing. */
function exampleFor(permissions: readonly string[]): string {
  if (permissions.includes('audit:read')) return 'audit list';
  if (permissions.includes('nodes:read')) return 'node list';
  if (permissions.includes('ingress:read')) return 'ingress list';
  return 'whoami';
}

/** A file name that needs no quoting in a shell: `CI deploy` becomes `ci-deploy.token`. */
function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${plain === '' ? 'mesh' : plain}.token`;
}

function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
