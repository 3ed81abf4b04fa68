/** Operations that `mesh` has no derived command for. A test holds this to both tables. */

/** Operations of the coordinator that have a command under another name. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'acls.explain': 'explain',
  'acls.probe': 'explain',
  'ca.authority_crl': 'ca crl',
  'self.whoami': 'whoami',
  'overview.show': 'overview',
  'events.stream': 'events',
  'meta.openapi': 'openapi',
  'nodes.enroll': 'agent enroll',
};

const BROWSER = 'belongs to a person in a browser, whose session a token has not';
const PANEL = 'the panel calls it for the person who is signed in';
const AGENT = 'the agent on a node calls it';
const MONITORING = 'monitoring calls it, with no credentials of an operator';

/** They have none, each for a reason. */
export const NO_COMMAND: Readonly<Record<'coordinator' | 'panel', Readonly<Record<string, string>>>> = {
  coordinator: {
    'delegations.create': PANEL,
    'delegations.retire': PANEL,
    'delegations.pass': PANEL,
    'delegations.announce': 'the panel calls it when it starts',
    'delegations.end': PANEL,
    'agents.session': AGENT,
    'agents.heartbeat': AGENT,
    'meta.docs': 'is a page for a browser',
    'meta.health': MONITORING,
    'meta.ready': MONITORING,
    'meta.metrics': MONITORING,
  },
  panel: {
    'setup.status': BROWSER,
    'setup.finish': BROWSER,
    'auth.session': BROWSER,
    'auth.methods': BROWSER,
    'auth.login': BROWSER,
    'auth.enter': BROWSER,
    'auth.login_totp': BROWSER,
    'auth.passkey_options': BROWSER,
    'auth.login_passkey': BROWSER,
    'auth.oidc_begin': BROWSER,
    'auth.oidc_callback': BROWSER,
    'auth.confirm': BROWSER,
    'auth.logout': BROWSER,
    'invitation.show': BROWSER,
    'invitation.accept': BROWSER,
    'profile.show': BROWSER,
    'profile.update': BROWSER,
    'profile.change_password': BROWSER,
    'totp.begin': BROWSER,
    'totp.finish': BROWSER,
    'totp.new_recovery_codes': BROWSER,
    'totp.remove': BROWSER,
    'passkeys.begin': BROWSER,
    'passkeys.add': BROWSER,
    'passkeys.remove': BROWSER,
    'meta.openapi': '`mesh openapi` prints that of the coordinator; the panel serves its own',
    'meta.health': MONITORING,
    'meta.ready': MONITORING,
    'meta.metrics': MONITORING,
  },
};

/** Everything that the rules are not to make a command of. */
export function withoutDerived(api: 'coordinator' | 'panel'): Readonly<Record<string, string>> {
  return api === 'panel' ? NO_COMMAND.panel : { ...NO_COMMAND.coordinator, ...ELSEWHERE };
}
