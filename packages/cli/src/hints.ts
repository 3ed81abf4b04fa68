import type { UnreachableReason } from '@meshwork/client';

const NEW_TOKEN =
  'create a new one with `mesh token create`; when no owner token is left, restart with `mesh up --recover`';

/** What to try, for the problems where we know. */
const HINTS: Readonly<Record<string, string>> = {
  credentials_missing:
    'set MESH_TOKEN, or name a file with --token-file; the first start of a coordinator writes one to bootstrap-token',
  credentials_invalid: 'check that the token is complete and belongs to this coordinator (--url)',
  token_expired: `${NEW_TOKEN}. Next time use \`mesh token rotate\` before it expires`,
  token_retired: 'use its successor; `mesh token show` names it as "rotated to"',
  token_revoked: NEW_TOKEN,
  permission_denied: '`mesh whoami` shows what this token may do',
  mesh_scope_required: 'use a token whose team, surface and environment are all "*"',
  exceeds_own_rights: '`mesh whoami` shows what this token may do; it cannot grant more than that',
  not_owner:
    'have an owner do it, or get a token that carries the tag (`mesh token create --tag`); `mesh acl show` has tag_owners and domain_owners',
  not_found: 'resources outside the scope of the token are not found either; `mesh whoami` shows the scope',
  policy_tests_failed: '`mesh acl preview` shows what would open and close besides',
  firewall_cuts_off: 'accept what agents need with an earlier rule (--before), or use --force',
  last_owner: 'make another user an owner first, with `mesh user set NAME --role owner`',
  role_in_use: 'give its holders another role first; `mesh token list --role` shows the tokens',
  revision_mismatch: 'check its current state, then try again',
  operation_in_progress: 'follow it with `mesh operation wait`, or end it with `mesh operation cancel`',
  operation_not_cancellable: 'use the opposite command, such as `mesh node release` after `mesh node quarantine`',
  node_state: '`mesh node show` says in which state it is, and since when',
  addresses_exhausted: 'remove nodes, or enlarge the pool with `mesh settings set nodes.address_pool=…`',
  token_used_up: 'create another enrolment token with `mesh token create --uses`',
  rate_limited: 'wait a little, then try again',
  outcome_unknown: 'check whether it took effect (`mesh audit list`) before you try again',
  internal: 'the log of the coordinator has the details under the request id',
  unexpected_answer: 'check that --url is the address of a coordinator',
};

export function hintFor(code: string): string | undefined {
  return HINTS[code];
}

const UNREACHABLE_HINTS: Partial<Record<UnreachableReason, string>> = {
  refused:
    'is it running? `mesh up` starts it here; --url or MESH_URL (the panel: --panel-url or MESH_PANEL_URL) say where else it is',
  name_not_found: 'check the name in --url or MESH_URL',
  tls: 'check that --url or MESH_URL has the right scheme; for a certificate of your own set NODE_EXTRA_CA_CERTS',
  not_http: 'check the port and the scheme in --url or MESH_URL',
  timeout: 'is it running, and is a firewall in between?',
};

export function unreachableHint(reason: UnreachableReason): string {
  return UNREACHABLE_HINTS[reason] ?? 'is it running? Check --url or MESH_URL, and try again';
}
