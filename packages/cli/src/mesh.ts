/**
 * Every command there is. Most come from the operation table: `derived/` makes flags and arguments of what an operation
 * takes, and `print/` shows what it answers. A noun in the list below has the words that are better than the table's; an
 * area without one has its commands by the rules alone.
 *
 * `session.ts` gives a command its client and its output; `config.ts` reads settings, `exit-codes.ts` says how the program
 * can end, and `report-failure.ts` how it says why.
 */
import { Command } from 'commander';
import { acl } from './commands/acl/acl.ts';
import { acme } from './commands/acme/acme.ts';
import { agent } from './commands/agent/agent.ts';
import { audit, panelAudit } from './commands/audit/audit.ts';
import { ca } from './commands/ca/ca.ts';
import { completion } from './commands/completion.ts';
import { coordinator } from './commands/coordinator.ts';
import { demo } from './commands/demo.ts';
import { dns } from './commands/dns/dns.ts';
import { events } from './commands/events.ts';
import { explain } from './commands/explain/explain.ts';
import { firewall } from './commands/firewall/firewall.ts';
import { fleet } from './commands/fleet.ts';

import { authority } from './commands/ingress/authority.ts';
import { certificate } from './commands/ingress/certificate.ts';
import { ingress } from './commands/ingress/ingress.ts';
import { order } from './commands/ingress/order.ts';
import { lab } from './commands/lab/lab.ts';
import { node } from './commands/node/node.ts';
import { openapi } from './commands/openapi.ts';
import { operation } from './commands/operation/operation.ts';
import { overview } from './commands/overview/overview.ts';
import { panel } from './commands/panel.ts';
import { peer } from './commands/peer/peer.ts';
import { relay } from './commands/relay/relay.ts';
import { role } from './commands/role/role.ts';
import { settings } from './commands/settings/settings.ts';
import { token } from './commands/token/token.ts';
import { up } from './commands/up.ts';
import { session, user } from './commands/user/user.ts';
import { waf } from './commands/waf/waf.ts';
import { whoami } from './commands/whoami.ts';
import { deriveNoun } from './derived/derive-noun.ts';
import { derivedNouns, type Noun } from './derived/noun.ts';
import { withoutDerived } from './derived/without.ts';
import { program } from './program.ts';

const BETTER = [
  ...[
    token,
    user,
    session,
    role,
    node,
    operation,
    peer,
    relay,
    ingress,
    certificate,
    authority,
    order,
    waf,
    dns,
    ca,
    acme,
  ],
  ...[acl, firewall, settings, audit, panelAudit],
];

/** Every noun whose commands come from the operation table. */
export const NOUNS: readonly Noun[] = [
  ...BETTER,
  ...derivedNouns('coordinator', BETTER, withoutDerived('coordinator')),
  ...derivedNouns('panel', BETTER, withoutDerived('panel')),
];

/** `words`: the command line. Only the nouns that it mentions have their verbs made: a short command starts fast. */
export function mesh(words: readonly string[]): Command {
  const records = Object.assign({}, ...NOUNS.map((one) => one.records ?? {}));
  const derived = (one: Noun) => {
    const command = deriveNoun(one, { records, without: withoutDerived(one.api) });
    for (const below of NOUNS.filter(({ under }) => under === one.noun)) command.addCommand(derived(below));
    return command;
  };
  const nouns = NOUNS.filter(({ under }) => under === undefined).map((one) =>
    words.includes(one.noun) ? derived(one) : new Command(one.noun).description(one.description),
  );
  return program([
    ...[up(), coordinator(), panel(), agent(), demo(), whoami(), overview()],
    ...nouns,
    ...[explain(), events(), lab(), fleet(), openapi(), completion()],
  ]);
}
