/** Which group at the provider has which role here, as configured: the first rule that fits wins. */
import { ROLE_NAME_PATTERN, type Scope, WHOLE_MESH } from '@meshwork/contract';

export interface RoleRule {
  readonly group: string;
  readonly role: string;
  readonly scope: Scope;
}

const SCOPE_MEMBER = /^(\*|[a-z0-9][a-z0-9._-]{0,62})$/;
const ROLE = new RegExp(ROLE_NAME_PATTERN);

/** Reads `group=role[@team/surface/environment]`, separated by commas. Throws with what is wrong and what would be right. */
export function readRoleRules(text: string): readonly RoleRule[] {
  const rules = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return rules.map(readRule);
}

/** The first rule that names one of the groups. Undefined: the person may not sign in. */
export function ruleFor(rules: readonly RoleRule[], groups: readonly string[]): RoleRule | undefined {
  return rules.find(({ group }) => groups.includes(group));
}

function readRule(text: string): RoleRule {
  // The last `=`: groups are named by others, some with a `=` inside, such as those of LDAP.
  const split = text.lastIndexOf('=');
  const [role = '', scope, ...rest] = text.slice(split + 1).split('@');
  const group = text.slice(0, Math.max(0, split)).trim();
  if (group === '' || !ROLE.test(role) || rest.length > 0) {
    throw new Error(`${text} must be group=role or group=role@team/surface/environment`);
  }
  // The panel's own role is no person's.
  if (role === 'panel') throw new Error(`${text} names the role panel, which only the panel itself can have`);
  return { group, role, scope: scope === undefined ? WHOLE_MESH : readScope(text, scope) };
}

function readScope(rule: string, text: string): Scope {
  const [team = '', surface = '', environment = '', ...rest] = text.split('/');
  if (rest.length > 0 || ![team, surface, environment].every((member) => SCOPE_MEMBER.test(member))) {
    throw new Error(`${rule} must have its scope as team/surface/environment, each a name or *`);
  }
  return { team, surface, environment };
}
