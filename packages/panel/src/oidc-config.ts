/** The configuration of an OpenID Connect provider. All of it, or none. */
import { resolve } from 'node:path';
import type { ConfigReader, Environment } from '@meshwork/service';
import { type RoleRule, readRoleRules } from './areas/sign-in/oidc/role-rules.ts';

export interface OidcConfig {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret_file: string;
  /** What people call the provider. */
  readonly name: string;
  /** The claim that lists what groups a person is in. */
  readonly groups_claim: string;
  /** Roles by group. The first rule with a group of the person counts; a person without one cannot sign in. */
  readonly roles: readonly RoleRule[];
}

const NEEDED = ['MESH_OIDC_ISSUER', 'MESH_OIDC_CLIENT_ID', 'MESH_OIDC_CLIENT_SECRET_FILE', 'MESH_OIDC_ROLES'] as const;

/** Undefined when no provider is configured. */
export function readOidc(read: ConfigReader, env: Environment): OidcConfig | undefined {
  const given = Object.keys(env).filter((name) => name.startsWith('MESH_OIDC_') && env[name] !== undefined);
  if (given.length === 0) return undefined;
  const missing = NEEDED.filter((name) => env[name] === undefined);
  for (const variable of missing)
    read.problems.push({ variable, problem: `is missing; ${given[0]} needs it beside it` });
  const issuer = read.check('MESH_OIDC_ISSUER', read.text('MESH_OIDC_ISSUER', 'https://missing'), readIssuer, {
    issuer: '',
  });
  return {
    ...issuer,
    client_id: read.text('MESH_OIDC_CLIENT_ID', 'missing'),
    client_secret_file: resolve(read.text('MESH_OIDC_CLIENT_SECRET_FILE', 'missing')),
    name: read.text('MESH_OIDC_NAME', URL.parse(issuer.issuer)?.hostname ?? 'OpenID Connect'),
    groups_claim: read.text('MESH_OIDC_GROUPS_CLAIM', 'groups'),
    roles: read.check('MESH_OIDC_ROLES', read.text('MESH_OIDC_ROLES', 'missing=viewer'), readRoles, []),
  };
}

/** Plain HTTP only on this machine, for trying things out. */
function readIssuer(text: string): { issuer: string } | string {
  const url = URL.parse(text);
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isGood = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  return isGood ? { issuer: text } : 'must be the https:// address of the provider';
}

function readRoles(text: string): readonly RoleRule[] | string {
  try {
    return readRoleRules(text);
  } catch (error) {
    return `has a part that cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
