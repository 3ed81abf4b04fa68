/** Certificates that operators bring for ingresses. Keys are read from files or standard input, and never printed. */
import type { GivenCertificate } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { Failure } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { SOURCE_HELP, textOf } from '../../read-source.ts';
import { scopeText } from '../../rights-text.ts';
import { fields, table } from '../../table.ts';
import { when } from '../../when.ts';
import type { AnyClient } from '../../words/command-words.ts';

const PEM = {
  chain: {
    find: textOf,
    value: 'file',
    help: `the certificate and its issuers in PEM, such as fullchain.pem: ${SOURCE_HELP}`,
  },
  private_key: { flag: 'key', find: keyIn, value: 'file', help: `its private key in PEM: ${SOURCE_HELP}` },
} as const;

/** A key on the command line would be in the process list and in the history of the shell; at least it is not repeated. */
async function keyIn(client: AnyClient, file: string): Promise<string> {
  if (!file.includes('-----BEGIN')) return await textOf(client, file);
  const message = '--key takes the name of a file, or - for standard input, and not the key itself';
  throw new Failure(message, { exit: 'usage', code: 'usage' });
}

const HOOK = `As a deploy hook of certbot, with a token that may do nothing else:
  mesh ingress certificate set shop --chain "$RENEWED_LINEAGE/fullchain.pem" --key "$RENEWED_LINEAGE/privkey.pem"`;

export const certificate = noun({
  noun: 'certificate',
  under: 'ingress',
  areas: ['given_certificates'],
  thing: 'certificate',
  // What gateways show follows from ingresses and from what nodes report.
  watches: ['given_certificate', 'ingress', 'node'],
  records: { GivenCertificate: certificateText },
  commands: {
    'given_certificates.create': {
      description:
        'Bring a certificate from any authority, with its private key. Ingresses whose scope it covers show it once they name it (--certificate of `mesh ingress set`). The policy says for which host names you may bring one (domain owners).',
      parameters: {
        ...PEM,
        name: { help: 'what people will call it' },
        'scope.team': { help: 'the team it is for; by default the scope of the token' },
        'scope.surface': { help: 'the surface it is for' },
        'scope.environment': { help: 'the environment it is for' },
      },
    },
    'given_certificates.list': {
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['FOR', ({ names }) => namesText(names)],
        ['STATE', ({ state }) => state],
        ['FROM', ({ authority }) => authority?.name ?? 'brought'],
        ['ENDS', ({ not_after }) => not_after],
        ['USED BY', ({ used_by }) => used_by.map(({ name }) => name).join(', ') || '-'],
        ['SHOWN BY', shownText],
      ],
    },
    'given_certificates.replace': {
      description:
        'Put a renewed certificate, with its key, in place of one. Gateways show it to the next client, without a reload. It has to be for every host name of the ingresses that show it.',
      parameters: PEM,
      help: HOOK,
    },
    'given_certificates.delete': {
      summary: 'Remove a given certificate with its key',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing certificate ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('given_certificates.show', { params: { id: params.id ?? '' } });
            const users = body.used_by.map(({ name }) => name).join(', ');
            return users === ''
              ? `${body.name} goes with its key. No ingress shows it.`
              : `${users} still show ${body.name}: it is refused until they have another certificate.`;
          },
        }),
      },
    },
  },
});

/** As many as fit into a cell. */
const SHOWN_NAMES = 2;

function namesText(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` +${more}` : ''}`;
}

function shownText({ shown_by }: GivenCertificate): string {
  if (shown_by.length === 0) return '-';
  return `${shown_by.filter(({ current }) => current).length} of ${shown_by.length}`;
}

function certificateText(given: GivenCertificate, out: Pick<Output, 'strong'>): string {
  const { used_by, shown_by, warnings } = given;
  const ingressOf = (id: string) => used_by.find(({ ingress }) => ingress === id)?.name ?? id;
  const strong = (text: string) => out.strong(text);
  const parts = [
    fields([
      ['id', given.id],
      ['name', given.name],
      ['for', given.names.join(', ')],
      ['state', given.state],
      ...warnings.map((text) => ['warning', text] as const),
      ['valid', `${when(given.not_before)} to ${when(given.not_after)}`],
      ['issued by', given.issuer],
      ['issuers with it', String(given.issuers)],
      ['key', given.key_type],
      ['SHA-256', given.fingerprint],
      ['serial', given.serial],
      ['scope', scopeText(given.scope)],
      ...(given.authority === null
        ? [['brought', `${when(given.created_at)} by ${given.created_by.name}`] as const]
        : [['ordered', `${when(given.created_at)} from ${given.authority.name}`] as const]),
      ...(given.renew_at === null ? [] : [['renewed', when(given.renew_at)] as const]),
      ...(given.replaced_at === null ? [] : [['replaced', when(given.replaced_at)] as const]),
      ...(used_by.length === 0 ? [['used by', 'no ingress'] as const] : []),
    ]),
    ...(used_by.length === 0
      ? []
      : [
          table(
            ['INGRESS', 'HOST NAME', 'FOR IT'],
            used_by.map(({ name, hostname, covered }) => [name, hostname, covered ? 'yes' : 'no: clients refuse it']),
            strong,
          ),
        ]),
    ...(shown_by.length === 0
      ? []
      : [
          table(
            ['GATEWAY', 'INGRESS', 'CLIENTS GET'],
            shown_by.map(({ name, ingress, fingerprint, problem }) => [
              name,
              ingressOf(ingress),
              problem === null
                ? 'this one'
                : `${problem}${fingerprint === null ? '' : ` They get ${fingerprint.slice(0, 16)}…`}`,
            ]),
            strong,
          ),
        ]),
  ];
  return parts.join('\n\n');
}
